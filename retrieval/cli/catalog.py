"""The command ``catalog`` and its action ``report``: fill rates, gaps, duplicates, weak records."""

from __future__ import annotations

import argparse
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
from retrieval.cli.output import write_result

if TYPE_CHECKING:
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
