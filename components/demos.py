"""The example searches: a task with a made-up scan, read like any other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from components.server.assets import ROOT
from retrieval import Engine, Upload

FOLDER = ROOT / "examples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """What a visitor reads, what is searched for, and the files of the scan."""

    label: str
    text: str
    files: tuple[Path, ...]


@cache
def demos() -> tuple[Demo, ...]:
    """Every example in the order of assets/examples/examples.json.

    Read once per process; the file is part of the package.
    """
    records = json.loads((FOLDER / "examples.json").read_text(encoding="utf-8"))
    return tuple(
        Demo(label=d["label"], text=d["text"], files=tuple(FOLDER / f for f in d["files"]))
        for d in records
    )


def demo_of(id: str) -> Demo | None:
    """The example with this label."""
    return next((demo for demo in demos() if demo.label == id), None)


def read_demo(engine: Engine, demo: Demo) -> Upload:
    """The scan of an example; its files stay where they are."""
    return engine.read_scans(demo.files)
