"""The commands over questions: ``ask`` and ``web``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from retrieval.cli.arguments import Commands, add_json
from retrieval.cli.output import write_result
from retrieval.core import BadInput

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


def add_web(commands: Commands) -> None:
    """Add the parser of ``web``."""
    parser = commands.add_parser("web", help="papers and pages from the web, where switched on")
    parser.add_argument("text")
    parser.add_argument("--literature", action="store_true", help="the scientific sources at once")
    add_json(parser)
    parser.set_defaults(run=run_web)


def run_web(args: argparse.Namespace, settings: Settings) -> None:
    """Print the answer as one line of JSON, or as a table.

    Raises OutsideCallRefused while web search is off, BadInput for an empty text.
    """
    if not args.text.strip():
        raise BadInput("TEXT is empty; say what to search the web for")
    from retrieval.web import web_json, web_table
    from retrieval.wiring import open_web

    answer = open_web(settings).run(args.text, "literature" if args.literature else "")
    write_result(args, web_json(answer), lambda: web_table(answer))
