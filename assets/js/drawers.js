// The drawers beside the chips are sheets on a phone: the way back closes them, and so does a search.
(() => {
  const narrow = () => window.matchMedia("(max-width: 900px)").matches;
  const HEAD = "#line > .gr-accordion > .label-wrap";
  const open = () => (narrow() ? document.querySelector(`${HEAD}.open`) : null);
  const isStep = () => history.state?.scanscout === "drawer";
  let searching = false;
  const fold = () => {
    const head = open();
    head?.click();
    head?.focus({ preventScroll: true });
  };
  const leave = () => { if (isStep()) history.back(); else fold(); };
  window.addEventListener("popstate", () => { if (!isStep()) fold(); });
  document.addEventListener("click", (event) => {
    if (event.target === document.body && open()) { leave(); return; }
    if (!narrow() || !event.target.closest(HEAD)) return;
    // Once Gradio has opened or closed it.
    setTimeout(() => {
      if (open() && !isStep()) history.pushState({ ...history.state, scanscout: "drawer" }, "");
      else if (!open() && isStep() && !searching) history.back();
      searching = false;
    }, 0);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && open()) leave(); });
  // The step of a drawer becomes that of the search which is begun from it (step in page.js).
  new MutationObserver(() => {
    if (!document.body.dataset.busy || !open()) return;
    searching = true;
    fold();
  }).observe(document.body, { attributes: true, attributeFilter: ["data-busy"] });
})();
