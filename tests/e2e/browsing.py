"""One visitor in a real browser, and what a visitor does on the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
CLICK_ON_NODE = """(id) => {
  const g = window.scanscoutGraph;
  const c = document.querySelector('#graph canvas').getBoundingClientRect();
  g.net.moveTo({position: g.net.getPositions([id])[id], scale: 1, animation: false});
  const p = g.net.canvasToDOM(g.net.getPositions([id])[id]);
  return [c.left + p.x, c.top + p.y];
}"""

STEADY = (
    "async (id) => {\n  const place = "
    + CLICK_ON_NODE
    + """;
  let before, same = 0, now = place(id);
  for (let frame = 0; same < 6 && frame < 600; frame++) {
    await new Promise(requestAnimationFrame);
    [before, now] = [now, place(id)];
    same = now.every((x, n) => Math.abs(x - before[n]) < 0.5) ? same + 1 : 0;
  }
  return now;
}"""
)
"""Where a node is on the screen once neither page nor picture moves any more."""

DRAWN = "() => window.scanscoutGraph?.net && window.scanscoutGraph.current()"
"""The picture and the table below it show the graph of the answer."""

STILL = """() => !document.querySelector('p.loading, .html-container.pending')
  && document.fonts.status === 'loaded'
  && document.getAnimations().every((one) => one.playState !== 'running'
    || one.effect.getComputedTiming().endTime === Infinity)"""
"""Nothing is on its way and no colour is between two others."""

DONE = """() => document.body.dataset.search === 'done' && Boolean(document.body.dataset.answer)
  && (!window.scanscoutGraph || window.scanscoutGraph.current())"""
"""The answer is on the page, its graph drawn."""


CUT_OFF = ("AbortError", "Unexpected error Connection errored out")
"""What Gradio says of requests that a page had under way when it was left for another."""

WHOLE = "!document.querySelector('p.loading')"
"""Gradio says "Loading..." where a component's script is still on its way."""


@dataclass
class Visit:
    """A page with what went wrong on it and what it asked for elsewhere."""

    page: Any
    url: str
    phone: bool
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def go(self, query: str = "") -> Visit:
        self.page.goto(self.url + query, wait_until="domcontentloaded")
        self.page.wait_for_selector("body[data-ready]", timeout=45_000)
        self.page.wait_for_function(WHOLE, timeout=45_000)
        self.errors[:] = [said for said in self.errors if not said.startswith(CUT_OFF)]
        return self

    def done(self) -> Visit:
        self.page.wait_for_function(DONE, timeout=90_000)
        return self

    def address(self) -> str:
        """The address in the bar; the browser tells the driver of a changed one late."""
        return str(self.page.evaluate("location.href"))

    def still(self) -> Visit:
        self.page.wait_for_function(STILL)
        return self

    def open(self, panel: str) -> Visit:
        """Unfold a panel that starts closed."""
        head = self.page.locator(f"{panel} button.label-wrap").first
        if "open" not in (head.get_attribute("class") or "").split():
            head.click()
            self.page.wait_for_selector(f"{panel} button.label-wrap.open")
        return self

    def folded(self) -> Visit:
        """Close a drawer that lies over the page: on a phone."""
        if self.phone and self.page.locator("#line > .gr-accordion > .label-wrap.open").count():
            self.page.keyboard.press("Escape")
            self.page.wait_for_selector("#line .label-wrap.open", state="detached")
        return self

    def find(self, text: str | None = None) -> Visit:
        self.folded()
        if text is not None:
            self.page.fill("#query textarea", text)
        return self.after(lambda: self.page.click("#find"))

    def after(self, act: Callable[[], object]) -> Visit:
        """Do something that searches, and wait for the answer to be on the page."""
        before = self.page.evaluate("document.body.dataset.answer || ''")
        act()
        self.page.wait_for_function(
            "(old) => (document.body.dataset.answer || '') !== old", arg=before, timeout=90_000
        )
        return self.done()

    def act(self, selector: str) -> Visit:
        """Click something that searches again, and wait for the answer."""
        return self.after(self.page.locator(selector).first.click)

    def controls(self) -> Visit:
        if not self.page.locator("#rerank").is_visible():
            self.page.click("#controls button.label-wrap")
            self.page.wait_for_selector("#rerank", state="visible")
        return self

    def upload(self, *paths: Path, into: str = "#files") -> Visit:
        names = [str(p) for p in paths]
        self.page.set_input_files(f"{into} input[type=file]", names)
        self.page.wait_for_selector("#scan .scan", timeout=90_000)
        self.page.wait_for_selector("#status >> text=/Scan read|could not be read/")
        return self

    def chips_are(self, *ids: str) -> Visit:
        """Wait until the chips are exactly these."""
        same = "e => JSON.stringify(e) === JSON.stringify([...document.querySelectorAll("
        same += "'#chips .chip')].map((x) => x.dataset.id).sort())"
        self.page.wait_for_function(same, arg=sorted(ids))
        return self

    def cards(self) -> list[str]:
        return self.page.eval_on_selector_all("#cards .card", "e => e.map(x => x.dataset.tool)")

    def chips(self) -> list[str]:
        return self.page.eval_on_selector_all("#chips .chip", "e => e.map(x => x.dataset.id)")

    def column(self, stage: str) -> list[dict[str, str]]:
        """The rows of a stage, with those that are made when they are asked for."""
        more = f'#board [data-stage="{stage}"] details.more'
        if self.page.locator(f"{more}:not([open])").count():
            self.page.click(f"{more} > summary")
            self.page.wait_for_selector(f"{more} > :not(summary)", state="attached")
        rows = f'#board [data-stage="{stage}"] li[data-tool]'
        return self.page.eval_on_selector_all(rows, "e => e.map(x => ({...x.dataset}))")

    def stages(self) -> list[str]:
        return self.page.eval_on_selector_all("#board .stage", "e => e.map(x => x.dataset.stage)")

    def exported(self, kind: str = "json") -> str:
        with self.page.expect_download(timeout=60_000) as got:
            self.page.click(f"#{kind}")
        return Path(got.value.path()).read_text(encoding="utf-8")

    def answer(self) -> dict[str, Any]:
        return json.loads(self.exported())

    def closed(self) -> Visit:
        """Close the detail where it lies over the page: on a phone and beside the graph."""
        if self.page.locator("body[data-sheet=open]").count():
            self.page.click("#detail .close")
            self.page.wait_for_selector("body:not([data-sheet])")
        return self

    def detail(self) -> str:
        return self.page.locator("#detail .detail").inner_html()

    def graph(self, what: str) -> list[dict[str, Any]]:
        self.page.locator("#graph").scroll_into_view_if_needed()
        self.page.wait_for_function(DRAWN)
        return self.page.evaluate(f"window.scanscoutGraph.{what}.get()")

    def table(self) -> Visit:
        """Unfold the table of the graph, which stands open on a phone."""
        self.page.locator("#graph").scroll_into_view_if_needed()
        if self.page.locator("#graphtable:not([open])").count():
            summary = self.page.locator("#graphtable summary")
            summary.focus()
            summary.press("Enter")
        self.page.locator("#graphtable tr[data-source]").first.wait_for()
        return self

    def node(self, id: str) -> tuple[float, float]:
        self.page.locator("#graph .canvas").scroll_into_view_if_needed()
        self.page.wait_for_function(DRAWN)
        x, y = self.page.evaluate(STEADY, id)
        return x, y
