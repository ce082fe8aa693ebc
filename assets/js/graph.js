// Runs inside the graph component: draws the pyvis model with pyvis's own vis-network.
const state = { net: null, dragged: null, nodes: null, edges: null, all: false, drawn: null, moved: window.scanscoutMoved || {} };
window.scanscoutMoved = state.moved;
window.scanscoutGraph = state;
state.current = () => !state.near || state.drawn === props.value;
const box = () => element.querySelector(".canvas");
// Asking the browser for a colour is slow; one drawing asks for each of them once.
let colours = new Map();
const css = (name) => {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.body).getPropertyValue(name).trim());
  return colours.get(name);
};

function look(node) {
  const paint = (fill, edge, text) => ({ background: fill, border: edge,
    highlight: { background: fill, border: css("--ss-focus") }, hover: { background: fill, border: css("--ss-focus") } });
  const kinds = {
    final: { shape: "box", color: paint(css("--ss-accent-fill"), css("--ss-accent-fill")), font: { color: css("--ss-on-accent"), size: 17 } },
    concept: { shape: "ellipse", color: paint(css("--ss-concept"), css("--ss-concept-edge")), font: { color: css("--ss-ink"), size: 16 } },
    seed: { shape: "dot", size: 8, color: paint(css("--ss-seed"), css("--ss-seed")), font: { color: css("--ss-soft"), size: 14, background: css("--ss-card") } },
    added: { shape: "diamond", size: 9, color: paint(css("--ss-added"), css("--ss-added")), font: { color: css("--ss-soft"), size: 14, background: css("--ss-card") } },
  };
  return kinds[node.look] || { ...kinds.seed, shapeProperties: { borderDashes: [3, 3] } };
}
const dashes = { requires_tool: false, compatible_with: [8, 4], co_used_with: [2, 4], same_domain: [1, 6] };
function line(edge) {
  const strong = edge.kind === "requires_tool";
  return { color: { color: strong ? css("--ss-require") : css("--ss-line"), highlight: css("--ss-focus"), hover: css("--ss-focus"),
    opacity: strong ? 0.45 : 1 },
    width: strong ? 1.6 : 1, dashes: dashes[edge.kind] ?? false,
    arrows: { to: { enabled: strong, scaleFactor: 0.5 } } };
}
function place(node) {
  const held = state.moved[node.id];
  const [x, y] = held || (state.all || !node.near ? node.far : node.near);
  return { x, y, hidden: !state.all && !node.near };
}
const LONGEST = 26;
const words = (kind) => kind.replaceAll("_", " ");
function dressed(value) {
  const nodes = value.nodes.map((n) => ({ ...n, physics: false, title: `${n.label}: ${n.kind}, ${n.said}`,
    label: n.label.length > LONGEST ? `${n.label.slice(0, LONGEST - 1)}…` : n.label, ...look(n), ...place(n) }));
  const edges = value.edges.map((e, n) => ({ ...e, id: `${n}:${e.from} ${e.kind} ${e.to}`, title: words(e.kind),
    smooth: { type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 }, ...line(e) }));
  return { nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) };
}
function made(tag, given, ...inside) {
  const node = document.createElement(tag);
  Object.entries(given).forEach(([name, value]) => node.setAttribute(name, value));
  node.append(...inside);
  return node;
}
const row = (given, cells) => made("tr", given, ...cells.map((cell) => made("td", {}, cell)));
function sheet(name, heads, rows) {
  const head = made("tr", {}, ...heads.map((text) => made("th", { scope: "col" }, text)));
  const table = made("table", {}, made("caption", {}, name), made("thead", {}, head), made("tbody", {}, ...rows));
  return made("div", { class: "wide", tabindex: 0, role: "group", "aria-label": name }, table);
}
function named(node) {
  if (node.kind !== "tool") return row({ "data-node": node.id }, [node.label, node.kind, node.said]);
  const button = made("button", { type: "button", class: "name", "data-act": "select", "data-id": node.id }, node.label);
  return row({ "data-node": node.id, "data-tool": node.id }, [button, node.kind, node.said]);
}
// The same data for keyboards, screen readers and phones.
function tabled({ nodes, edges }) {
  const table = element.querySelector(".graphtable");
  const labels = new Map(nodes.map((n) => [n.id, n.label]));
  const links = edges.map((e) => row({ "data-source": e.from, "data-kind": e.kind, "data-target": e.to },
    [labels.get(e.from) ?? e.from, words(e.kind), labels.get(e.to) ?? e.to]));
  table.hidden = !nodes.length;
  table.querySelector("summary").textContent = `Same data as a table: ${nodes.length} nodes, ${edges.length} links`;
  table.querySelectorAll(".wide").forEach((old) => old.remove());
  if (table.open) table.append(sheet("Links", ["From", "Link", "To"], links), sheet("Nodes", ["Node", "Kind", "Role"], nodes.map(named)));
}
const options = {
  physics: false,
  layout: { improvedLayout: false },
  interaction: { hover: true, tooltipDelay: 120, zoomView: false, dragView: true, keyboard: false, hideEdgesOnDrag: false },
  nodes: { borderWidth: 1.5, margin: 7, chosen: true, scaling: { label: { enabled: true, drawThreshold: 7 } } },
  edges: { selectionWidth: 1.5, hoverWidth: 0.8 },
};
function tell(missing = "") {
  const total = state.nodes.length;
  const shown = state.nodes.get().filter((n) => !n.hidden).length;
  const button = element.querySelector('[data-graph="all"]');
  button.hidden = total === state.nodes.get().filter((n) => n.near).length;
  button.textContent = state.all ? "Show the core" : `Show all ${total}`;
  button.setAttribute("aria-pressed", String(state.all));
  element.querySelector(".shown").textContent = missing ? `No node matches "${missing}"`
    : `${shown} of ${total} nodes shown, ${state.edges.length} links in all`;
}
function fit() {
  const shown = state.nodes.get().filter((n) => !n.hidden);
  state.net.fit({ nodes: shown.map((n) => n.id), animation: false });
  if (state.net.getScale() >= 0.5 || state.all) return;
  const first = shown.filter((n) => n.look === "final").map((n) => n.id);
  const at = Object.values(state.net.getPositions(first));
  const middle = at.reduce((sum, p) => sum + p.y, 0) / (at.length || 1);
  state.net.moveTo({ position: { x: (at[0]?.x || 0) + 170, y: middle }, scale: 0.52, animation: false });
}
// A tool's own links, and what it requires as far as that goes on.
function pick(id) {
  if (!id || !state.nodes.get(id)) return state.net.unselectAll();
  const chain = [id], lit = new Set(state.net.getConnectedEdges(id));
  for (const one of chain) {
    for (const edge of state.edges.get({ filter: (e) => e.from === one && e.kind === "requires_tool" })) {
      lit.add(edge.id);
      if (!chain.includes(edge.to)) chain.push(edge.to);
    }
  }
  state.net.setSelection({ nodes: chain, edges: [...lit] }, { highlightEdges: false });
}
function wire() {
  state.net.on("click", ({ nodes }) => {
    state.net.setOptions({ interaction: { zoomView: true } });
    const node = nodes.length ? state.nodes.get(nodes[0]) : null;
    if (node && node.kind === "tool") window.dispatchEvent(new CustomEvent("scanscout:select", { detail: node.id }));
  });
  state.net.on("zoom", () => { state.touched = true; });
  state.net.on("dragStart", ({ nodes, pointer }) => {
    state.touched = true;
    const under = state.net.getNodeAt(pointer.DOM);
    state.dragged = under === undefined ? nodes : [under];
  });
  state.net.on("dragEnd", () => {
    const at = state.net.getPositions(state.dragged);
    for (const id of state.dragged || []) {
      state.moved[id] = [at[id].x, at[id].y];
      state.nodes.update({ id, x: at[id].x, y: at[id].y });
    }
    state.dragged = null;
  });
  state.net.on("hoverNode", ({ node }) => window.scanscoutLight && window.scanscoutLight(node));
  state.net.on("blurNode", () => window.scanscoutLight && window.scanscoutLight(null));
  box().addEventListener("pointerleave", () => state.net.setOptions({ interaction: { zoomView: false } }));
}
// The drawing library is a third of the page: it is loaded when the graph comes near the window.
const LIBRARY = "scanscout/vis-network.min.js";
function fetched() {
  if (window.vis || document.querySelector(`script[src="${LIBRARY}"]`)) return;
  document.head.append(Object.assign(document.createElement("script"), { src: LIBRARY }));
}
function draw() {
  // As text it is sent as it is; of an object Gradio sends what differs and changes the old one.
  const value = typeof props.value === "string" ? JSON.parse(props.value) : props.value;
  if (!value || !value.nodes) { setTimeout(draw, 60); return; }
  if (!state.near) { tabled(value); state.value = value; return; }
  if (!window.vis) { fetched(); setTimeout(draw, 60); return; }
  state.drawn = props.value;
  if (!value.nodes.length && !state.net) { tabled(value); return; }
  colours = new Map();
  const data = dressed(value);
  Object.assign(state, data, { value, touched: false });
  tabled(value);
  if (state.net) { state.net.setData(data); } else { state.net = new vis.Network(box(), data, options); wire(); }
  requestAnimationFrame(() => { state.net.setSize("100%", "100%"); state.net.redraw(); fit(); tell(); });
}
// Its rows are hundreds: they are made when the table is opened.
element.querySelector(".graphtable").addEventListener("toggle", () => { if (state.value) tabled(state.value); });
function redress() {
  if (!state.net) return;
  colours = new Map();
  state.nodes.update(state.nodes.get().map((n) => ({ id: n.id, ...look(n), ...place(n) })));
  state.edges.update(state.edges.get().map((e) => ({ id: e.id, ...line(e) })));
}
const acts = {
  all() { state.all = !state.all; redress(); fit(); tell(); },
  in() { state.net.moveTo({ scale: state.net.getScale() * 1.3 }); },
  out() { state.net.moveTo({ scale: state.net.getScale() / 1.3 }); },
  fit,
  png() {
    const canvas = box().querySelector("canvas");
    const flat = document.createElement("canvas");
    flat.width = canvas.width; flat.height = canvas.height;
    const pen = flat.getContext("2d");
    pen.fillStyle = css("--ss-card"); pen.fillRect(0, 0, flat.width, flat.height); pen.drawImage(canvas, 0, 0);
    const link = Object.assign(document.createElement("a"), { href: flat.toDataURL("image/png"), download: "scanscout-graph.png" });
    link.click();
  },
};
acts.html = () => window.scanscoutSaveGraph(state);
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-graph]");
  if (button && state.net) acts[button.dataset.graph]();
});
element.addEventListener("input", (event) => {
  const words = event.target.value.trim().toLowerCase();
  if (!state.net) return;
  const found = words ? state.nodes.get().filter((n) => n.title.toLowerCase().includes(words)).map((n) => n.id) : [];
  if (found.length && !state.all && found.some((id) => state.nodes.get(id).hidden)) acts.all();
  state.net.selectNodes(found.slice(0, 40));
  tell(found.length ? "" : words);
  if (found.length) state.net.focus(found[0], { scale: Math.max(0.9, state.net.getScale()), animation: false });
});
window.addEventListener("scanscout:light", (event) => { if (state.net && !state.dragged) pick(event.detail); });
// The first drawing may come before the page has given the canvas its size.
new ResizeObserver(() => {
  if (!state.net || state.touched) return;
  state.net.setSize("100%", "100%");
  state.net.redraw();
  fit();
}).observe(box());
new MutationObserver(redress).observe(document.body, { attributes: true, attributeFilter: ["class"] });
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
