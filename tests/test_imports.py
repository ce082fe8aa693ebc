"""Importing the library is quick and loads nothing heavy; the import contracts hold."""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

import pytest

from retrieval.settings import ROOT

HEAVY = (
    "torch",
    "faiss",
    "gradio",
    "pyvis",
    "pydicom",
    "nibabel",
    "sentence_transformers",
    "transformers",
)
PROBE = "import {0}, sys; print(*[m for m in sys.modules if m.partition('.')[0] in {1!r}])"


def probe(module):
    command = [sys.executable, "-c", PROBE.format(module, HEAVY)]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    ).stdout


@pytest.mark.parametrize("module", ["retrieval", "retrieval.settings", "retrieval.core.combine"])
def test_importing_the_library_loads_no_heavy_package(module):
    assert probe(module).split() == []


def test_importing_the_library_takes_about_a_second_at_most():
    def seconds():
        start = perf_counter()
        probe("retrieval")
        return perf_counter() - start

    assert min(seconds() for _ in range(3)) < 2.0


def test_the_library_never_imports_a_page_library():
    rooms = "retrieval, retrieval.build, retrieval.scans, retrieval.evaluation, retrieval.graph"
    assert {m.partition(".")[0] for m in probe(rooms).split()}.isdisjoint({"gradio", "pyvis"})


def test_the_import_contracts_hold():
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:]


def test_no_pickle_is_read_or_written():
    for path in (ROOT / "retrieval").rglob("*.py"):
        text = path.read_text("utf-8")
        assert "import pickle" not in text, path
        assert "allow_pickle=True" not in text, path
        assert "trust_remote_code=True" not in text, path
