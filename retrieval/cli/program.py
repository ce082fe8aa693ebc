"""The parser of the command line, and one run of it.

Each command has two functions: ``add_*`` adds its parser and ``run_*`` runs it. The library is
imported inside ``run_*``, so that ``--help`` and usage errors are immediate.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from retrieval.cli.catalog import add_catalog, add_similar, add_sync
from retrieval.cli.chat import add_chat
from retrieval.cli.evaluate import add_evaluate
from retrieval.cli.models import add_models
from retrieval.cli.output import visible
from retrieval.cli.questions import add_ask, add_web
from retrieval.cli.scans import add_cohort, add_scan
from retrieval.cli.search import add_explain, add_replay, add_search, add_what_if
from retrieval.core import RetrievalError
from retrieval.settings import apply_log_level, read_settings

COMMANDS = (
    *(add_search, add_cohort, add_explain, add_what_if, add_similar, add_replay),
    *(add_web, add_scan, add_ask, add_chat, add_sync, add_catalog, add_models, add_evaluate),
)
"""Every command, in the order of ``--help``."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print one line without the usage text, which argparse would print first."""
        sys.stderr.write(f"{self.prog}: {message}\n")
        raise SystemExit(2)


def build_parser() -> argparse.ArgumentParser:
    """The parser of every command.

    The parsed arguments carry ``run``, which takes them and the settings, and ``interrupted``,
    the message after Ctrl-C.
    """
    parser = _Parser(prog="python -m retrieval", description="Find software for a task and a scan.")
    parser.set_defaults(interrupted="stopped")
    commands = parser.add_subparsers(dest="command", required=True)
    for add_command in COMMANDS:
        add_command(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 with an answer, 2 for a usage error, 1 for a defect, 130 for Ctrl-C.

    Ctrl-C in a cohort ends the reading or the search; the subjects read and the groups searched
    until then are printed, and the code is 0.
    """
    args = build_parser().parse_args(argv)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    try:
        settings = read_settings()
        apply_log_level(settings)
        args.run(args, settings)
    except RetrievalError as exc:
        sys.stderr.write(visible(f"{exc}") + "\n")
        return 2
    except BrokenPipeError:
        # The reader of stdout (``head``, a pager) closed it: nothing is wrong.
        return 0
    except KeyboardInterrupt:
        sys.stderr.write(f"\n{args.interrupted}\n")
        return 130
    return 0


def exit_now(code: int) -> NoReturn:
    """End the process without waiting for threads: a model may still load in the background."""
    for stream in (sys.stdout, sys.stderr):
        # What cannot be written was reported when it was written; a closed stream is None.
        with suppress(OSError, AttributeError):
            stream.flush()
    os._exit(code)
