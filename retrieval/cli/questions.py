"""The commands over questions: ``ask`` and ``web``."""

from __future__ import annotations

import argparse
from dataclasses import asdict
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
    parser.add_argument(
        "--without",
        metavar="ANSWERER",
        action="append",
        default=[],
        help="who is not asked; may be repeated",
    )
    parser.add_argument("--explain", action="store_true", help="the query in words, by the model")
    parser.add_argument("--update", metavar="REQUEST", help="change the query so, and run it")
    add_json(parser)
    parser.set_defaults(run=run_ask)


def run_ask(args: argparse.Namespace, settings: Settings) -> None:
    """Print the answer as one line of JSON, or as text. Raises BadInput for an empty question.

    With ``--explain`` or ``--update`` the question goes through the steps over the schema.
    """
    from retrieval.wiring import SCHEMA, open_question_engine, response_json, response_text

    engine = open_question_engine(settings)
    by_steps = bool(args.explain or args.update)
    answerer = SCHEMA if by_steps else args.answerer
    response = engine.ask(args.question, answerer=answerer, without=args.without)
    data, text = response_json(response), response_text(response)
    if by_steps:
        steps = engine.steps.update(response.steps, args.update) if args.update else response.steps
        data["steps"] = asdict(steps)
        text = f"{text}\n\n{steps.query}"
        if args.explain:
            data["explanation"] = engine.steps.explain(steps)
            text = f"{text}\n\n{data['explanation']}"
        if args.update:
            rows, _ = engine.run_query(steps.query)
            data["rows"] = [list(row) for row in rows.rows]
            text = "\n".join([text, "", *(", ".join(map(str, row)) for row in rows.rows)])
    write_result(args, data, lambda: text)


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
