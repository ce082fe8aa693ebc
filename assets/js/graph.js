// Runs inside the graph component. What draws it is a third of the page: it is loaded when the
// graph comes near the window.
const state = { net: null, nodes: null, edges: null, drawn: null, element };
window.scanscoutGraph = state;
state.current = () => !state.near || state.drawn === props.value;
const NEEDED = ["vis-network.min.js", "near.js", "looks.js", "edges.js", "picture.js", "saved.js", "drawing.js"];
const many = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const fetches = new Map();
const one = (name) => {
  const src = `scanscout/${name}`, there = document.querySelector(`script[src="${src}"]`);
  return new Promise((done, failed) => {
    // In their order, because the last one uses the others.
    const script = there || Object.assign(document.createElement("script"), { src, async: false });
    if (there?.dataset.done) { done(); return; }
    script.addEventListener("load", () => { script.dataset.done = "1"; done(); });
    script.addEventListener("error", failed);
    if (!there) document.head.append(script);
  });
};
const fetched = (names) => Promise.all(names.map((name) => {
  // A lost connection is no reason never to ask again.
  if (!fetches.has(name)) fetches.set(name, one(name).catch((error) => { fetches.delete(name); throw error; }));
  return fetches.get(name);
}));
// On a phone the table below the picture is open: names need more room than there is.
const table = element.querySelector(".graphtable"), narrow = window.matchMedia("(max-width: 900px)");
const place = () => { table.open = narrow.matches; };
place();
narrow.addEventListener("change", place);
const tabled = () => {
  const { nodes, edges } = state.value;
  table.hidden = !nodes.length;
  table.querySelector("summary").textContent = `As a table: ${many(nodes.length, "node")}, ${many(edges.length, "link")}`;
  // Its rows are hundreds: they are made when the table is open, and near the window.
  if (table.open && state.near) fetched(["edges.js"]).then(() => window.scanscoutEdges.fill(table, state.value));
};
table.addEventListener("toggle", () => { if (state.value) tabled(); });
async function draw() {
  // As text it is sent as it is; of an object Gradio sends what differs and changes the old one.
  const given = props.value, value = typeof given === "string" ? JSON.parse(given) : given;
  if (!value || !value.nodes) { setTimeout(draw, 60); return; }
  state.value = value;
  tabled();
  if (!state.near) return;
  await fetched(NEEDED);
  if (given !== props.value) return;
  state.drawn = given;
  if (value.nodes.length || state.net) window.scanscoutDraw(state);
}
// What came with the graph is painted first: a drawing takes longer than all of it.
let due = false;
const begin = () => { due = false; draw(); };
watch("value", () => {
  if (due) return;
  due = true;
  if (window.requestIdleCallback) { requestIdleCallback(begin, { timeout: 200 }); } else { setTimeout(begin, 50); }
});
draw();
new IntersectionObserver((seen, watcher) => {
  if (!seen.some((one) => one.isIntersecting)) return;
  watcher.disconnect();
  state.near = true;
  draw();
}, { rootMargin: "600px" }).observe(element);
