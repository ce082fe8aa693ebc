"""What a visitor with a slow phone waits for: ``python -m benchmarks.slow_phone ADDRESS ...``.

390x844, the processor slowed by 4, 1.6 Mbit/s with 150 ms, no cache: words are typed and sent as
soon as a box takes them. Several addresses are visited in turns, each of a page that is running.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import time
from typing import Any

from playwright.sync_api import Browser, Page, Request, sync_playwright

from benchmarks.screenshots import FLAGS

VISITS = 5
TEXT = "segment lungs"
BOX = "#firsttext, #query textarea"
TOOL = "#first li, #cards .card"
SPEED = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime || 0"
STEPS = ("first paint", "a box takes words", "search leaves", "first tool", "all stages")


def slowed(browser: Browser) -> Page:
    """A new page of a phone, on a slow network and a slow processor."""
    size: Any = {"width": 390, "height": 844}
    page = browser.new_context(viewport=size, has_touch=True, is_mobile=True).new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **SPEED})
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    return page


def visited(browser: Browser, address: str) -> dict[str, float]:
    """Seconds from the request of the page to each step."""
    page, begun = slowed(browser), time.monotonic()
    seconds: dict[str, float] = {}

    def note(step: str) -> None:
        seconds.setdefault(step, time.monotonic() - begun)

    def sent(request: Request) -> None:
        if request.method == "POST" and TEXT in (request.post_data or ""):
            note("search leaves")

    page.on("request", sent)
    page.goto(address, wait_until="commit")
    page.wait_for_selector(BOX, state="visible", timeout=60_000)
    note("a box takes words")
    page.evaluate("(box) => document.querySelector(box).focus()", BOX)
    page.keyboard.type(TEXT)
    page.keyboard.press("Enter")
    page.wait_for_selector(TOOL, timeout=60_000)
    note("first tool")
    page.wait_for_selector("#cards .card", timeout=60_000)
    note("all stages")
    seconds["first paint"] = page.evaluate(PAINT) / 1000
    page.context.close()
    return seconds


def main() -> None:
    """Print the median of each step and every figure behind it."""
    addresses = sys.argv[1:] or ["http://127.0.0.1:7860/"]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        visits = [[visited(browser, one) for one in addresses] for _ in range(VISITS)]
        browser.close()
    for number, address in enumerate(addresses):
        print(address)
        for step in STEPS:
            figures = [row[number][step] for row in visits]
            listed = ", ".join(f"{one:.1f}" for one in sorted(figures))
            print(f"  {step}: {statistics.median(figures):.2f} s ({listed})")


if __name__ == "__main__":
    main()
