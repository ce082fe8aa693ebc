"""The command ``catalog harvest``: facts proposed from a checkout of a tool's repository."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from retrieval.cli.arguments import (
    Commands,
    add_json,
    check_catalog,
    path_argument,
    read_catalog,
)
from retrieval.cli.output import write_json, write_line
from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.catalog import Record
    from retrieval.settings import Settings


def add_harvest(actions: Commands) -> None:
    """Add the parser of ``catalog harvest``."""
    harvest = actions.add_parser("harvest", help="propose facts from the files of a repository")
    harvest.add_argument("folder", type=path_argument)
    harvest.add_argument("--record", metavar="ID", help="show what this record states beside them")
    harvest.add_argument("--catalog", type=path_argument)
    add_json(harvest, "one JSON line per proposal")
    harvest.set_defaults(run=run_harvest)


def run_harvest(args: argparse.Namespace, settings: Settings) -> None:
    """Print the proposals as text or JSON lines, and what could not be read on stderr."""
    from retrieval.catalog import compare_facts, compared_text, harvest_folder

    record = _record(args, settings) if args.record else None
    harvest = harvest_folder(args.folder)
    facts = compare_facts(harvest.proposals, record)
    if args.json:
        for fact in facts:
            row = asdict(fact.proposal) | {"stated": fact.stated, "standing": fact.standing}
            write_json({"record": args.record, **row})
    else:
        write_line(compared_text(facts) or "no file of the folder states a fact that is known here")
    for problem in harvest.problems:
        sys.stderr.write(f"{problem}\n")


def _record(args: argparse.Namespace, settings: Settings) -> Record:
    """The record of ``--record``. Raises BadInput for an id that the catalog lacks."""
    catalog = read_catalog(args, settings)
    check_catalog(catalog, args, settings)
    for record in catalog.records:
        if record.id == args.record:
            return record
    raise BadInput(f"--record: {args.record!r} is no id of the catalog")
