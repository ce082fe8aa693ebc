// How the page is laid out: idle or with an answer, parts of the detail, the sheet, what is folded.
(() => {
  const body = document.body;
  const one = (selector) => document.querySelector(selector);
  const narrow = () => window.matchMedia("(max-width: 900px)").matches;

  // A click that leads to a search or a reading is answered at once, before the server is.
  const SEARCHES = ["exclude", "undo", "remove", "relax", "clarify", "task", "example", "modality", "role", "remark"];
  const said = () => one("#status .status")?.outerHTML;
  let asked = false, home = false, before = null, timer = 0;
  const idle = () => { delete body.dataset.busy; clearTimeout(timer); };
  const busy = (searches) => {
    // Until something else is begun: the server may answer late, and the page change meanwhile.
    asked = searches;
    if (searches) home = false;
    before = said();
    // A long query is shown from its beginning.
    one("#query textarea")?.scrollTo(0, 0);
    body.dataset.busy = "1";
    clearTimeout(timer);
    timer = setTimeout(idle, 20000);
    // The page turns at the click, not when a busy server begins: that late it would be a jump.
    if (searches) settle();
  };
  // A search begins with the scan in one line, so that the list is in view.
  const begin = () => { one("#scan")?.removeAttribute("data-unfolded"); busy(true); };
  // What this page says of itself is not yet the server's answer.
  window.addEventListener("scanscout:said", () => { if (body.dataset.busy) before = said(); });
  const nothing = () => !one("#query textarea")?.value.trim() && !one("#chips .chip-token, #scan .refused");
  document.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    const again = act === "clear" && body.dataset.answer;
    if (event.target.closest("#find") && !nothing()) begin();
    else if (again || SEARCHES.includes(act)) busy(true);
  });
  document.addEventListener("keydown", (event) => {
    const box = event.target.closest?.("#query textarea, #followtext :is(input, textarea)");
    if (box && event.key === "Enter" && !event.shiftKey && !nothing()) begin();
  });
  document.addEventListener("change", (event) => { if (event.target.matches("#files input, #uploadrow input")) busy(false); }, true);
  document.addEventListener("drop", (event) => { if (event.target.closest?.("#files")) busy(false); }, true);

  // What a remark would leave is counted once an answer, when somebody turns to the box.
  let offered = null;
  const offer = (event) => {
    const place = event.target.closest?.("#followtext, #offers");
    if (!place) { delete body.dataset.refine; return; }
    body.dataset.refine = "1";
    if (offered === body.dataset.answer) return;
    offered = body.dataset.answer;
    window.dispatchEvent(new CustomEvent("scanscout:offers"));
  };
  document.addEventListener("focusin", offer);
  // The focus stays in the box after a remark, whose effect is told where the offers would lie:
  // they are back when somebody turns to the box again.
  document.addEventListener("pointerdown", (event) => { if (event.target.closest?.("#followtext")) offer(event); });
  document.addEventListener("keydown", (event) => {
    const sent = event.key === "Enter" && event.target.closest?.("#followtext");
    if (sent || event.key === "Escape") delete body.dataset.refine;
  });
  // New chips push the box of the remark out of the line of a phone: it stays in view.
  new MutationObserver(() => {
    const box = document.activeElement?.closest?.("#followtext");
    if (!narrow()) return;
    // Elsewhere the row begins with what is in effect, also after the way back.
    if (box) requestAnimationFrame(() => box.scrollIntoView({ block: "nearest", inline: "center" }));
    else one("#line")?.scrollTo({ left: 0 });
  }).observe(body, { attributes: true, attributeFilter: ["data-answer"] });
  document.addEventListener("click", (event) => { if (event.target.closest("#offers button")) delete body.dataset.refine; });

  window.addEventListener("scanscout:visit", () => busy(true));
  window.addEventListener("scanscout:home", () => { home = true; settle(); });

  // The part of the detail that is on show; some parts are filled by an event of their own.
  const tab = (name) => {
    const place = one("#right");
    if (!place) return;
    place.dataset.tab = name;
    place.querySelectorAll("[data-tab]").forEach((button) => button.setAttribute("aria-current", String(button.dataset.tab === name)));
  };
  // Such a part says that it is on its way until something of it is there.
  const PARTS = { get: "recipe", plan: "plan", similar: "similar" };
  const empty = (name) => Boolean(PARTS[name]) && !one(`#${PARTS[name]}`)?.textContent.trim();
  const filling = (name) => {
    const place = one("#right");
    delete place.dataset.filling;
    if (!empty(name)) return;
    place.dataset.filling = name;
    const end = () => { look.disconnect(); if (place.dataset.filling === name) delete place.dataset.filling; };
    const look = new MutationObserver(() => { if (!empty(name)) end(); });
    look.observe(place, { childList: true, subtree: true, characterData: true });
    setTimeout(end, 20000);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#right [data-tab]");
    if (button) { tab(button.dataset.tab); filling(button.dataset.tab); }
    else if (event.target.closest('#right [data-act="recipe"]')) { tab("get"); filling("get"); }
  });

  // The detail lies over the page where it is not beside the list: on a phone, and for the board.
  const EDGE = 76; // pixels of the bar above the detail and the margin below it
  const away = () => {
    const place = one("#right").getBoundingClientRect();
    return narrow() || one("#right").classList.contains("over") || place.top < 0 || place.top > innerHeight - 200;
  };
  let opener = null, covered = false, height = 0;
  const cover = () => { covered = body.dataset.sheet === "open"; };
  document.addEventListener("pointerdown", cover, true);
  document.addEventListener("keydown", cover, true);
  const shut = () => {
    if (body.dataset.sheet !== "open") return;
    delete body.dataset.sheet;
    if (one("#split")) one("#split").style.minHeight = "";
    const place = one("#right"), here = document.activeElement;
    place?.removeAttribute("role");
    history.scrollRestoration = "auto";
    if (opener?.isConnected && (here === body || place?.contains(here))) opener.focus({ preventScroll: true });
  };
  const open = () => {
    if (body.dataset.sheet === "open") return;
    // The list keeps its place while the detail is out of its own.
    height = one("#right").offsetHeight;
    if (!narrow() && one("#split")) one("#split").style.minHeight = `${one("#split").offsetHeight}px`;
    body.dataset.sheet = "open";
    one("#right").setAttribute("role", "dialog");
    one("#right").setAttribute("aria-label", "Tool detail");
    if (!narrow()) return;
    // The way back must not scroll the page under the sheet.
    history.scrollRestoration = "manual";
    history.pushState({ ...history.state, scanscout: "sheet" }, "");
  };
  const close = () => {
    if (history.state?.scanscout === "sheet") history.back();
    else shut();
  };
  window.addEventListener("popstate", shut);
  // Beside the list again, once that is back in the window.
  window.addEventListener("scroll", () => {
    if (body.dataset.sheet !== "open" || narrow() || !one("#split")) return;
    const list = one("#split").getBoundingClientRect();
    if (list.bottom >= Math.min(height, innerHeight - EDGE) && list.top < innerHeight - 200) shut();
  }, { passive: true });
  const show = (from) => {
    opener = from;
    if (away()) open();
    one("#right")?.scrollTo(0, 0);
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest('[data-sheet="close"]')) { close(); return; }
    const button = event.target.closest('[data-act="select"]');
    if (button && one("#right #detail, #answer")) show(button);
    else if (covered && narrow() && !event.target.closest("#right")) close();
  });
  window.addEventListener("scanscout:select", () => show(null));
  // Before the page's own listener moves the focus there.
  document.addEventListener("click", (event) => {
    const button = event.target.closest('[data-goto="detail"]');
    if (button && away()) { opener = button; open(); }
  }, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && body.dataset.sheet === "open") close(); });

  // Folded rows are made when they are asked for; a new answer folds them anew.
  const unfold = (place) => {
    if (!place.dataset.folded) return;
    place.querySelectorAll(":scope > :not(summary)").forEach((old) => old.remove());
    place.insertAdjacentHTML("beforeend", place.dataset.folded);
    delete place.dataset.folded;
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.open) unfold(event.target);
  }, true);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-unfold]");
    if (!button) return;
    const place = one(`#${button.dataset.unfold}`);
    const shown = place.toggleAttribute("data-unfolded");
    button.setAttribute("aria-expanded", String(shown));
  });
  document.addEventListener("click", (event) => {
    const name = event.target.closest("[data-goto-stage]")?.dataset.gotoStage;
    const column = name && one(`#board [data-stage="${CSS.escape(name)}"]`);
    if (!column) return;
    column.scrollIntoView({ block: "center", inline: "center" });
    column.querySelector("button")?.focus({ preventScroll: true });
  });

  // Another page of the catalog begins at its first tool.
  document.addEventListener("click", (event) => {
    if (event.target.closest("#browselist .pager button")) one("#browselist").scrollIntoView({ block: "start" });
  });
  // Another page of the series: only the table changes.
  window.addEventListener("scanscout:bus", (event) => {
    const place = one("#scan .seriesfacts"), page = event.detail?.series;
    if (!place || typeof page !== "string") return;
    place.innerHTML = page;
    place.querySelector("[aria-current]")?.focus({ preventScroll: true });
  });

  // Where a series is chosen, the panel is made anew: its row stays in view, with the focus.
  let choosing = null;
  document.addEventListener("click", (event) => {
    const button = event.target.closest('#scan [data-act="series"]');
    if (button) choosing = { row: button.closest("tr").dataset.row, button };
  });
  const chosenSeries = () => {
    if (!choosing || choosing.button.isConnected) return;
    const button = one(`#scan tr[data-row="${choosing.row}"] input`);
    choosing = null;
    if (!button || document.activeElement !== body) return;
    button.scrollIntoView({ block: "nearest" });
    button.focus({ preventScroll: true });
  };

  let tool = null, turn = false;
  const settle = () => {
    const state = one("#status .status")?.dataset.state || "idle";
    if (body.dataset.busy && said() !== before) idle();
    const view = !home && (body.dataset.answer || (asked && (body.dataset.busy || state !== "idle"))) ? "answer" : "idle";
    if (one("#find") && body.dataset.view !== view) body.dataset.view = view;
    // The focus goes on from the button that starts to the one that stops, and back.
    const running = state === "running";
    if (running !== turn) {
      const [from, to] = running ? ["find", "stop"] : ["stop", "find"];
      turn = running;
      if (document.activeElement?.id === from || (asked && document.activeElement === body && running)) one(`#${to}`)?.focus({ preventScroll: true });
    }
    const shown = one("#detail .detail[data-tool]")?.dataset.tool;
    // A link to one tool of the catalog: its record is what was asked for.
    if (shown && !tool && !one("#find") && narrow()) open();
    if (one("#right .tabs")) {
      const name = one("#right").dataset.tab || "overview";
      const filled = one(`#right .tabs [data-tab="${name}"]`);
      // Of another tool, or emptied since it was asked for.
      const gone = shown !== tool || (empty(name) && one("#right").dataset.filling !== name);
      if (gone && filled?.dataset.act) tab("overview");
      else if (!filled) tab("overview");
      else if (!filled.hasAttribute("aria-current")) tab(name);
    }
    tool = shown;
    if (one("#bar")) body.style.setProperty("--bar", `${one("#bar").offsetHeight}px`);
    chosenSeries();
    document.querySelectorAll("details[open][data-folded]").forEach(unfold);
    one("#scan .unfold")?.setAttribute("aria-expanded", String(one("#scan").hasAttribute("data-unfolded")));
  };
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; settle(); });
  };
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true, characterData: true });
  new MutationObserver(soon).observe(body, { attributes: true, attributeFilter: ["data-answer", "data-search"] });
  soon();
})();
