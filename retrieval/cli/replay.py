"""The command ``replay``: a saved search again."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from retrieval.cli.arguments import Commands, add_json, path_argument
from retrieval.cli.output import write_result
from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.export import Replayed
    from retrieval.settings import Settings


def add_replay(commands: Commands) -> None:
    """Add the parser of ``replay``."""
    parser = commands.add_parser("replay", help="a saved search again: the same, or what changed")
    parser.add_argument("file", type=path_argument, help="the JSON of a search")
    add_json(parser)
    parser.set_defaults(run=run_replay)


def run_replay(args: argparse.Namespace, settings: Settings) -> None:
    """Print whether a saved search gives the same ranks, and what changed since."""
    from retrieval import open_engine
    from retrieval.export import MAX_BYTES, replay_bytes, replay_json

    try:
        with args.file.open("rb") as file:
            # One byte over the limit is enough for replay_bytes to refuse the file.
            data = file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise BadInput(f"FILE: {exc.strerror}; name a file saved with search --json") from exc
    engine = open_engine(settings)
    engine.wait()
    replayed = replay_bytes(engine, data)
    write_result(args, replay_json(replayed), lambda: _replayed_text(replayed))


def _replayed_text(replayed: Replayed) -> str:
    head = "the same ranks" if replayed.same else f"{len(replayed.moved)} ranks differ"
    rows = [f"  {c.what}: {c.was or '-'} -> {c.now or '-'}" for c in replayed.changed]
    if not replayed.same and not rows:
        rows = ["  nothing that the file tells is different"]
    rows += [f"  limit: {limit.text}" for limit in replayed.limits]
    moved = [f"  {r.id:40.40} {r.was or '-':>4} -> {r.now or '-'}" for r in replayed.moved]
    return "\n".join([head, *rows, *moved])
