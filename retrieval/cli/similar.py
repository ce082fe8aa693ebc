"""The command ``similar``: tools like another one."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from retrieval.cli.arguments import Commands, add_json
from retrieval.cli.output import write_result
from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.explain import Similar
    from retrieval.settings import Settings

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

    engine = open_engine(settings)
    engine.wait()
    wanted = Wanted(open_license=args.open, cpu=args.cpu, since=args.since)
    similar = engine.similar(args.tool, wanted, args.limit)
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
