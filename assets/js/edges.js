// The links of a graph in words: what each says, what it rests on, and all of them as a table.
window.scanscoutEdges = (() => {
  const SAYS = { requires_tool: "requires", compatible_with: "works with", co_used_with: "is used together with", same_domain: "resembles",
    part_of: "is part of", performs: "performs", applies_to: "is for", images: "works on", accepts: "reads", produces: "writes",
    member_of: "belongs to", associated_with: "has to do with", is_a: "is a kind of" };
  const RESTS = { record: "stated in its record", text: "in its name or description", near: "both records share facts of one domain",
    terms: "from the vocabulary of terms" };
  // Words of a description may say what a tool needs, or does not do: they mention a thing, no more.
  const says = ({ kind, rests }) => rests === "text" ? "mentions" : SAYS[kind] || kind.replaceAll("_", " ");
  const rests = (edge) => RESTS[edge.rests] || "stated in the graph";
  const sentence = (edge, labels) => `${labels.get(edge.from) ?? edge.from} ${says(edge)} ${labels.get(edge.to) ?? edge.to}: ${rests(edge)}`;
  const labelsOf = ({ nodes }) => new Map(nodes.map((n) => [n.id, n.label]));
  const MOST = 6; // links that are read out for one node; the table has all
  const around = (value, id) => {
    const labels = labelsOf(value), node = value.nodes.find((n) => n.id === id);
    const links = value.edges.filter((e) => e.from === id || e.to === id);
    const more = links.length > MOST ? [`and ${links.length - MOST} more, in the table`] : [];
    return [`${node.label}: ${node.kind}, ${node.said}`, ...links.slice(0, MOST).map((edge) => sentence(edge, labels)), ...more];
  };

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
  const fill = (table, value) => {
    const labels = labelsOf(value);
    const links = value.edges.map((e) => row({ "data-source": e.from, "data-kind": e.kind, "data-target": e.to },
      [labels.get(e.from) ?? e.from, says(e), labels.get(e.to) ?? e.to, rests(e)]));
    table.querySelectorAll(".wide").forEach((old) => old.remove());
    table.append(sheet("Links", ["From", "Link", "To", "Rests on"], links), sheet("Nodes", ["Node", "Kind", "Role"], value.nodes.map(named)));
  };
  const say = (place, lines) => place.replaceChildren(...lines.map((line) => made("li", {}, line)));
  return { sentence, labelsOf, around, fill, say };
})();
