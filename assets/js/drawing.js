// Draws the pyvis model with pyvis's own vis-network: the neighbourhood of one tool, then what is asked for.
(() => {
  const { css, node: lookOf, line, fresh } = window.scanscoutLooks;
  const { begin, widen } = window.scanscoutNear;
  const words = window.scanscoutEdges;
  const many = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const SMALL = 15; // a graph of so few nodes is shown whole
  window.scanscoutMoved = window.scanscoutMoved || {};
  const options = {
    physics: false,
    layout: { improvedLayout: false },
    interaction: { hover: true, tooltipDelay: 120, zoomView: false, dragView: true, keyboard: false },
    nodes: { borderWidth: 1.5, margin: 7, chosen: true },
    edges: { selectionWidth: 1.5, hoverWidth: 0.8, smooth: { type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 } },
  };
  let state = null, own = null;
  const box = () => state.element.querySelector(".canvas");
  const width = () => box().clientWidth;
  const moved = () => window.scanscoutMoved;
  const shown = () => state.value.nodes.filter((n) => state.all || state.places.has(n.id));

  const placeOf = (n) => {
    const [x, y] = moved()[n.id] || (state.all ? n.far : state.places.get(n.id) || n.far);
    return { x, y, hidden: !state.all && !state.places.has(n.id) };
  };
  const dressed = (n) => {
    const look = lookOf(n), isCentre = n.id === state.centre;
    return { ...n, physics: false, title: `${n.label}: ${n.kind}, ${n.said}`, ...look, ...placeOf(n), borderWidth: isCentre ? 4 : 1.5,
      color: isCentre ? { ...look.color, border: css("--ss-focus") } : look.color };
  };
  const forget = () => Object.keys(moved()).forEach((id) => delete moved()[id]);
  const centred = (id) => {
    state.all = state.value.nodes.length <= SMALL;
    state.centre = id;
    state.places = begin(state.value, id, width());
  };
  const first = () => {
    const ids = new Set(state.value.nodes.map((n) => n.id)), pinned = window.scanscoutPinned;
    if (pinned && ids.has(pinned)) return pinned;
    const one = state.value.nodes.find((n) => n.look === "final") || state.value.nodes.find((n) => n.kind === "tool");
    return (one || state.value.nodes[0])?.id;
  };
  function tell(missing = "") {
    const total = state.value.nodes.length, number = shown().length;
    const button = state.element.querySelector('[data-graph="all"]');
    button.hidden = total <= SMALL;
    button.textContent = state.all ? "Show the neighbours" : `Show all ${total}`;
    button.setAttribute("aria-pressed", String(state.all));
    state.element.querySelector(".shown").textContent = missing ? `No node matches "${missing}"`
      : `${number} of ${many(total, "node")} shown, ${many(state.value.edges.length, "link")} in all`;
  }
  const whole = () => state.net.fit({ nodes: shown().map((n) => n.id), animation: false });
  function fit() {
    whole();
    // What cannot be read at that size begins at the selected tool.
    if (state.net.getScale() >= 0.5 || !state.all) return;
    const at = state.net.getPositions([state.centre])[state.centre];
    if (at) state.net.moveTo({ position: { x: at.x + 170, y: at.y }, scale: 0.6, animation: false });
  }
  function redress() {
    if (!state?.net) return;
    fresh();
    state.nodes.update(state.value.nodes.map(dressed));
    state.edges.update(state.edges.get().map((e) => ({ id: e.id, ...line(e) })));
    tell();
  }
  const read = (lines) => words.say(state.element.querySelector(".rests"), lines);
  // A node's own links, and what it requires as far as that goes on.
  function pick(id) {
    const node = id && state.nodes.get(id);
    if (!node || node.hidden) { state.net.unselectAll(); return; }
    const chain = [id], lit = new Set(state.net.getConnectedEdges(id));
    for (const one of chain) {
      for (const edge of state.edges.get({ filter: (e) => e.from === one && e.kind === "requires_tool" })) {
        lit.add(edge.id);
        if (!chain.includes(edge.to)) chain.push(edge.to);
      }
    }
    state.net.setSelection({ nodes: chain, edges: [...lit] }, { highlightEdges: false });
  }
  function walkTo(id) {
    state.cursor = id;
    pick(id);
    read(words.around(state.value, id));
    const { x, y } = state.net.canvasToDOM(state.net.getPositions([id])[id]);
    const { clientWidth, clientHeight } = box();
    if (x < 60 || y < 30 || x > clientWidth - 60 || y > clientHeight - 30) state.net.moveTo({ position: state.net.getPositions([id])[id], animation: false });
  }
  // A click shows what a node is linked to; of a tool it opens the detail as well.
  function press(id) {
    const node = state.value.nodes.find((n) => n.id === id);
    if (!state.all && widen(state.value, state.places, id, width())) {
      redress();
      fit();
    }
    walkTo(id);
    if (node.kind !== "tool") return;
    own = id;
    window.dispatchEvent(new CustomEvent("scanscout:select", { detail: id }));
  }
  function step([dx, dy]) {
    const at = state.net.getPositions(shown().map((n) => n.id));
    const here = state.cursor in at ? state.cursor : state.centre in at ? state.centre : shown()[0]?.id;
    const linked = new Set(state.net.getConnectedNodes(here));
    const cost = ([id, p]) => {
      const x = p.x - at[here].x, y = p.y - at[here].y, along = x * dx + y * dy;
      // Straight on before aside; a linked node counts as half as far.
      return along < 8 ? Infinity : (along + 2 * Math.abs(x * dy - y * dx)) * (linked.has(id) ? 0.5 : 1);
    };
    const [next] = Object.entries(at).filter(([id]) => id !== here).sort((a, b) => cost(a) - cost(b));
    if (next && cost(next) < Infinity) walkTo(next[0]);
    else walkTo(here);
  }
  const acts = {
    all() { state.all = !state.all; forget(); if (!state.all) centred(state.centre); redress(); fit(); },
    in() { state.net.moveTo({ scale: state.net.getScale() * 1.3 }); },
    out() { state.net.moveTo({ scale: state.net.getScale() / 1.3 }); },
    fit: whole,
    png() { window.scanscoutPicture(state.element, state.net, css); },
    html() { window.scanscoutSaveGraph(state); },
  };
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const keyed = (event) => {
    if (WAYS[event.key]) step(WAYS[event.key]);
    else if (event.key === "Enter" && state.cursor) press(state.cursor);
    else if (event.key === "+") acts.in();
    else if (event.key === "-") acts.out();
    else return;
    event.preventDefault();
  };
  // One finger scrolls the page, two move and zoom the picture, a tap is a click.
  function fingers(place) {
    let before = null, touch = false;
    const both = ({ touches: [a, b] }) => ({ x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) });
    const away = (event) => { touch = event.pointerType === "touch"; if (touch) event.stopPropagation(); };
    place.addEventListener("pointerdown", away, true);
    place.addEventListener("touchstart", (event) => { before = event.touches.length === 2 ? both(event) : null; event.stopPropagation(); }, { capture: true, passive: true });
    place.addEventListener("touchmove", (event) => {
      event.stopPropagation();
      if (event.touches.length !== 2 || !before) return;
      event.preventDefault();
      const now = both(event), scale = state.net.getScale(), at = state.net.getViewPosition();
      state.touched = true;
      state.net.moveTo({ scale: scale * (now.apart / (before.apart || now.apart)), animation: false,
        position: { x: at.x - (now.x - before.x) / scale, y: at.y - (now.y - before.y) / scale } });
      before = now;
    }, { capture: true, passive: false });
    place.addEventListener("click", (event) => {
      if (!touch) return;
      const { left, top } = place.getBoundingClientRect();
      const id = state.net.getNodeAt({ x: event.clientX - left, y: event.clientY - top });
      if (id !== undefined) press(id);
    }, true);
  }
  function wire() {
    const { net } = state, place = box();
    net.on("click", ({ nodes, edges }) => {
      net.setOptions({ interaction: { zoomView: true } });
      if (nodes.length) press(nodes[0]);
      else if (edges.length) read(edges.map((id) => words.sentence(state.edges.get(id), words.labelsOf(state.value))));
    });
    net.on("zoom", () => { state.touched = true; });
    net.on("dragStart", ({ nodes, pointer }) => {
      state.touched = true;
      const under = net.getNodeAt(pointer.DOM);
      state.dragged = under === undefined ? nodes : [under];
    });
    net.on("dragEnd", () => {
      const at = net.getPositions(state.dragged);
      for (const id of state.dragged || []) {
        moved()[id] = [at[id].x, at[id].y];
        state.nodes.update({ id, x: at[id].x, y: at[id].y });
      }
      state.dragged = null;
    });
    const light = (id) => window.scanscoutLight && window.scanscoutLight(id);
    net.on("hoverNode", ({ node }) => light(node));
    net.on("blurNode", () => light(null));
    place.addEventListener("pointerleave", () => {
      net.setOptions({ interaction: { zoomView: false } });
      place.querySelectorAll(".vis-tooltip").forEach((tip) => { tip.style.visibility = "hidden"; });
    });
    // One tab stop, which has keys.
    net.canvas.frame.tabIndex = -1;
    place.addEventListener("keydown", keyed);
    fingers(place);
    state.element.addEventListener("click", (event) => {
      const button = event.target.closest("[data-graph]");
      if (button) acts[button.dataset.graph]();
    });
    state.element.addEventListener("input", (event) => {
      const text = event.target.value.trim().toLowerCase();
      const found = text ? state.value.nodes.filter((n) => `${n.label}: ${n.kind}`.toLowerCase().includes(text)).map((n) => n.id) : [];
      if (found.length && !shown().some((n) => found.includes(n.id))) { state.all = true; redress(); }
      const here = shown().filter((n) => found.includes(n.id)).map((n) => n.id);
      net.selectNodes(here.slice(0, 40));
      tell(found.length ? "" : text);
      if (here.length) net.focus(here[0], { scale: Math.max(0.9, net.getScale()), animation: false });
    });
    window.addEventListener("scanscout:light", (event) => { if (!state.dragged) pick(event.detail); });
    window.addEventListener("scanscout:pin", (event) => turn(event.detail));
    // The first drawing may come before the page has given the canvas its size.
    new ResizeObserver(() => {
      if (state.touched) return;
      net.setSize("100%", "100%");
      net.redraw();
      fit();
    }).observe(place);
    new MutationObserver(redress).observe(document.body, { attributes: true, attributeFilter: ["class"] });
  }
  // Another tool was selected, elsewhere than in this picture.
  function turn(id) {
    if (id === own) { own = null; return; }
    if (id === state.centre || !state.value.nodes.some((n) => n.id === id)) return;
    forget();
    centred(id);
    redress();
    fit();
    read(words.around(state.value, id));
  }
  window.scanscoutDraw = (given) => {
    state = given;
    fresh();
    const centre = first();
    if (centre !== state.centre) forget();
    Object.assign(state, { touched: false, cursor: null });
    centred(centre);
    const labels = words.labelsOf(state.value);
    const edges = state.value.edges.map((e, n) => ({ ...e, id: `${n}:${e.from} ${e.kind} ${e.to}`, title: words.sentence(e, labels), ...line(e) }));
    const data = { nodes: new vis.DataSet(state.value.nodes.map(dressed)), edges: new vis.DataSet(edges) };
    Object.assign(state, data);
    if (state.net) state.net.setData(data);
    else { state.net = new vis.Network(box(), data, options); wire(); }
    read(centre ? words.around(state.value, centre) : []);
    requestAnimationFrame(() => { state.net.setSize("100%", "100%"); state.net.redraw(); fit(); tell(); });
  };
})();
