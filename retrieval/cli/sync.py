"""The command ``sync``: the index brought in step with the catalog."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from retrieval.cli.arguments import (
    Commands,
    add_json,
    check_catalog,
    path_argument,
    read_catalog,
)
from retrieval.cli.output import write_json

if TYPE_CHECKING:
    from retrieval.settings import Settings

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
