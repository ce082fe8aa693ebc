// How nodes and links look, and what is said of them.
window.scanscoutLooks = (() => {
  // Asking the browser for a colour is slow; one drawing asks for each of them once.
  let colours = new Map();
  const css = (name) => {
    if (!colours.has(name)) colours.set(name, getComputedStyle(document.body).getPropertyValue(name).trim());
    return colours.get(name);
  };
  const paint = (fill, edge) => ({ background: fill, border: edge,
    highlight: { background: fill, border: css("--ss-focus") }, hover: { background: fill, border: css("--ss-focus") } });
  // The canvas knows no font of the page by itself.
  const font = (ink) => ({ color: ink, size: 15, face: getComputedStyle(document.querySelector(".gradio-container")).fontFamily });
  const box = (fill, edge, ink) => ({ shape: "box", color: paint(fill, edge), font: font(ink), shapeProperties: { borderRadius: parseFloat(css("--r1")) } });
  const node = ({ look }) => {
    const kinds = {
      final: box(css("--ss-accent-fill"), css("--ss-accent-fill"), css("--ss-on-accent")),
      seed: box(css("--ss-card"), css("--ss-seed"), css("--ss-ink")),
      added: box(css("--ss-card"), css("--ss-added"), css("--ss-ink")),
      concept: { shape: "ellipse", color: paint(css("--ss-concept"), css("--ss-concept-edge")), font: font(css("--ss-ink")) },
    };
    const plain = kinds[look] || { ...kinds.seed, shapeProperties: { ...kinds.seed.shapeProperties, borderDashes: [3, 3] } };
    return { ...plain, widthConstraint: { maximum: 190 } };
  };
  const dashes = { requires_tool: false, compatible_with: [8, 4], co_used_with: [2, 4], same_domain: [1, 6] };
  const line = ({ kind }) => {
    const strong = kind === "requires_tool";
    return { color: { color: css(strong ? "--ss-require" : "--ss-edge"), highlight: css("--ss-focus"), hover: css("--ss-focus"), opacity: strong ? 0.7 : 0.45 },
      width: strong ? 1.8 : 1.2, dashes: dashes[kind] ?? false, arrows: { to: { enabled: strong, scaleFactor: 0.5 } } };
  };
  return { css, node, line, fresh() { colours = new Map(); } };
})();
