"""A page in a process of its own: its log, its folders and its memory can be looked at."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from retrieval import Settings

ROOT = Path(__file__).resolve().parents[2]
LOUD = "import logging, runpy, sys; logging.basicConfig(level=logging.DEBUG); "
RUN = f"sys.path.insert(0, {str(ROOT)!r}); "
RUN += f"runpy.run_path({str(ROOT / 'app.py')!r}, run_name='__main__')"
PAGE = LOUD + RUN


@dataclass(frozen=True)
class Served:
    """Where the page is, what it says, and what it may write to."""

    url: str
    root: Path
    process: subprocess.Popen[bytes]
    places: tuple[Path, ...]

    @property
    def uploads(self) -> Path:
        return self.root / "tmp" / "gradio"

    def log(self) -> str:
        return (self.root / "log").read_text("utf-8", "replace")

    def alive(self) -> bool:
        return self.process.poll() is None

    def resident_mb(self) -> float:
        pages = Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def environment(root: Path, **more: str) -> dict[str, str]:
    """What lets a process of ours write below one root only, if nothing else is told."""
    (root / "tmp").mkdir(parents=True, exist_ok=True)
    return {
        **os.environ,
        "TMPDIR": str(root / "tmp"),
        "GRADIO_TEMP_DIR": str(root / "tmp" / "gradio"),
        "SCANSCOUT_INDEX_DIR": str(root / "index"),
        "SCANSCOUT_CACHE_DIR": str(root / "cache"),
        "PYTHONUNBUFFERED": "1",
        **more,
    }


def answers(one: Served) -> bool:
    """Whether the page is there, ready for a search or not."""
    try:
        return httpx.get(f"{one.url}config", timeout=30).status_code == 200
    except httpx.TransportError:
        return False


def complete(one: Served) -> bool:
    """Whether a search is answered, and by all that is still loading at the start."""
    ask = f"{one.url}gradio_api/call/recommend"
    try:
        asked = httpx.post(ask, json={"data": ["segment lungs", [], "hybrid", 5]}).json()
        said = httpx.get(f"{ask}/{asked['event_id']}", timeout=30).text
    except httpx.TransportError:
        return False
    return "candidates" in said and not any(word in said for word in ("warming up", "loading"))


@contextmanager
def page(
    root: Path,
    settings: Settings,
    ready: Callable[[Served], bool] = complete,
    *,
    level: str = "DEBUG",
    **more: str,
) -> Iterator[Served]:
    """The page as ``app.py`` starts it, with its log from ``level``, once it is ready."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = {"CATALOG": settings.catalog, "INDEX_DIR": settings.index_dir}
    made |= {"CACHE_DIR": settings.cache_dir, "PORT": port}
    told = environment(
        root, **{f"SCANSCOUT_{name}": str(one) for name, one in made.items()}, **more
    )
    with (root / "log").open("wb") as log:
        command = [sys.executable, "-c", PAGE.replace("DEBUG", level)]
        process = subprocess.Popen(command, cwd=root, env=told, stdout=log, stderr=log)
        places = (root, settings.index_dir, settings.cache_dir)
        one = Served(f"http://127.0.0.1:{port}/", root, process, places)
        try:
            _wait(one, ready)
            yield one
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(60)


def _wait(one: Served, ready: Callable[[Served], bool]) -> None:
    ends = time.monotonic() + 270
    while time.monotonic() < ends and one.alive():
        time.sleep(0.3)
        if ready(one):
            return
    raise AssertionError(one.log()[-2000:])
