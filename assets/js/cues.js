// A row that is wider than the window says so: it is marked while more of it stands beyond its edge.
(() => {
  const ROWS = "#line, #overview, #chosen .wide, #scan .wide, .steprail";
  const SLACK = 4; // pixels that rounding may leave at the end
  const measure = (row) => {
    row.toggleAttribute("data-more", row.scrollWidth - row.clientWidth - row.scrollLeft > SLACK);
    if (row.id !== "line") return;
    // Of chips that are scrolled away their number stays at the edge, since they are in effect.
    const left = row.getBoundingClientRect().left;
    const gone = [...row.querySelectorAll("#chips .chip")].filter((chip) => chip.getBoundingClientRect().right < left + 20).length;
    if (gone) row.dataset.gone = `\u2039 ${gone}`;
    else delete row.dataset.gone;
  };
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
