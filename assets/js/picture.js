// Saves what the graph shows as a picture: title above, legend below, two pixels for one.
(() => {
  const SCALE = 2, MARGIN = 24, LINE = 26;
  const at = (net, times) => {
    const canvas = net.canvas.frame.canvas, { width, height } = canvas.parentElement.getBoundingClientRect();
    net.setSize(`${width * times}px`, `${height * times}px`);
    return canvas;
  };
  // The net is drawn larger for a moment; the browser paints nothing in between.
  const doubled = (net) => {
    const position = net.getViewPosition(), scale = net.getScale();
    const canvas = at(net, SCALE);
    net.moveTo({ position, scale: scale * SCALE, animation: false });
    net.redraw();
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    copy.getContext("2d").drawImage(canvas, 0, 0);
    net.setSize("100%", "100%");
    net.moveTo({ position, scale, animation: false });
    net.redraw();
    return copy;
  };
  const mark = (pen, kind, x, y, colour) => {
    const fills = { final: "--ss-accent-fill", seed: "--ss-card", added: "--ss-card", concept: "--ss-concept" };
    const edges = { final: "--ss-accent-fill", seed: "--ss-seed", added: "--ss-added", concept: "--ss-concept-edge" };
    pen.fillStyle = colour(fills[kind] || "--ss-card");
    pen.strokeStyle = colour(edges[kind] || "--ss-edge");
    pen.lineWidth = 2;
    pen.beginPath();
    if (kind === "concept") pen.ellipse(x + 16, y - 6, 16, 11, 0, 0, 7);
    else pen.roundRect(x, y - 17, 32, 22, parseFloat(colour("--r1")));
    pen.fill();
    pen.stroke();
  };
  const stroke = (pen, kind, x, y, colour) => {
    pen.strokeStyle = colour(kind === "requires" ? "--ss-require" : "--ss-edge");
    pen.setLineDash({ works: [8, 4], together: [2, 4] }[kind] || []);
    pen.lineWidth = kind === "requires" ? 4 : 2;
    pen.beginPath();
    pen.moveTo(x, y - 6);
    pen.lineTo(x + 34, y - 6);
    pen.stroke();
    pen.setLineDash([]);
  };
  const legend = (pen, marks, width, top, colour) => {
    let x = MARGIN, y = top + LINE;
    marks.forEach((item) => {
      const text = item.textContent.trim(), [, kind] = /(?:look|line)-(\w+)/.exec(item.innerHTML) || [];
      const room = pen.measureText(text).width + 80;
      if (x + room > width - MARGIN && x > MARGIN) { x = MARGIN; y += LINE + 8; }
      (item.innerHTML.includes("look-") ? mark : stroke)(pen, kind, x, y, colour);
      pen.fillStyle = colour("--ss-ink");
      pen.fillText(text, x + 44, y);
      x += room;
    });
    return y + MARGIN;
  };
  const FONT = "system-ui, sans-serif";
  window.scanscoutPicture = (element, net, colour) => {
    const drawing = doubled(net), head = 3 * LINE;
    const search = new URLSearchParams(location.search).get("q") || document.querySelector("#said .asked h2")?.textContent || "";
    const whole = Object.assign(document.createElement("canvas"), { width: drawing.width, height: drawing.height + head + 160 });
    const pen = whole.getContext("2d");
    const paper = (height) => { pen.fillStyle = colour("--ss-card"); pen.fillRect(0, 0, whole.width, height); };
    paper(whole.height);
    pen.drawImage(drawing, 0, head);
    pen.fillStyle = colour("--ss-ink");
    pen.font = `600 30px ${FONT}`;
    pen.fillText(`Knowledge graph${search ? `: ${search}` : ""}`, MARGIN, 40, whole.width - 2 * MARGIN);
    pen.font = `20px ${FONT}`;
    pen.fillText(`${element.querySelector(".shown").textContent}. Made with ScanScout.`, MARGIN, 68, whole.width - 2 * MARGIN);
    pen.font = `22px ${FONT}`;
    const end = legend(pen, [...element.querySelectorAll(".marks li")], whole.width, drawing.height + head, colour);
    const cut = Object.assign(document.createElement("canvas"), { width: whole.width, height: Math.min(end, whole.height) });
    cut.getContext("2d").drawImage(whole, 0, 0);
    Object.assign(document.createElement("a"), { href: cut.toDataURL("image/png"), download: "scanscout-graph.png" }).click();
  };
})();
