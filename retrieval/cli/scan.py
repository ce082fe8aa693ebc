"""The command ``scan``: what files are."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from retrieval.cli.arguments import Commands, add_json, path_argument
from retrieval.cli.output import write_json, write_line

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
