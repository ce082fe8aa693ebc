"""Pictures of the page with a scripted model on: ``python -m benchmarks.model_pictures FOLDER``.

One each of the list it ordered, of agentic rounds, of a question back in its words, and of what
would be sent to it, shown before anything is.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import FloatRect, Page, ViewportSize, sync_playwright

from benchmarks.phantoms import chest_ct
from benchmarks.screenshots import FLAGS, ROOT, app_process

SCRIPT = ROOT / "retrieval" / "llm" / "demo.json"
SIZE = ViewportSize(width=1440, height=900)
TOP: FloatRect = {"x": 0, "y": 0, "width": 1440, "height": 2000}
WAIT = 180_000
DONE = "document.body.dataset.search === 'done' && Boolean(document.body.dataset.answer)"
LOADED = "!document.querySelector('p.loading')"

TASK = "segment lungs"
STEPS = "segment lungs in mouse CT, measure volume, register to atlas"
VAGUE = "segmentation"


def opened(page: Page, address: str) -> None:
    """The page once it can be used and every stage is loaded."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]", timeout=WAIT)
    page.wait_for_function(LOADED, timeout=WAIT)
    page.get_by_text("Ready").first.wait_for(timeout=WAIT)


def searched(page: Page, address: str, text: str, mode: str = "hybrid") -> None:
    """The answer to a text on the page, by the link that a visitor would share."""
    opened(page, f"{address}?{urlencode({'q': text, 'mode': mode})}")
    page.wait_for_function(DONE, timeout=WAIT)
    page.wait_for_function(LOADED, timeout=WAIT)


def reranked(page: Page, address: str, scan: list[Path]) -> None:
    """A scan and a task: the cards in the model's order, each with its reason."""
    opened(page, address)
    page.locator("#files input[type=file]").set_input_files([str(one) for one in scan])
    page.wait_for_selector("#scan .scan", timeout=WAIT)
    page.fill("#query textarea", TASK)
    page.click("#find")
    page.wait_for_function(DONE, timeout=WAIT)


def outgoing(page: Page, address: str, scan: list[Path]) -> None:
    """The text and the slices that would leave, above the button that shows them."""
    reranked(page, address, scan)
    page.click("#model button.label-wrap")
    page.click("#modellook")
    page.wait_for_selector("#modeltold pre", timeout=WAIT)


def main() -> None:
    """Take every picture into the folder named."""
    if len(sys.argv) != 2:
        raise SystemExit("name one folder for the pictures")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        app_process(SCANSCOUT_LLM_SCRIPT=str(SCRIPT)) as (address, _),
        sync_playwright() as play,
    ):
        scan = chest_ct(Path(scratch))
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        pictures: dict[str, Callable[[Page], None]] = {
            "rerank": lambda page: reranked(page, address, scan),
            "agentic": lambda page: searched(page, address, STEPS, "agentic"),
            "clarification": lambda page: searched(page, address, VAGUE),
            "outgoing": lambda page: outgoing(page, address, scan),
        }
        for name, show in pictures.items():
            page = browser.new_page(viewport=SIZE)
            show(page)
            page.screenshot(path=folder / f"{name}.png", full_page=True, clip=TOP)
            if name == "outgoing":
                page.locator("#model").screenshot(path=folder / "outgoing-panel.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
