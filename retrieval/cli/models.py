"""The command ``models``: which weights there are, which are here, and how they get here."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from retrieval.cli.arguments import Commands, add_json
from retrieval.cli.output import write_line, write_result
from retrieval.core import StageUnavailable

if TYPE_CHECKING:
    from retrieval.settings import Settings

UNUSABLE = ("unfinished", "damaged")


def add_models(commands: Commands) -> None:
    """Add the parsers of ``models list``, ``models fetch`` and ``models check``."""
    parser = commands.add_parser("models", help="weights: list, fetch on request, check")
    parts = parser.add_subparsers(dest="part", required=True)
    listing = parts.add_parser("list", help="name, size, licence, purpose, and whether it is here")
    add_json(listing)
    listing.set_defaults(run=run_list)
    fetching = parts.add_parser("fetch", help="download a model into the cache, or go on with it")
    fetching.add_argument("name", help="a name of the list, or owner/name of the hub")
    fetching.set_defaults(run=run_fetch, interrupted="stopped; fetch again to go on")
    checking = parts.add_parser("check", help="whether every file of the hub's cache has its hash")
    add_json(checking)
    checking.set_defaults(run=run_check)


def run_list(args: argparse.Namespace, settings: Settings) -> None:
    """Print every model that the source systems name."""
    write_result(args, _rows(), lambda: "\n".join(map(_line, _rows())))


def run_fetch(args: argparse.Namespace, settings: Settings) -> None:
    """Fetch a model and print its folder. Raises StageUnavailable with the way by hand."""
    from retrieval.wiring import fetch_model

    write_line(str(fetch_model(args.name)))


def run_check(args: argparse.Namespace, settings: Settings) -> None:
    """Print the state of every model of the hub's cache, and the names of damaged files.

    What is made of a model (exported graphs, token vectors) lies in the cache of this program and
    is checked where it is opened.

    Raises StageUnavailable after the output where a model is damaged or unfinished.
    """
    from retrieval.wiring import MODELS, damaged_files, hub_cache

    rows = [row for row in _rows() if row["state"] != "not here"]
    ids = {model.name: model.id for model in MODELS}
    lines, unusable = [], []
    for row in rows:
        name, state = row["name"], row["state"]
        row["damaged"] = [path.name for path in damaged_files(ids[name])]
        remedy = ""
        if state in UNUSABLE:
            unusable.append(name)
            remedy = f": python -m retrieval models fetch {name}"
        lines.append(f"{name:14} {state}{remedy}")
    nothing = f"no model is in the hub's cache, {hub_cache()}"
    write_result(args, rows, lambda: "\n".join(lines) or nothing)
    if unusable:
        raise StageUnavailable(f"fetch again before use: {', '.join(unusable)}")


def _rows() -> list[dict[str, Any]]:
    from retrieval.wiring import MODELS, model_state

    return [{**asdict(model), "state": model_state(model.id)} for model in MODELS]


def _line(row: dict[str, Any]) -> str:
    size = f"{row['megabytes']:,} MB"
    head = f"{row['name']:13} {row['state']:14} {size:>9}  {row['licence']:11} {row['id']}"
    return f"{head}\n{'':13} {row['role']}: {row['purpose']}; {row['setting']}={row['name']}"
