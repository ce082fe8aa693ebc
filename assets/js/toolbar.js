// A row of buttons is one tab stop, in which arrow keys walk (the toolbar pattern of WAI-ARIA).
(() => {
  const WAYS = { ArrowRight: 1, ArrowLeft: -1 };
  const stops = (bar) => [...bar.querySelectorAll("button, summary")];
  const enter = (bar, stop) => stops(bar).forEach((one) => { one.tabIndex = one === stop ? 0 : -1; });
  // What came without a place in the order, because Python has written the row anew.
  const settle = () => document.querySelectorAll('[role="toolbar"]').forEach((bar) => {
    const listed = stops(bar);
    if (!listed.some((one) => one.tabIndex === 0 && one.hasAttribute("tabindex"))) enter(bar, listed[0]);
    else listed.filter((one) => !one.hasAttribute("tabindex")).forEach((one) => { one.tabIndex = -1; });
  });
  document.addEventListener("focusin", (event) => {
    const bar = event.target.closest('[role="toolbar"]');
    if (bar) enter(bar, event.target);
  });
  document.addEventListener("keydown", (event) => {
    const bar = event.target.closest?.('[role="toolbar"]');
    if (!bar || event.altKey || event.ctrlKey || event.metaKey) return;
    const seen = stops(bar).filter((one) => !one.disabled && one.checkVisibility());
    const last = seen.length - 1, at = seen.indexOf(event.target);
    const to = { Home: 0, End: last }[event.key] ?? (WAYS[event.key] ? (at + WAYS[event.key] + seen.length) % seen.length : -1);
    if (at < 0 || to < 0) return;
    event.preventDefault();
    seen[to].focus();
  });
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; settle(); });
  };
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true });
  soon();
})();
