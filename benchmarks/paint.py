"""From click to first painted stage, beyond that stage's own time: ``python -m benchmarks.paint``.

Goal: 150 ms. The page, its browser and its engine run here; only a quiet machine gives a figure.
"""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.screenshots import FLAGS
from components.page import build_page
from components.serve import serve
from retrieval import Answer, Settings, open_engine

TASKS = (
    "segment lungs",
    "register brain MRI",
    "count nuclei",
    "denoise diffusion MRI",
    "measure liver volume",
    "track cells over time",
    "convert DICOM to NIfTI",
    "label brain regions",
)
WATCH = """() => {
  window.seen = {};
  const now = () => performance.timeOrigin + performance.now();
  const find = document.querySelector('#find');
  find.addEventListener('click', () => { window.seen = {click: now()}; }, true);
  new MutationObserver(() => {
    const row = document.querySelector('#board .stage[data-stage] li[data-tool]');
    if (!row || !window.seen.click || window.seen.asked) return;
    if (!document.querySelector('#board .stage.pending')) return;
    window.seen.asked = true;
    requestAnimationFrame(() => requestAnimationFrame(() => { window.seen.painted = now(); }));
  }).observe(document.body, {childList: true, subtree: true});
}"""


class Timed:
    """An engine that records in ``first_s`` how long the first list of its last search took."""

    def __init__(self, engine: Any) -> None:  # noqa: ANN401 - every method of an engine
        self._engine, self.first_s = engine, 0.0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._engine, name)

    def stream(self, *args: Any, **kwargs: Any) -> Iterator[Answer]:  # noqa: ANN401
        """The answers, the time to the first list noted."""
        began, noted = time.perf_counter(), False
        for answer in self._engine.stream(*args, **kwargs):
            if not noted and any(n.ran and n.listed for n in answer.result.stages()):
                self.first_s, noted = time.perf_counter() - began, True
            yield answer


def beyond_ms(page: Page, engine: Timed, text: str) -> float:
    """Milliseconds between click and paint, less the time of the first stage.

    Not a number when the browser painted no intermediate stage.
    """
    before = page.evaluate("document.body.dataset.answer || ''")
    page.fill("#query textarea", text)
    page.click("#find")
    page.wait_for_function("(old) => (document.body.dataset.answer || '') !== old", arg=before)
    seen = page.evaluate("window.seen")
    painted = seen.get("painted")
    if painted is None:
        return float("nan")
    return float(painted - seen["click"] - 1000 * engine.first_s)


def main() -> None:
    """Print every figure and the median."""
    with TemporaryDirectory() as scratch, sync_playwright() as play:
        root = Path(scratch)
        settings = Settings(
            _env_file=None, index_dir=root / "index", cache_dir=root / "cache", port=0
        )
        opened = open_engine(settings)
        engine: Any = Timed(opened)
        blocks = build_page(engine, settings)
        _, address, _ = serve(blocks, settings, prevent_thread_lock=True)
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=60_000)
        page.evaluate(WATCH)
        figures = [beyond_ms(page, engine, text) for text in (*TASKS, *TASKS)]
        # A NaN, where no stage was painted, differs from itself.
        valid = sorted(ms for ms in figures if ms == ms)
        print(f"click to first stage beyond its own time, ms: {[round(ms) for ms in valid]}")
        print(f"median {statistics.median(valid):.0f}, goal 150")
        browser.close()
        blocks.close(verbose=False)


if __name__ == "__main__":
    main()
