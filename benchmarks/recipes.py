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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

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
    of ``format`` and ``shape`` where those are stated. ``{WORK}`` in the value of a word is the
    full path of the folder with the files, without its first slash.
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
    text = _with_words(recipe.text, run, work)
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


def _with_words(text: str, run: Run, work: Path) -> str:
    """The text of a recipe with the words of its run that name no file."""
    for word, value in run.words.items():
        filled = value.replace("{WORK}", str(work).lstrip("/"))
        text = re.sub(rf"\b{re.escape(word)}\b", filled, text)
    return text


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
        shape = OUTPUTS[run.format](path) if run.format in OUTPUTS else _scan_shape(path, run)
        if run.shape and shape != run.shape:
            raise RecipeFailed(f"{path.name} is {run.format} {shape}")
    return f"{len(written)} x {run.output}, {run.format} {run.shape or ''}".rstrip()


def _scan_shape(path: Path, run: Run) -> tuple[int, ...]:
    scans = read_scans([path], preview=False).scans
    if not scans or str(scans[0].format) != run.format:
        kind = f"{scans[0].format} {scans[0].shape}" if scans else "no scan"
        raise RecipeFailed(f"{path.name} is {kind}")
    return tuple(scans[0].shape or ())


def _check_table(path: Path) -> tuple[int, ...]:
    rows = path.read_text("utf-8").splitlines()
    if len(rows) < 2 or not rows[0].strip():
        raise RecipeFailed(f"{path.name} has {len(rows)} rows")
    return ()


def _array_shape(path: Path) -> tuple[int, ...]:
    try:
        array = np.load(path)
    except ValueError as exc:
        raise RecipeFailed(f"{path.name} is no array: {exc}") from exc
    if not np.isfinite(array).all() or not array.any():
        raise RecipeFailed(f"{path.name} holds zeros only, or a value that is no number")
    return tuple(array.shape)


def _number_count(path: Path) -> tuple[int, ...]:
    numbers = np.fromfile(path, np.float32)
    if not np.isfinite(numbers).all() or not numbers.any():
        raise RecipeFailed(f"{path.name} holds zeros only, or a value that is no number")
    return (numbers.size,)


def _check_json(path: Path) -> tuple[int, ...]:
    try:
        value = json.loads(path.read_text("utf-8"))
    except ValueError as exc:
        raise RecipeFailed(f"{path.name} is no JSON: {exc}") from exc
    if not value:
        raise RecipeFailed(f"{path.name} is empty")
    return ()


OUTPUTS: dict[str, Callable[[Path], tuple[int, ...]]] = {
    "CSV": _check_table,
    "JSON": _check_json,
    "NPY": _array_shape,
    "float32": _number_count,
    "text": _check_table,
}
"""How a file that is no scan is checked, by its format; each returns the shape it has."""


def _megabytes(folder: Path) -> int:
    """What the environment of a recipe takes, in whole MB."""
    sizes = (path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return round(sum(sizes) / 1e6)


def _each(wanted: list[str]) -> Iterator[tuple[Run, str, str]]:
    """Each run with what came of it, empty where it went well, and what it cost."""
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
            cost = f"{time.monotonic() - start:.0f} s and {_megabytes(folder / 'venv')} MB"
            shutil.rmtree(folder, ignore_errors=True)
        yield run, fault, cost


def main() -> int:
    """Run the recipes named, or all; 0 where every one did what it says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recipes", description=__doc__)
    parser.add_argument("tools", nargs="*", help="ids of tools; without any, every recipe")
    failed = 0
    for run, fault, cost in _each(parser.parse_args().tools):
        failed += bool(fault)
        print(f"  {'FAILED' if fault else 'ran'} {run.tool} in {cost} {fault}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
