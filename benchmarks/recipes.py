"""``python -m benchmarks.recipes``: runs recipes for real, each in an environment of its own.

Which recipes, with what files, and what has to come out is in recipe_runs.json. A recipe's text is
run as it is shown for the sample; only words that name no file are replaced.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.recipe_samples import put_files
from retrieval import Recipe, Settings, load_recipes, recipe_of
from retrieval.catalog import load_catalog
from retrieval.scans import read_scans

ROOT = Path(__file__).parents[1]
RUNS = Path(__file__).with_name("recipe_runs.json")
RECIPES = ROOT / "assets" / "recipes" / "recipes.jsonl"
PATIENCE = 900
"""Seconds for the installation and for the run of one recipe; the slowest took a third of it."""


class RecipeFailed(Exception):
    """A recipe that did not install, did not run, or wrote something else than it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One recipe to run: what to install, its files by the name in the text, and what comes out.

    ``printed`` is a pattern for the screen; ``output`` a pattern for files, all of which have to be
    of ``format`` and ``shape`` where those are stated.
    """

    tool: str
    packages: tuple[str, ...]
    scan: str = ""
    files: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    output: str = ""
    format: str = ""
    shape: tuple[int, ...] = ()
    printed: str = ""


def runs(path: Path = RUNS) -> tuple[Run, ...]:
    """The recipes that can be run here, as the file lists them."""
    listed: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return tuple(_run(one) for one in listed)


def _run(one: dict[str, Any]) -> Run:
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in one.items()}
    return Run(**fields)


def shown_text(run: Run, folder: Path) -> Recipe:
    """The recipe of a run as it is shown for its scan, which lies in the folder."""
    tools = {one.id: one for one in load_catalog(Settings(_env_file=None).catalog).tools}
    scan = read_scans([folder / run.scan], preview=False).scans[0] if run.scan else None
    recipe = recipe_of(load_recipes(RECIPES), tools[run.tool], scan)
    if recipe is None:
        raise RecipeFailed(f"{run.tool} has no recipe")
    return recipe


def run_recipe(run: Run, folder: Path) -> str:
    """Install, run and check one recipe in an empty folder; says what came out.

    Raises RecipeFailed with the end of what the program printed.
    """
    work, venv = folder / "work", folder / "venv"
    work.mkdir()
    put_files(run.files, work)
    recipe = shown_text(run, work)
    text = recipe.text
    for word, value in run.words.items():
        text = re.sub(rf"\b{re.escape(word)}\b", value, text)
    _call([sys.executable, "-m", "venv", "--without-pip", str(venv)], folder)
    python = str(venv / "bin" / "python")
    install = ["-m", "pip", "--python", python, "install", "--quiet", *run.packages]
    _call([sys.executable, *install], folder)
    if recipe.kind == "notebook":
        (folder / "cell.py").write_text(text, "utf-8")
        printed = _call([python, str(folder / "cell.py")], work)
    else:
        path = f"{venv / 'bin'}:/usr/local/bin:/usr/bin:/bin"
        printed = _call(["bash", "-euc", text], work, {"PATH": path, "HOME": str(folder)})
    return _checked(run, work, printed)


def _call(command: list[str], where: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command,
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    printed = done.stdout + done.stderr
    if done.returncode:
        raise RecipeFailed(
            f"{Path(command[0]).name} ended with {done.returncode}: {printed[-600:]}"
        )
    return printed


def _checked(run: Run, work: Path, printed: str) -> str:
    """What came out, where it is what the run expects."""
    if run.printed:
        if not re.search(run.printed, printed):
            raise RecipeFailed(f"printed nothing like {run.printed!r}: {printed[-600:]}")
        return f"printed {run.printed!r}"
    written = sorted(work.glob(run.output))
    if not written:
        raise RecipeFailed(f"wrote no {run.output}; it printed {printed[-600:]}")
    for path in written:
        if run.format == "CSV":
            _check_table(path)
            continue
        scan = read_scans([path], preview=False).scans[0]
        if str(scan.format) != run.format or (run.shape and scan.shape != run.shape):
            raise RecipeFailed(f"{path.name} is {scan.format} {scan.shape}")
    return f"{len(written)} x {run.output}, {run.format} {run.shape or ''}".rstrip()


def _check_table(path: Path) -> None:
    rows = path.read_text("utf-8").splitlines()
    if len(rows) < 2 or not rows[0].strip():
        raise RecipeFailed(f"{path.name} has {len(rows)} rows")


def _each(wanted: list[str]) -> Iterator[tuple[Run, str, float]]:
    """Each run with what came of it, empty where it went well, and its seconds."""
    for run in runs():
        if wanted and run.tool not in wanted:
            continue
        folder, start = Path(tempfile.mkdtemp(prefix="recipe_")), time.monotonic()
        try:
            print(f"{run.tool}: {run_recipe(run, folder)}", flush=True)
            fault = ""
        except (RecipeFailed, subprocess.TimeoutExpired) as exc:
            fault = str(exc)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        yield run, fault, time.monotonic() - start


def main() -> int:
    """Run the recipes named, or all; 0 where every one did what it says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recipes", description=__doc__)
    parser.add_argument("tools", nargs="*", help="ids of tools; without any, every recipe")
    failed = 0
    for run, fault, seconds in _each(parser.parse_args().tools):
        failed += bool(fault)
        print(f"  {'FAILED' if fault else 'ran'} {run.tool} in {seconds:.0f} s {fault}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
