"""The commands over the catalog: ``catalog report``, ``sync``, ``similar``."""

from __future__ import annotations

import argparse
import re
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

from retrieval.cli.arguments import (
    Commands,
    add_json,
    check_catalog,
    path_argument,
    read_catalog,
)
from retrieval.cli.harvest import add_harvest
from retrieval.cli.output import write_json, write_result
from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.explain import Similar
    from retrieval.settings import Settings


def add_catalog(commands: Commands) -> None:
    """Add the parser of ``catalog`` and of its actions."""
    catalog = commands.add_parser("catalog", help="look at the catalog itself")
    actions = catalog.add_subparsers(dest="action", required=True)
    report = actions.add_parser("report", help="fill rates, gaps, duplicates, weak records")
    report.add_argument("--catalog", type=path_argument)
    add_json(report)
    report.set_defaults(run=run_report)
    add_harvest(actions)


def run_report(args: argparse.Namespace, settings: Settings) -> None:
    """Print the report as JSON or text; a catalog without a usable record is an error after it."""
    from retrieval.catalog import report_of, report_text

    catalog = read_catalog(args, settings)
    report = report_of(catalog, date.today())
    write_result(args, asdict(report), lambda: report_text(report))
    check_catalog(catalog, args, settings)


INTERRUPTED = (
    "stopped: an index that was not finished stays as it was; the batches that were "
    "embedded are kept, and the next sync goes on from them"
)
"""The message after Ctrl-C."""


def add_sync(commands: Commands) -> None:
    """Add the parser of ``sync``."""
    parser = commands.add_parser("sync", help="bring the index in step with the catalog")
    parser.add_argument("--catalog", type=path_argument)
    parser.add_argument("--index", type=path_argument)
    add_json(parser, "what it prints in any case")
    parser.add_argument("--progress", action="store_true", help="a bar on stderr in any case")
    parser.set_defaults(run=run_sync, interrupted=INTERRUPTED)


def run_sync(args: argparse.Namespace, settings: Settings) -> None:
    """Print how many records were read, kept, added, updated and removed, and refused lines."""
    from retrieval.wiring import sync

    options = {"catalog": args.catalog, "index_dir": args.index}
    changes = {name: path for name, path in options.items() if path is not None}
    # The catalog is read here first: a message of ``sync`` would name the setting, not the option.
    catalog = read_catalog(args, settings)
    write_json(sync(settings.model_copy(update=changes), progress=args.progress or None))
    check_catalog(catalog, args, settings)


_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")

MAX_SIMILAR = 50
"""The largest ``--limit``."""


def add_similar(commands: Commands) -> None:
    """Add the parser of ``similar``."""
    parser = commands.add_parser("similar", help="tools like another one")
    parser.add_argument("tool", help="id or name")
    parser.add_argument("--open", action="store_true", help="under an open licence")
    parser.add_argument("--cpu", action="store_true", help="that need no GPU")
    parser.add_argument("--since", help="with a release since YYYY[-MM[-DD]]")
    parser.add_argument("--limit", type=int, default=10)
    add_json(parser)
    parser.set_defaults(run=run_similar)


def run_similar(args: argparse.Namespace, settings: Settings) -> None:
    """Print the tools like one, with what differs."""
    if args.since is not None and not _DATE.fullmatch(args.since):
        raise BadInput(
            f"--since: {args.since[:20]!r} is no date; write YYYY, YYYY-MM or YYYY-MM-DD"
        )
    if not 1 <= args.limit <= MAX_SIMILAR:
        raise BadInput(f"--limit: {args.limit} is outside 1 to {MAX_SIMILAR}")
    from retrieval import Wanted, open_engine, similar_json

    engine = open_engine(settings, seconds=None)
    wishes = Wanted(open_license=args.open, cpu=args.cpu, since=args.since)
    similar = engine.similar(args.tool, wishes, args.limit)
    write_result(args, similar_json(similar), lambda: _similar_text(similar))


def _similar_text(similar: Similar) -> str:
    lines = [f"like {similar.tool.name}:", *(f"  ({note})" for note in similar.notes)]
    for rank, one in enumerate(similar.neighbours, start=1):
        suite = "  same suite" if one.same_suite else ""
        lines.append(f"{rank:3}. {one.candidate.tool.name:40.40} {one.candidate.score:.4f}{suite}")
        lines += [
            f"       {d.field}: {', '.join(d.this) or '-'} | {', '.join(d.other) or '-'}"
            for d in one.differences
        ]
    return "\n".join(lines)
