// The page beyond Gradio: same tool everywhere, link in the address bar, downloads, readiness.
(() => {
  const rooms = window.scanscoutRooms;
  const mark = (id, on, name) => {
    if (!id) return;
    document.querySelectorAll(`[data-tool="${CSS.escape(id)}"]`).forEach((node) => node.classList.toggle(name, on));
  };
  let lit = null;
  const light = (id) => {
    if (id === lit) return;
    mark(lit, false, "lit");
    mark(id, true, "lit");
    lit = id;
    window.dispatchEvent(new CustomEvent("scanscout:light", { detail: id }));
  };
  window.scanscoutLight = light;
  const toolOf = (event) => event.target.closest && event.target.closest("[data-tool]");
  const enter = (event) => { const node = toolOf(event); light(node ? node.dataset.tool : null); };
  document.addEventListener("pointerover", enter);
  document.addEventListener("focusin", enter);
  document.addEventListener("pointerleave", () => light(null));
  document.addEventListener("focusout", (event) => { if (!event.relatedTarget) light(null); });

  let pinned = null, announced = null;
  const announce = () => {
    announced = pinned;
    window.dispatchEvent(new CustomEvent("scanscout:pin", { detail: pinned }));
  };
  // A first list may begin with another tool than the final one: the graph, still of the search
  // before, waits for that and keeps its place.
  const pin = (id, isEarly = false) => {
    mark(pinned, false, "pinned");
    pinned = id;
    mark(id, true, "pinned");
    window.scanscoutPinned = id;
    if (!isEarly) announce();
  };
  let wanted = null, early; // early: the tool chosen in a list that is not yet final
  const choose = (id) => {
    wanted = id;
    if (document.querySelector("#cards [data-left]")) early = id;
    pin(id);
    // In the catalog the address is a link to the tool.
    const here = document.querySelector("#browselist") ? `?tool=${encodeURIComponent(id)}` : location.search;
    history.replaceState({ ...history.state, tool: id }, "", location.pathname + here);
    rooms.mirror(window);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest('[data-act="select"]');
    if (button) choose(button.dataset.id);
  });
  window.addEventListener("scanscout:select", (event) => choose(event.detail));
  window.addEventListener("scanscout:again", (event) => choose(event.detail));

  const save = ({ name, type, text }) => {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = Object.assign(document.createElement("a"), { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 2000);
  };
  // Every search is a step of the browser's history; one that a link or a step began is that step.
  let shown = null;
  const step = (link) => {
    const began = shown === null && location.search !== "";
    const tool = early;
    [shown, early] = [link, undefined];
    if (location.search === link) return;
    const here = location.pathname + link;
    if (began || link === "") history.replaceState(history.state, "", here);
    else if (history.state?.scanscout === "drawer") history.replaceState({ ...history.state, scanscout: "search", tool }, "", here);
    else history.pushState({ ...history.state, scanscout: "search", tool }, "", here);
    rooms.mirror(window);
  };
  const visit = () => {
    if (shown === null || location.search === shown) return;
    shown = location.search;
    if (shown === "") window.dispatchEvent(new CustomEvent("scanscout:home"));
    else window.dispatchEvent(new CustomEvent("scanscout:visit", { detail: shown }));
  };
  window.addEventListener("popstate", () => {
    if (rooms.away()) return;
    rooms.mirror(window);
    visit();
  });
  // Another room leads here, or back to the beginning: a step as well.
  const lead = (link) => {
    shown ??= "";
    if (location.search !== link) history.pushState({ scanscout: "search" }, "", location.pathname + link);
    rooms.mirror(window);
    visit();
  };
  window.scanscoutVisit = lead;
  window.scanscoutHome = () => lead("");
  // The tool that was looked at belongs to the step: it is on show again after a way back.
  const again = () => {
    const id = history.state?.tool, first = document.querySelector("#detail .detail[data-tool]")?.dataset.tool;
    if (id && id !== first) window.dispatchEvent(new CustomEvent("scanscout:again", { detail: id }));
  };
  window.addEventListener("scanscout:bus", (event) => {
    const told = event.detail || {};
    if (typeof told.link === "string") { step(told.link); setTimeout(again, 0); }
    if (told.answer) document.body.dataset.answer = told.answer;
    if (told.file) save(told.file);
  });

  const say = (text) => {
    const place = document.querySelector("#status .status p");
    if (place) place.textContent = text;
    window.dispatchEvent(new CustomEvent("scanscout:said"));
  };
  // For a screen reader alone: what is seen of it stands elsewhere, and the status line keeps its width.
  const speak = (text) => {
    const status = document.querySelector("#status .status");
    status?.querySelector(":scope > .sr")?.remove();
    status?.append(Object.assign(document.createElement("span"), { className: "sr", textContent: text }));
    window.dispatchEvent(new CustomEvent("scanscout:said"));
  };
  const linked = async (button, address) => {
    const label = button.dataset.label ??= button.textContent;
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = label; }, 2500);
    } catch {
      window.prompt("Copy this link", address);
    }
  };
  const copy = async () => {
    await linked(document.querySelector("#copylink"), location.href);
    const lost = document.querySelector("#cards [data-unlinked]")?.dataset.unlinked;
    if (lost) say(`Link copied. It does not hold ${lost}.`);
    else speak("Link copied. It brings this list in this order.");
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest("#copylink")) copy();
    // A button of the tray stands for one of the page.
    const other = event.target.closest("[data-press]")?.dataset.press;
    if (other) document.getElementById(other)?.click();
  });
  const take = async (button) => {
    const text = button.closest("section, .take")?.querySelector("pre");
    if (!text) return;
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Marked: press Ctrl+C";
    }
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) take(button);
    const other = event.target.closest("[data-link]");
    if (other) linked(other, new URL(other.dataset.link, document.baseURI).href);
  });

  // A link to "#..." would leave the route: the address of the page's base is another.
  document.addEventListener("click", (event) => {
    const part = document.getElementById(event.target.closest("[data-goto]")?.dataset.goto);
    if (!part) return;
    const place = part.querySelector("h2") || part;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.scrollIntoView({ block: place === part ? "center" : "start" });
    place.focus({ preventScroll: true });
  });

  const said = () => document.querySelector("#status .status")?.outerHTML;
  const queued = () => {
    const before = said();
    if (!document.querySelector("#query textarea")?.value.trim()) return;
    setTimeout(() => { if (said() === before) say("Waiting for a free place …"); }, 900);
  };
  document.addEventListener("click", (event) => { if (event.target.closest("#find")) queued(); });

  const chosen = () => {
    const held = (document.querySelector("#chosen .chosen")?.dataset.chosen || "").split(" ");
    document.querySelectorAll('#cards [data-act="choose"], #detail [data-act="choose"]').forEach((button) => {
      button.setAttribute("aria-pressed", String(held.includes(button.dataset.id)));
    });
  };
  // How many stages the first list still waits for.
  const countdown = (busy) => {
    const place = document.querySelector("#cards [data-left]");
    if (!place) return;
    const left = document.querySelectorAll("#board .stage.pending").length;
    const words = left ? `${left} stage${left === 1 ? "" : "s"} to go` : place.textContent;
    const now = busy ? words : "the search ended before its last stage";
    if (place.textContent !== now) place.textContent = now;
  };
  const settle = () => {
    chosen();
    const state = document.querySelector("#status .status")?.dataset.state || "idle";
    if (document.body.dataset.search !== state) document.body.dataset.search = state;
    const busy = state === "running";
    if (state === "stopped" || state === "failed") early = undefined;
    document.querySelector("#answer")?.setAttribute("aria-busy", String(busy));
    countdown(busy);
    const panel = document.querySelector("#detail .detail[data-tool]");
    if (panel && wanted && panel.dataset.tool === wanted) {
      wanted = null;
      if (document.body.dataset.sheet === "open") panel.querySelector("h2")?.focus({ preventScroll: true });
    }
    const isEarly = Boolean(document.querySelector("#cards [data-left]"));
    if (!wanted && panel && panel.dataset.tool !== pinned) pin(panel.dataset.tool, isEarly);
    else if (pinned !== announced && !isEarly) announce();
    // A list that was made anew knows nothing of it.
    if (document.querySelector(`[data-tool="${CSS.escape(pinned || "")}"]:not(.pinned)`)) mark(pinned, true, "pinned");
    const live = document.querySelector("#status");
    if (live && !live.hasAttribute("aria-live")) live.setAttribute("aria-live", "polite");
    if ((document.body.dataset.bus && document.querySelector("#find, #browse")) || document.querySelector("#about h1")) document.body.dataset.ready = "1";
  };
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; settle(); });
  };
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true, characterData: true });
  // The bus may get ready after the last change of the page itself.
  new MutationObserver(soon).observe(document.body, { attributes: true, attributeFilter: ["data-bus"] });
  document.addEventListener("DOMContentLoaded", soon);
  // This script may be there later than the whole page.
  soon();
})();
