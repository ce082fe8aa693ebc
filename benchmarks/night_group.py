"""Memory of the page by visitors: ``python -m benchmarks.night_group [SECONDS]``; no test run.

One app process; first one visitor searches by the page's button, then 10, then 50, each on a page
of its own. A visitor thinks for one second between two searches.
"""

from __future__ import annotations

import asyncio
import os
import sys

import httpx

from benchmarks.load import by_page, crowd, loaded, resident_mb
from benchmarks.night.process import children
from benchmarks.screenshots import app_process

VISITORS = (1, 10, 50)


def main() -> None:
    """Print a row per number of visitors, in Markdown."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    print(f"{os.cpu_count()} cores\n")
    print("| visitors | answers | errors | page, MB | reader of scans, MB |")
    print("|---:|---:|---:|---:|---:|")
    with app_process() as (address, process):
        asyncio.run(loaded(address))
        print(f"| none | 0 | 0 | {_memory(process)} |", flush=True)
        config = httpx.get(f"{address}config", timeout=60).json()
        for visitors in VISITORS:
            heard = asyncio.run(crowd(address, visitors, seconds, by_page(config)))
            counts = f"{len(heard.seconds)} | {len(heard.errors) + heard.crossed}"
            print(f"| {visitors} | {counts} | {_memory(process)} |", flush=True)


def _memory(process: int) -> str:
    return f"{resident_mb(process):.0f} | {sum(map(resident_mb, children(process))):.0f}"


if __name__ == "__main__":
    main()
