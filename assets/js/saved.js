// Saves the graph on the page as one HTML file that holds its drawing library and opens without a network.
(() => {
  const VIS = "scanscout/vis-network.min.js";
  const COLOURS = ["--ss-bg", "--ss-card", "--ss-ink", "--ss-soft", "--ss-focus"];
  const inert = (value) => JSON.stringify(value).replace(/</g, "\\u003c").replace(/\u2028|\u2029/g, " ");
  const copied = (set, places) => set.get().map((one) => {
    const at = places && places[one.id];
    return at ? { ...one, x: at.x, y: at.y } : one;
  });
  // Runs in the saved file, not here.
  const drawn = (held) => {
    const box = document.getElementById("graph");
    const nodes = new vis.DataSet(held.nodes);
    const options = { physics: false, layout: { improvedLayout: false }, interaction: { hover: true, tooltipDelay: 120 },
      nodes: { borderWidth: 1.5, margin: 7 }, edges: { selectionWidth: 1.5 } };
    const net = new vis.Network(box, { nodes, edges: new vis.DataSet(held.edges) }, options);
    window.savedGraph = { net, nodes };
    net.once("afterDrawing", () => net.fit({ animation: false }));
    const list = document.getElementById("links");
    const label = (id) => (nodes.get(id) || { title: id }).title;
    held.edges.forEach((edge) => {
      const row = list.insertRow();
      [label(edge.from), edge.title, label(edge.to)].forEach((text) => { row.insertCell().textContent = text; });
    });
  };
  const sheet = () => {
    const style = getComputedStyle(document.body);
    const [bg, card, ink, soft] = COLOURS.map((name) => style.getPropertyValue(name).trim());
    return `body{margin:0;padding:16px;font:15px/1.5 system-ui,sans-serif;background:${bg};color:${ink}}`
      + `#graph{height:78vh;background:${card};border:1px solid ${soft};border-radius:12px}`
      + "table{border-collapse:collapse;font-size:14px}td,th{text-align:left;padding:4px 12px 4px 0}"
      + `div.vis-tooltip{position:absolute;visibility:hidden;padding:4px 8px;background:${ink};color:${card};border-radius:6px}`;
  };
  const page = (library, held) => [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>ScanScout knowledge graph</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${sheet()}</style></head><body><h1>Knowledge graph</h1>`,
    '<div id="graph" role="img" aria-label="Knowledge graph; the same links stand in the table below"></div>',
    `<details><summary>${held.edges.length} ${held.edges.length === 1 ? "link" : "links"} as a table</summary><table id="links">`,
    "<tr><th>From</th><th>Link</th><th>To</th></tr></table></details>",
    `<script>${library}</${"script>"}<script>(${drawn})(${inert(held)});</${"script>"}</body></html>`,
  ].join("\n");
  window.scanscoutSaveGraph = async (state) => {
    const library = (await (await fetch(VIS)).text()).replace(/<\/script/gi, "<\\/script");
    const held = { nodes: copied(state.nodes, state.net.getPositions()), edges: copied(state.edges) };
    const url = URL.createObjectURL(new Blob([page(library, held)], { type: "text/html" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: "scanscout-graph.html" });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 2000);
  };
})();
