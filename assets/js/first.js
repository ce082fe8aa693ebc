// The search box before Gradio's is there: takes words at once, hands them over, and keeps a Find.
(() => {
  const form = document.getElementById("first"), box = form.querySelector("textarea"), word = form.querySelector("[role=status]");
  // A link to a search brings words of its own.
  if (location.search) { form.remove(); return; }
  // As Gradio will; its own script comes too late for the first paint.
  document.body.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
  let wanted = false, composing = false;
  const want = () => {
    if (!box.value.trim()) { box.focus(); return; }
    wanted = true;
    word.textContent = "The search begins as soon as the page is complete …";
  };
  const over = (watcher) => {
    if (composing || !document.body.dataset.ready) return;
    watcher.disconnect();
    const real = document.querySelector("#query textarea"), focused = document.activeElement === box;
    if (real && box.value) {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(real, box.value);
      real.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    if (real && focused) { real.focus(); real.setSelectionRange(box.selectionStart, box.selectionEnd); }
    form.remove();
    // After Gradio has taken the words over.
    if (wanted) setTimeout(() => document.querySelector("#find")?.click(), 0);
  };
  const watcher = new MutationObserver(() => over(watcher));
  watcher.observe(document.body, { attributes: true, attributeFilter: ["data-ready"] });
  box.addEventListener("compositionstart", () => { composing = true; });
  box.addEventListener("compositionend", () => { composing = false; over(watcher); });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    want();
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); want(); });
})();
