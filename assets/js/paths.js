// Draws a tool's way from list to list: faint for the first of the final order, strong for the chosen one.
(() => {
  const FIRST = 5;
  const NS = "http://www.w3.org/2000/svg";
  let due = false, watcher = null;
  // One place per list, in their order; null where a list does not show the tool.
  const points = (track, lists, id) => {
    const origin = track.getBoundingClientRect();
    return lists.map((list) => {
      const row = list.querySelector(`li[data-tool="${CSS.escape(id)}"]`);
      if (!row?.checkVisibility()) return null;
      const box = row.getBoundingClientRect();
      return { left: box.left - origin.left + track.scrollLeft, right: box.right - origin.left + track.scrollLeft,
        y: box.top - origin.top + Math.min(13, box.height / 2) };
    });
  };
  // From a list to the next one only: past a list without the tool a line would cross its words.
  const way = (stops) => stops.slice(1).map((to, n) => {
    const from = stops[n];
    if (!from || !to) return "";
    const half = (to.left - from.right) / 2;
    return `M${from.right} ${from.y}C${from.right + half} ${from.y} ${to.left - half} ${to.y} ${to.left} ${to.y}`;
  }).join("");
  const draw = () => {
    due = false;
    const track = document.querySelector("#board .track");
    const final = track?.querySelector(".stage.last");
    track?.querySelector(".paths")?.remove();
    watcher.takeRecords();
    if (!final) return;
    // Its place is shown after it is filled, and changes its size with the window.
    if (sizes.board !== track.parentElement) { sizes.disconnect(); sizes.board = track.parentElement; sizes.observe(sizes.board); }
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("class", "paths");
    svg.setAttribute("aria-hidden", "true");
    const on = new Set([...track.querySelectorAll("li.lit, li.pinned")].map((row) => row.dataset.tool));
    const lists = [...track.querySelectorAll(".stage")].filter((stage) => stage.querySelector("li[data-tool]"));
    const first = [...final.querySelectorAll("li[data-tool]")].slice(0, FIRST).map((row) => row.dataset.tool);
    for (const id of new Set([...first, ...on])) {
      const path = document.createElementNS(NS, "path");
      path.setAttribute("d", way(points(track, lists, id)));
      path.dataset.path = id;
      path.classList.toggle("on", on.has(id));
      svg.append(path);
    }
    track.append(svg);
    // Its own changes are no reason to draw again.
    watcher.takeRecords();
  };
  const soon = () => { if (!due) { due = true; requestAnimationFrame(draw); } };
  window.addEventListener("scanscout:light", soon);
  const sizes = new ResizeObserver(soon);
  document.addEventListener("scroll", (event) => { if (event.target.matches?.("#board .track")) soon(); }, true);
  document.addEventListener("toggle", (event) => { if (event.target.closest?.("#board")) soon(); }, true);
  document.addEventListener("click", soon);
  // Gradio may take the lines away with a board that it brings up to date: they are drawn anew then. It
  // changes the board in place, so that a column becomes the final one by its class alone.
  watcher = new MutationObserver((changes) => { if (changes.some((one) => one.target.closest?.("#board"))) soon(); });
  watcher.observe(document.documentElement, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
})();
