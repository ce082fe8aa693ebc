// The drawers beside the chips: one is open at a time, and Escape or a search closes it. On a phone they
// are sheets, and the way back closes them as well.
(() => {
  const narrow = () => window.matchMedia("(max-width: 900px)").matches;
  const HEAD = "#line > .gr-accordion > .label-wrap";
  const opened = () => [...document.querySelectorAll(`${HEAD}.open`)];
  const open = () => opened()[0];
  const isStep = () => history.state?.scanscout === "drawer";
  let searching = false;
  const fold = () => {
    const head = open(), inside = head?.parentElement.contains(document.activeElement);
    head?.click();
    if (inside || narrow()) head?.focus({ preventScroll: true });
  };
  const leave = () => { if (isStep()) history.back(); else fold(); };
  window.addEventListener("popstate", () => { if (narrow() && !isStep()) fold(); });
  document.addEventListener("click", (event) => {
    if (narrow() && event.target === document.body && open()) { leave(); return; }
    const head = event.target.closest(HEAD);
    if (!head) return;
    // Once Gradio has opened or closed it.
    setTimeout(() => {
      if (head.classList.contains("open")) opened().forEach((other) => { if (other !== head) other.click(); });
      if (narrow() && open() && !isStep()) history.pushState({ ...history.state, scanscout: "drawer" }, "");
      else if (!open() && isStep() && !searching) history.back();
      searching = false;
    }, 0);
  });
  // Before Gradio closes the choices of a box, which is all that the key does there.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && open() && !event.target.matches('input[aria-expanded="true"]')) leave();
  }, true);
  // The step of a drawer becomes that of the search which is begun from it (step in page.js).
  new MutationObserver(() => {
    if (!document.body.dataset.busy || !open()) return;
    searching = true;
    fold();
  }).observe(document.body, { attributes: true, attributeFilter: ["data-busy"] });
})();
