// Which nodes of a graph are shown around one of them, and where; numbers are units of the canvas.
window.scanscoutNear = (() => {
  const MOST = 15; // nodes whose names fit whole into a canvas of 1,360 by 600
  const CONCEPTS = 5, INTO = 4; // so that one kind of neighbour leaves room for the others
  const HIGH = 74, WIDE = 290, ROWS = 7, STACKED = 92; // stacked names have three lines at most
  const NARROW = 700; // pixels of a canvas that holds two names beside each other, not four
  const ORDER = ["requires_tool", "compatible_with", "co_used_with", "performs", "applies_to", "images", "accepts", "produces",
    "part_of", "associated_with", "is_a", "member_of", "same_domain"];
  const at = (kind) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);

  const linked = ({ nodes, edges }) => {
    const beside = new Map(nodes.map((n) => [n.id, new Map()]));
    const join = (from, to, edge, into) => {
      const links = beside.get(from);
      if (links && (!links.has(to) || at(edge.kind) < at(links.get(to).kind))) links.set(to, { kind: edge.kind, into });
    };
    edges.forEach((edge) => { join(edge.from, edge.to, edge, false); join(edge.to, edge.from, edge, true); });
    return beside;
  };
  const isTool = (node) => node.kind === "tool";

  // The neighbours of a node that are not shown yet, the closest first: stated links, then shared
  // terms, then the tools that share most of the terms.
  const around = (value, id, taken, most) => {
    const beside = linked(value), byId = new Map(value.nodes.map((n) => [n.id, n]));
    const place = new Map(value.nodes.map((n, k) => [n.id, (n.look === "final" ? 0 : 1000) + k]));
    const near = [...(beside.get(id) || [])].filter(([other]) => byId.has(other) && !taken.has(other))
      .sort(([a, one], [b, other]) => at(one.kind) - at(other.kind) || place.get(a) - place.get(b));
    const chosen = [], left = [];
    let concepts = 0, into = 0;
    near.forEach(([other, link]) => {
      const spare = isTool(byId.get(other)) ? !link.into || (into += 1) <= INTO : (concepts += 1) <= CONCEPTS;
      (spare ? chosen : left).push({ id: other, into: link.into && isTool(byId.get(other)) });
    });
    const shared = new Map();
    near.filter(([other]) => !isTool(byId.get(other))).forEach(([term]) => {
      for (const other of beside.get(term).keys()) {
        if (other !== id && !taken.has(other) && !beside.get(id).has(other) && isTool(byId.get(other))) shared.set(other, (shared.get(other) || 0) + 1);
      }
    });
    const further = [...shared].sort(([a, m], [b, n]) => n - m || place.get(a) - place.get(b)).map(([other]) => ({ id: other, into: false }));
    const finals = further.filter((one) => byId.get(one.id).look === "final");
    return [...chosen, ...finals, ...left, ...further.filter((one) => !finals.includes(one))].slice(0, most);
  };

  const column = (ids, x, places, rows) => {
    const columns = Math.ceil(ids.length / rows), each = Math.ceil(ids.length / (columns || 1));
    ids.forEach((id, k) => {
      const here = Math.min(each, ids.length - Math.floor(k / each) * each);
      // Names of one or two lines: a short column may stand wider apart.
      const high = HIGH * (here <= rows / 2 ? 1.35 : 1);
      places.set(id, [x + Math.floor(k / each) * WIDE, ((k % each) - (here - 1) / 2) * high]);
    });
    return x + columns * WIDE;
  };
  const stacked = (ids, top, places) => {
    ids.forEach((id, k) => {
      const alone = k === ids.length - 1 && k % 2 === 0;
      places.set(id, [alone ? 0 : (k % 2 ? 116 : -116), top + Math.floor(k / 2) * STACKED]);
    });
    return top + Math.ceil(ids.length / 2) * STACKED;
  };

  // Places around a node: what needs it to the left, terms and further tools to the right; one
  // above the other where the canvas is narrow.
  const begin = (value, id, width) => {
    const byId = new Map(value.nodes.map((n) => [n.id, n])), places = new Map();
    const found = around(value, id, new Set([id]), MOST - 1);
    const groups = [found.filter((n) => n.into), [{ id }], found.filter((n) => !n.into && !isTool(byId.get(n.id))),
      found.filter((n) => !n.into && isTool(byId.get(n.id)))].map((group) => group.map((n) => n.id));
    if (width < NARROW) {
      const [into, self, terms, tools] = groups;
      [self, terms, tools, into].reduce((top, ids) => stacked(ids, top, places), 0);
    } else {
      groups.filter((ids) => ids.length).reduce((x, ids) => column(ids, x, places, ROWS), 0);
    }
    return places;
  };
  // The neighbours of one more node, beside (or below) what is there.
  const widen = (value, places, id, width) => {
    const added = around(value, id, new Set(places.keys()), MOST - 1).map((n) => n.id);
    const here = [...places.values()];
    if (width < NARROW) stacked(added, Math.max(...here.map(([, y]) => y)) + HIGH, places);
    else column(added, Math.max(...here.map(([x]) => x)) + WIDE, places, ROWS + 2);
    return added.length;
  };
  return { begin, widen };
})();
