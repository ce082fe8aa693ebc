"""Pictures of the running page for the README: ``python -m benchmarks.screenshots [FOLDER]``."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import FloatRect, Page, ViewportSize, sync_playwright

from benchmarks.phantoms import chest_ct

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TOP: FloatRect = {"x": 0, "y": 0, "width": 1440, "height": 2300}
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}


@contextmanager
def app() -> Iterator[str]:
    """The address of the app on a free port."""
    with app_process() as (address, _):
        yield address


@contextmanager
def app_process(**settings: str) -> Iterator[tuple[str, int]]:
    """Address and process id of the app under these settings, by variable; given time to load."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    env = {**os.environ, **settings, "SCANSCOUT_PORT": str(port)}
    process = subprocess.Popen([sys.executable, str(ROOT / "app.py")], cwd=ROOT, env=env)
    address = f"http://127.0.0.1:{port}/"
    try:
        _wait(address)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait(address: str, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit("the app did not start")


def search(page: Page, address: str, files: list[Path]) -> None:
    """One search with a scan, up to the cards."""
    page.goto(address)
    page.wait_for_selector("textarea")
    page.get_by_text("Ready").first.wait_for(timeout=180_000)
    page.locator("input[type=file]").first.set_input_files([str(f) for f in files])
    page.get_by_text("CT", exact=True).first.wait_for(timeout=30_000)
    page.locator("textarea").first.fill("segment lungs")
    page.get_by_role("button", name="Find tools").click()
    page.get_by_text("Recommended tools").first.wait_for(timeout=60_000)
    # The graph is drawn when it comes near the window.
    page.locator("#graph").scroll_into_view_if_needed()
    page.wait_for_timeout(4000)
    page.evaluate("window.scrollTo(0, 0)")


def main() -> None:
    """Take every picture; the first becomes ``assets/screenshot.png``."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as scratch, app() as address, sync_playwright() as play:
        files = chest_ct(Path(scratch))
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                size = ViewportSize(width=width, height=height)
                page = browser.new_page(viewport=size, color_scheme=scheme)
                search(page, address, files)
                if folder:
                    page.screenshot(path=folder / f"{name}-{scheme}.png", full_page=True)
                if (name, scheme) == ("desktop", "light"):
                    # The lines between the lists are drawn for what is inside the window.
                    page.set_viewport_size(ViewportSize(width=width, height=int(TOP["height"])))
                    page.wait_for_timeout(3000)
                    page.screenshot(
                        path=ROOT / "assets" / "screenshot.png", full_page=True, clip=TOP
                    )
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
