"""The command ``search``: tools for a task and files."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from retrieval.cli.arguments import (
    Commands,
    add_json,
    add_mode,
    add_text_and_files,
    checked_top_k,
)
from retrieval.cli.output import write_json, write_line
from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.engine import Answer, Engine
    from retrieval.settings import Settings


def add_search(commands: Commands) -> None:
    """Add the parser of ``search``."""
    parser = commands.add_parser("search", help="tools for a task and files")
    add_text_and_files(parser)
    add_json(parser, "a cohort is JSON in any case")
    add_mode(parser)
    parser.add_argument("--top-k", type=int, default=None)
    parser.set_defaults(run=run_search)


def run_search(args: argparse.Namespace, settings: Settings) -> None:
    """Print the answer as JSON or as a table."""
    _, answer = answer_query(args, settings, checked_top_k(args))
    from retrieval.export import table, to_json

    if args.json:
        write_json(to_json(answer))
    else:
        write_line(table(answer))


def answer_query(
    args: argparse.Namespace, settings: Settings, top_k: int | None = None
) -> tuple[Engine, Answer]:
    """The engine, once every stage is ready, and its answer to TEXT and the files."""
    if not args.text.strip() and not args.files:
        raise BadInput("TEXT is empty and there is no --file; say what you want to do")
    from retrieval import open_engine

    engine = open_engine(settings)
    engine.check(args.mode)
    # Files are read before the wait: models load in the background meanwhile.
    upload = engine.read_scans(args.files, preview=False) if args.files else None
    scans, refused = (upload.scans, upload.refused) if upload else ((), ())
    engine.wait()
    tokens = upload.search_tokens if upload else ()
    muted = {t for s in scans for t in s.tokens} - set(tokens)
    answer = engine.run(
        args.text,
        args.mode,
        scans=scans,
        tokens=tokens,
        muted_tokens=muted,
        refused=refused,
        top_k=top_k,
    )
    return engine, answer
