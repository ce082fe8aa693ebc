"""Importing the library is quick and loads nothing heavy; the import contracts hold."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import resource
import subprocess
import sys
from collections import Counter
from types import ModuleType

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


@pytest.mark.parametrize("module", ["retrieval", "retrieval.settings.model", "retrieval.core"])
def test_importing_the_library_loads_no_heavy_package(module):
    assert probe(module).split() == []


def test_importing_the_library_takes_about_a_second_at_most():
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def seconds():
        """Of a processor: a clock on the wall says little on a busy machine."""
        start = spent()
        probe("retrieval")
        return spent() - start

    assert min(seconds() for _ in range(3)) < 2.0


def test_the_library_never_imports_a_page_library():
    rooms = "retrieval, retrieval.wiring, retrieval.scans, retrieval.evaluation, retrieval.graph"
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


def test_the_front_of_the_web_room_never_gives_a_module_for_a_name():
    import retrieval.web

    for found in pkgutil.iter_modules(retrieval.web.__path__, "retrieval.web."):
        importlib.import_module(found.name)
    told = {name: getattr(retrieval.web, name) for name in retrieval.web.__all__}
    assert [name for name, what in told.items() if isinstance(what, ModuleType)] == []


def test_no_name_of_the_front_door_is_that_of_a_module():
    import retrieval

    modules = {found.name for found in pkgutil.iter_modules(retrieval.__path__)}
    assert modules.isdisjoint(retrieval.__all__)


def test_a_folder_is_entered_through_its_init():
    """The fronts of the source systems are entered by the module names of those systems."""
    past = []
    for package in ("retrieval", "components", "spaces_config"):
        for path in (ROOT / package).rglob("*.py"):
            own = path.relative_to(ROOT).parts[1] if package == "retrieval" else ""
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                modules += [a.name for a in node.names] if isinstance(node, ast.Import) else []
                for module in modules:
                    parts = module.split(".")
                    if (
                        parts[0] == "retrieval"
                        and len(parts) > 2
                        and parts[1] not in {own, "compat"}
                    ):
                        past.append(f"{path.relative_to(ROOT)}: {module}")
    assert past == []


def test_the_library_holds_few_loose_modules_and_no_crowded_folder():
    loose = {path.name for path in (ROOT / "retrieval").glob("*.py")}
    assert loose == {"__init__.py", "__main__.py", "offline.py", "processes.py"}
    for package in ("retrieval", "components"):
        files = list((ROOT / package).rglob("*.py"))
        crowded = [f for f, n in Counter(path.parent for path in files).items() if n > 20]
        long = [path for path in files if len(path.read_text("utf-8").splitlines()) > 300]
        assert (crowded, long) == ([], [])
