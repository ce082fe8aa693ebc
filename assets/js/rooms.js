// The routes as rooms of one page: another route opens over the one that is left, which stays as
// it is. A room is a frame of this origin; the outermost page keeps them and the address bar.
(() => {
  const NAMES = { "": "Search", catalog: "Catalog", cohort: "Cohort", ask: "Ask", about: "About" };
  const base = new URL("./", document.baseURI);
  const routeOf = (address) => {
    const url = new URL(address, base);
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
    const route = url.pathname.slice(base.pathname.length).replace(/\/$/, "");
    return route in NAMES ? route : null;
  };
  const outer = (() => {
    try { return (window.parent !== window && window.parent.scanscoutRooms) || null; } catch { return null; }
  })();

  const own = routeOf(location.href);
  const frames = new Map();
  const left = new Map(); // the address that a room had when it was left
  let current = own, place = 0;
  const inside = (route) => (route === own ? window : frames.get(route)?.contentWindow);

  const made = (route, address) => {
    const frame = Object.assign(document.createElement("iframe"), { className: "room", title: NAMES[route], src: address });
    document.body.append(frame);
    frames.set(route, frame);
    return frame;
  };
  const show = (route, address) => {
    const frame = route === own ? null : frames.get(route) || made(route, address);
    left.set(current, inside(current)?.location.href);
    if (current === own) place = scrollY;
    current = route;
    frames.forEach((one) => one.toggleAttribute("data-shown", one === frame));
    const app = document.querySelector("gradio-app");
    if (app) app.inert = Boolean(frame);
    if (frame) document.body.dataset.room = NAMES[route];
    else delete document.body.dataset.room;
    inside(route)?.focus();
    // After the browser's own idea of where a step of the history stood.
    if (!frame) requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, place)));
  };
  // What a link asks of a room that is open already.
  const ask = (route, url) => {
    const there = inside(route), tool = url.searchParams.get("tool");
    if (route === "catalog" && tool) there.dispatchEvent(new there.CustomEvent("scanscout:select", { detail: tool }));
    else if (route === "" && url.search) there.scanscoutVisit?.(url.search);
  };
  const go = (address) => {
    const url = new URL(address, base), route = routeOf(url);
    const there = route === own || frames.has(route);
    if (route === current) {
      if (url.search) ask(route, url);
      else if (route === "") inside("").scanscoutHome?.();
      return;
    }
    const kept = there && !url.search && left.get(route);
    history.pushState({ room: route }, "", kept || url);
    show(route, String(url));
    if (there && url.search) ask(route, url);
  };
  window.addEventListener("popstate", () => {
    const route = outer ? null : routeOf(location.href);
    if (route !== null && route !== current) show(route, location.href);
  });

  window.scanscoutRooms = {
    // Whether another room is on show, so that a step of the history is none of this page.
    away: () => current !== own,
    go: outer ? outer.go : go,
    // The address bar is that of the outermost page.
    mirror: outer ? outer.mirror : (there) => {
      if (there !== window && frames.get(current)?.contentWindow === there) history.replaceState(history.state, "", there.location.href);
    },
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.target === "_blank" || link.hasAttribute("download") || own === null || routeOf(link.href) === null) return;
    event.preventDefault();
    event.stopPropagation();
    window.scanscoutRooms.go(link.href);
  }, true);
})();
