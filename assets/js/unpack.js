// Runs at the end of the pack: the modules in it become scripts of the page without a request each.
window.scanscoutUnpack = (entry, sources, others) => {
  const head = document.head, base = (name) => new URL(`./assets/${name}`, document.baseURI).href;
  const start = (code) => head.append(Object.assign(document.createElement("script"), { type: "module", ...code }));
  // Without import maps (before Chrome 89, Safari 16.4) Gradio fetches its modules one by one.
  if (!HTMLScriptElement.supports?.("importmap")) { start({ src: base(entry) }); return; }
  const imports = {};
  Object.entries(sources).forEach(([name, source]) => {
    // A script of the page's own making knows no address of its own.
    const text = source.replaceAll("import.meta.url", JSON.stringify(base(name)));
    imports[base(name)] = imports[`scanscout:${name}`] = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  });
  others.forEach((name) => { imports[`scanscout:${name}`] = base(name); });
  head.append(Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports }) }));
  start({ textContent: `import "scanscout:${entry}";` });
};
// What Gradio's loader would fetch ahead of a module, it leaves out where a link names it already.
window.scanscoutPresent = (scripts, sheets) => {
  const link = (name, more) => Object.assign(document.createElement("link"), { href: new URL(`./assets/${name}`, document.baseURI).href, ...more });
  const off = (name) => { const one = link(name, { disabled: true }); one.setAttribute("disabled", ""); one.rel = "stylesheet"; return one; };
  document.head.append(...scripts.map((name) => link(name, {})), ...sheets.map(off));
};
