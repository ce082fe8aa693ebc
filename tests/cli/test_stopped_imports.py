"""Ctrl-C while a program is still importing ends it with one line."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from retrieval.settings import ROOT

pytestmark = pytest.mark.process

CTRL_C = """
import os, runpy, signal, sys

class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

# A run that a shell put into the background ignores the signal, and hands that on.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Stop())
sys.argv = ["program", "models", "list"]
{start}
"""
"""The signal comes when a module is looked for, which is in the middle of the imports."""


@pytest.mark.parametrize(
    ("module", "start", "line"),
    [
        (
            "components.parts",
            "runpy.run_path('app.py', run_name='__main__')",
            "stopped before the page was there",
        ),
        (
            "retrieval.cli.catalog",
            "runpy.run_module('retrieval', run_name='__main__', alter_sys=True)",
            "stopped",
        ),
        (
            "retrieval.wiring.weights",
            "runpy.run_module('retrieval', run_name='__main__', alter_sys=True)",
            "stopped",
        ),
    ],
)
def test_ctrl_c_during_the_imports_prints_one_line_and_no_traceback(module, start, line, tmp_path):
    code = CTRL_C.format(module=module, start=start)
    folders = {"SCANSCOUT_INDEX_DIR": tmp_path / "index", "SCANSCOUT_CACHE_DIR": tmp_path}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {name: str(folder) for name, folder in folders.items()},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 130
    assert done.stderr.split("\n") == ["", line, ""]
    assert done.stdout == ""
