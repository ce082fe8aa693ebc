"""The commands over files: ``scan`` for what they are, ``cohort`` for many subjects."""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from typing import TYPE_CHECKING, Any

from retrieval.cli.arguments import Commands, add_json, add_mode, checked_top_k, path_argument
from retrieval.cli.output import write_json, write_line
from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.settings import Settings


def add_scan(commands: Commands) -> None:
    """Add the parser of ``scan``."""
    parser = commands.add_parser("scan", help="what files are")
    parser.add_argument("paths", nargs="+", type=path_argument)
    parser.add_argument("--each", action="store_true", help="one line for each path")
    add_json(parser)
    parser.set_defaults(run=run_scan)


def run_scan(args: argparse.Namespace, settings: Settings) -> None:
    """Print one upload, indented unless ``--json``; or a line per path with ``--each``."""
    from retrieval import scan_json
    from retrieval.scans import read_each, read_scans

    if args.each:
        for upload in read_each(args.paths):
            write_json(scan_json(upload))
        return
    data = scan_json(read_scans(args.paths, preview=False))
    write_line(json.dumps(data, ensure_ascii=False, indent=None if args.json else 2))


def add_cohort(commands: Commands) -> None:
    """Add the parser of ``cohort``."""
    parser = commands.add_parser("cohort", help="tools for every kind of series of many subjects")
    parser.add_argument("text")
    parser.add_argument("paths", nargs="+", type=path_argument, help="folder, BIDS tree or zip")
    add_json(parser, "a cohort is JSON in any case")
    add_mode(parser)
    parser.add_argument("--top-k", type=int, default=None)
    parser.set_defaults(run=run_cohort)


def run_cohort(args: argparse.Namespace, settings: Settings) -> None:
    """Print the groups of series with their tools as JSON, and notes on stderr.

    Raises BadInput where nothing lies at any path. The first Ctrl-C ends the step that runs; what
    it gave until then goes on to the next.
    """
    from retrieval import cohort_json, open_engine, stream_cohort, stream_subjects
    from retrieval.scans import on_interrupt

    top_k = checked_top_k(args)
    if not any(path.exists() for path in args.paths):
        raise BadInput("PATHS: there is no such file or folder; check the spelling")
    # Subjects are read before the wait: models load in the background meanwhile.
    engine = open_engine(settings, background=True)
    engine.check(args.mode)
    with on_interrupt() as halt:
        uploads: Any = deque(stream_subjects(args.paths, halt=halt), maxlen=1)[0]
    engine.wait()
    with on_interrupt() as halt:
        parts = stream_cohort(engine, args.text, uploads, args.mode, top_k=top_k, halt=halt)
        cohort = deque(parts, maxlen=1)[0]
    sys.stderr.writelines(f"{note}\n" for note in cohort.notes)
    write_json(cohort_json(cohort))
