// Runs before Gradio: every request to this server carries a secret of the open page, and whether
// the page shows something that only its session on the server knows.
(() => {
  // A browser may deny a frame of another site its storage; Gradio would then leave parts of the
  // page out. What it stores lives as long as the page there.
  for (const name of ["localStorage", "sessionStorage"]) {
    try { window[name].getItem("scanscout"); } catch {
      const kept = new Map();
      const store = { getItem: (key) => kept.get(String(key)) ?? null, setItem: (key, value) => { kept.set(String(key), String(value)); },
        removeItem: (key) => { kept.delete(String(key)); }, clear: () => kept.clear(), key: (n) => [...kept.keys()][n] ?? null };
      Object.defineProperty(store, "length", { get: () => kept.size });
      Object.defineProperty(window, name, { value: store, configurable: true });
    }
  }
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const secret = btoa(String.fromCharCode(...bytes));
  const scan = "#scan .scan, #chips .chip-token, #chosen .chosen, #papers .papers, #cohort .cohort";
  const answer = "#cards .card, #said .asked";
  const shows = (selector) => document.querySelector(selector) !== null;
  const holds = () => (shows(scan) ? "scan" : shows(answer) ? "answer" : "nothing");
  // The message also appears as Gradio's own note, which goes away after a few seconds.
  const tell = async (response) => {
    const place = document.querySelector("#status .status p");
    const { detail } = await response.json().catch(() => ({}));
    if (place && detail) place.textContent = detail;
  };
  const send = window.fetch;
  window.fetch = async (input, options = {}) => {
    const address = new URL(input instanceof Request ? input.url : input, document.baseURI);
    if (address.origin !== location.origin) return send(input, options);
    const headers = new Headers(options.headers || (input instanceof Request ? input.headers : {}));
    headers.set("x-scanscout-page", secret);
    headers.set("x-scanscout-holds", holds());
    const response = await send(input, { ...options, headers });
    if ([403, 410, 429].includes(response.status)) tell(response.clone());
    return response;
  };
})();
