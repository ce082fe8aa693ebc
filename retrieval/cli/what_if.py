"""The command ``what-if``: a search with one lever off."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from retrieval.cli.arguments import Commands, add_json, add_mode, add_text_and_files
from retrieval.cli.output import write_result
from retrieval.cli.search import answer_query

if TYPE_CHECKING:
    from retrieval.settings import Settings


def add_what_if(commands: Commands) -> None:
    """Add the parser of ``what-if``."""
    parser = commands.add_parser("what-if", help="a search with one lever off")
    add_text_and_files(parser)
    add_mode(parser)
    parser.add_argument("--off", required=True, help="tokens, graph, fit, rerank, expansion, ...")
    add_json(parser)
    parser.set_defaults(run=run_what_if)


def run_what_if(args: argparse.Namespace, settings: Settings) -> None:
    """Print the ranks that change when ``--off`` is off."""
    from retrieval.export import what_if_json

    engine, answer = answer_query(args, settings)
    change = engine.what_if(answer, args.off)
    rows = [f"  {m.name:40.40} {m.before or '-':>4} -> {m.after or '-'}" for m in change.moved]
    head = f"without {change.lever}: {len(rows)} tools move  [{change.mode}]"
    write_result(args, what_if_json(change), lambda: "\n".join([head, *rows]))
