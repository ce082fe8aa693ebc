"""The command ``ask``: an answer with its evidence."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from retrieval.cli.arguments import Commands, add_json
from retrieval.cli.output import write_result

if TYPE_CHECKING:
    from retrieval.settings import Settings


def add_ask(commands: Commands) -> None:
    """Add the parser of ``ask``."""
    parser = commands.add_parser("ask", help="an answer with its evidence")
    parser.add_argument("question")
    parser.add_argument("--answerer", help="who answers, instead of the choice made")
    add_json(parser)
    parser.set_defaults(run=run_ask)


def run_ask(args: argparse.Namespace, settings: Settings) -> None:
    """Print the answer as one line of JSON, or as text. Raises BadInput for an empty question."""
    from retrieval.wiring import open_question_engine, response_json, response_text

    response = open_question_engine(settings).ask(args.question, answerer=args.answerer)
    write_result(args, response_json(response), lambda: response_text(response))
