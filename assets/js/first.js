// The search box before Gradio's is there: takes words at once, shows a first list for a Find, and
// hands both over.
(() => {
  const place = document.getElementById("first"), box = place.querySelector("textarea"), word = place.querySelector("[role=status]");
  // A link to a search brings words of its own.
  if (location.search) { place.remove(); return; }
  // As Gradio will; its own script comes too late for the first paint.
  const body = document.body;
  body.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
  let wanted = "", composing = false;

  const made = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });
  const row = (tool) => {
    const item = document.createElement("li");
    const isLink = /^https?:\/\//.test(tool.url || "");
    item.append(isLink ? made("a", tool.name, { href: tool.url, target: "_blank", rel: "noopener noreferrer" }) : made("b", tool.name));
    item.append(made("small", tool.license || "licence not stated"), made("p", tool.description));
    return item;
  };
  const show = ({ tools, gap }) => {
    place.querySelector("ol")?.remove();
    const list = document.createElement("ol");
    list.append(...tools.map(row));
    word.textContent = `${gap ? `${gap} ` : ""}${tools.length ? "A first list. " : ""}Details, stages and graph follow when the page is complete …`;
    if (tools.length) place.append(list);
  };
  // By the endpoint for short answers; the page searches again, with all stages, once it is there.
  // No re-ranking model is asked twice for one search.
  const ask = async (text) => {
    const call = new URL("gradio_api/call/find_tools", document.baseURI).href;
    const data = [text, [], 8, [], [], [], false];
    const begun = await fetch(call, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ data }) });
    const { event_id: id } = await begun.json();
    const said = await (await fetch(`${call}/${id}`)).text();
    const [answer] = JSON.parse(said.match(/^event: complete\ndata: (.*)$/m)[1]);
    if (text === wanted && place.isConnected) show(JSON.parse(answer));
  };
  const want = () => {
    const text = box.value.trim();
    if (!text) { box.focus(); return; }
    if (text === wanted || box.readOnly) return;
    wanted = text;
    place.querySelector("ol")?.remove();
    word.textContent = "The search begins as soon as the page is complete …";
    ask(text).catch(() => {}); // then the page's own search is the first
  };

  const close = (real, focused) => {
    delete body.dataset.first;
    if (real && focused) { real.focus(); real.setSelectionRange(box.selectionStart, box.selectionEnd); }
    place.remove();
  };
  // A first list stays until the page has one, or says why not.
  const listed = () => document.querySelector("#cards .card") || ["done", "failed", "stopped"].includes(body.dataset.search);
  const over = (watcher) => {
    if (composing || !body.dataset.ready) return;
    watcher.disconnect();
    const real = document.querySelector("#query textarea"), focused = document.activeElement === box;
    if (real && box.value) {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(real, box.value);
      real.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    // After Gradio has taken the words over.
    if (wanted) setTimeout(() => document.querySelector("#find")?.click(), 0);
    if (!wanted || !place.querySelector("ol")) { close(real, focused); return; }
    box.readOnly = true;
    const look = new MutationObserver(() => { if (listed()) end(); });
    const end = () => { look.disconnect(); clearTimeout(timer); if (place.isConnected) close(real, document.activeElement === box); };
    const timer = setTimeout(end, 10000);
    look.observe(body, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-search"] });
  };
  const watcher = new MutationObserver(() => {
    // Before the page is painted in the place of a first list.
    if (body.dataset.ready && wanted && place.querySelector("ol")) body.dataset.first = "1";
    over(watcher);
  });
  watcher.observe(body, { attributes: true, attributeFilter: ["data-ready"] });
  box.addEventListener("compositionstart", () => { composing = true; });
  box.addEventListener("compositionend", () => { composing = false; over(watcher); });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    want();
  });
  place.addEventListener("submit", (event) => { event.preventDefault(); want(); });
})();
