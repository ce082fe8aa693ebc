"""The command ``chat``: a search that goes on, one line per turn, with the rounds of each.

The memory is the query itself, which every further line changes; without a language model the same
lines give the same answers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from retrieval.cli.arguments import Commands, add_json, checked_top_k
from retrieval.cli.output import write_result
from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.engine import Answer, Engine
    from retrieval.settings import Settings

HELP = (
    "undo takes a line back, /new starts again, /mode NAME changes the mode, "
    "/memory shows the search, /quit ends"
)


def add_chat(commands: Commands) -> None:
    """Add the parser of ``chat``."""
    parser = commands.add_parser("chat", help="a search in several turns, with its rounds")
    parser.add_argument("--mode", default="agentic")
    parser.add_argument("--top-k", type=int, default=5)
    add_json(parser, "one line of JSON per turn")
    parser.set_defaults(run=run_chat, interrupted="chat ended")


def run_chat(args: argparse.Namespace, settings: Settings) -> None:
    """Answer every line of stdin until it ends or says /quit; a wrong line is told, not fatal.

    Raises BadInput for an unknown mode or a ``--top-k`` outside 1 to 50.
    """
    from retrieval import open_engine

    top_k = checked_top_k(args)
    engine = open_engine(settings, background=True)
    engine.check(args.mode)
    engine.wait()
    chat = Chat(engine, args.mode, top_k)
    _remark(f"mode {args.mode}; {HELP}")
    for line in _lines():
        if line == "/quit":
            return
        try:
            _tell(args, chat, line)
        except BadInput as exc:
            _remark(str(exc))


def _lines() -> Iterator[str]:
    """The lines of stdin that say something, without blanks at their ends."""
    while True:
        if sys.stdin.isatty():
            sys.stderr.write("> ")
            sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def _remark(text: str) -> None:
    sys.stderr.write(f"{text}\n")


class Chat:
    """The memory of one session: the mode, and the search as the turns have made it."""

    def __init__(self, engine: Engine, mode: str, top_k: int | None) -> None:
        self._engine, self.mode, self._top_k = engine, mode, top_k
        self.earlier: list[Answer] = []
        self.understood: tuple[str, ...] = ()
        self.memory: list[str] = []

    def command(self, line: str) -> str:
        """Carry out a line that begins with a slash; what to tell. BadInput for an unknown one."""
        word, _, value = line.partition(" ")
        if word == "/new":
            self.earlier, self.memory = [], []
            return "the memory is empty"
        if word == "/mode":
            self._engine.check(value.strip())
            self.mode = value.strip()
            return f"mode {self.mode}"
        if word == "/memory":
            return "\n".join(self.memory) if self.memory else "the memory is empty"
        raise BadInput(f"{word}: no such command; {HELP}")

    def turn(self, text: str) -> Answer:
        """The answer to a line: a new search, or the last one as the line changes it.

        "Undo" gives the answer before the last line again, "start over" that to the first line.
        """
        from retrieval import takes_back

        back = takes_back(text) if self.earlier else ""
        if back:
            first = 1 if back == "all" else max(1, len(self.earlier) - 1)
            self.understood = (f"undone: {len(self.earlier) - first} of the lines before",)
            del self.earlier[first:]
            answer = self.earlier[-1]
        elif not self.earlier:
            self.understood = ()
            answer = self._engine.run(text, self.mode, top_k=self._top_k)
        else:
            change = self._engine.follow_up(self.earlier[-1].query, text)
            self.understood = change.understood
            answer = self._engine.run(change.query, self.mode, top_k=self._top_k)
        if not back:
            self.earlier.append(answer)
        self.memory += [f"search: {answer.query.text}", *(f"  {one}" for one in self.understood)]
        return answer


def _tell(args: argparse.Namespace, chat: Chat, line: str) -> None:
    if line.startswith("/"):
        _remark(chat.command(line))
        return
    answer = chat.turn(line)
    write_result(args, _json(chat, answer), lambda: "\n".join(_text(chat, answer)))
    sys.stdout.flush()


def _json(chat: Chat, answer: Answer) -> dict[str, Any]:
    from retrieval.agentic import agentic_report
    from retrieval.export import to_json

    report = agentic_report(answer.result)
    rounds = report.as_json() if report else None
    return {**to_json(answer), "understood": list(chat.understood), "rounds": rounds}


def _text(chat: Chat, answer: Answer) -> Iterator[str]:
    from retrieval.export import listing

    yield f"search: {answer.query.text}"
    yield from (f"  {change}" for change in chat.understood)
    yield from _rounds(answer)
    if text := listing(answer):
        yield text
    if not answer.candidates:
        yield "no tool was found; say it in other words or type /new"


def _rounds(answer: Answer) -> Iterator[str]:
    """What each round found and how it was judged; nothing in a mode without rounds."""
    from retrieval.agentic import agentic_report

    report = agentic_report(answer.result)
    if report is None:
        return
    verdicts = {True: "nothing more to look for", False: "not all covered", None: "not judged"}
    yield f"round 1: {_tools(report.round1_count)}, {verdicts[report.is_sufficient]}"
    yield from (f"  {text}" for text in (report.reasoning, report.fallback_reason) if text)
    if report.is_multi_round:
        more = (
            "1 further query"
            if report.num_queries == 1
            else f"{report.num_queries} further queries"
        )
        yield f"round 2: {_tools(report.round2_count)} after {more}"
        yield from (f"  {n}. {text}" for n, text in enumerate(report.refined_queries, start=1))


def _tools(number: int) -> str:
    return "1 tool" if number == 1 else f"{number} tools"
