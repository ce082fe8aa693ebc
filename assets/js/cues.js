// A row that is wider than the window says so: it is marked while more of it stands beyond its edge.
(() => {
  const ROWS = "#line, #overview, #chosen .wide, .steprail";
  const SLACK = 4; // pixels that rounding may leave at the end
  const measure = (row) => row.toggleAttribute("data-more", row.scrollWidth - row.clientWidth - row.scrollLeft > SLACK);
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; document.querySelectorAll(ROWS).forEach(measure); });
  };
  document.addEventListener("scroll", (event) => { if (event.target.matches?.(ROWS)) soon(); }, true);
  window.addEventListener("resize", soon);
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true, characterData: true });
  soon();
})();
