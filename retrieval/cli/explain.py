"""The command ``explain``: what became of one tool in a search."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from retrieval.cli.arguments import Commands, add_json, add_mode, add_text_and_files
from retrieval.cli.output import write_result
from retrieval.cli.search import answer_query

if TYPE_CHECKING:
    from retrieval.explain import Explained
    from retrieval.settings import Settings


def add_explain(commands: Commands) -> None:
    """Add the parser of ``explain``."""
    parser = commands.add_parser("explain", help="what became of one tool in a search")
    add_text_and_files(parser)
    add_mode(parser)
    parser.add_argument("--tool", required=True, help="id or name")
    add_json(parser)
    parser.set_defaults(run=run_explain)


def run_explain(args: argparse.Namespace, settings: Settings) -> None:
    """Print what became of ``--tool``: its fate, the reasons, and its rank at every stage."""
    from retrieval.export import explained_json

    engine, answer = answer_query(args, settings)
    explained = engine.explain(answer, args.tool)
    write_result(args, explained_json(explained), lambda: _explained_text(explained))


def _explained_text(explained: Explained) -> str:
    name = explained.tool.name if explained.tool else explained.text
    head = f"{name}: {explained.fate.replace('_', ' ')}"
    head += f" ({explained.stage})" if explained.stage else ""
    head += f", rank {explained.rank}" if explained.rank else ""
    why = [f"because of: {', '.join(explained.reasons)}"] if explained.reasons else []
    names = ", ".join(explained.did_you_mean)
    near = [f"did you mean {names}?"] if names else []
    rows = [
        f"  {p.stage:28} rank {p.rank or '-':>5} of {p.length:<4} "
        f"score {'-' if p.score is None else f'{p.score:.4f}':>9}  last {p.cut_off or 0:.4f}"
        for p in explained.places
    ]
    return "\n".join([head, *why, *near, *rows])
