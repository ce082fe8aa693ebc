"""Questions to a language model whose answer must match a schema; any other is unknown."""

from __future__ import annotations

import json
import logging
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import ceil
from time import perf_counter
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from retrieval.core import NO_LIMIT, Deadline, StageUnavailable, bounded
from retrieval.llm.budget import Budget, guess_tokens
from retrieval.llm.port import IMAGE_TOKENS, LanguageModel

logger = logging.getLogger("retriever.language_model")

T = TypeVar("T", bound=BaseModel)

ANSWER_TOKENS = 2000
"""Tokens held back for one answer, and the most a client asks for."""

MOST_STARTS = 50
"""Places in an answer at which a JSON object is looked for."""

BACKSTOP_S = 0.2
"""Seconds more, so that a model which ends in its time by itself tells its own reason."""

LEAST_S = 0.2
"""Seconds from which on a call is begun: in less no model answers, and a first call that ran into
its time leaves up to .15 of 1.5 (a tenth is the client's margin)."""

THOUGHT = "</think>"

SHOWN = 600
"""Characters of an unusable answer that a repair turn repeats."""


@cache
def prompt_file(name: str, folder: str = "llm") -> str:
    """The text of ``prompts/<name>.txt`` in a folder of the library, read once per process.

    Raises FileNotFoundError for a name that has no file.
    """
    return files(f"retrieval.{folder}").joinpath(f"prompts/{name}.txt").read_text("utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[T]):
    """An answer in its shape; None is unknown, and the reason says why in plain words.

    ``is_cut``: the value is of the rows that came before the time was over.
    """

    value: T | None
    reason: str = ""
    calls: int = 0
    is_cut: bool = False


@dataclass
class _Talk:
    """The calls of one question, each inside the budget and the deadline."""

    model: LanguageModel
    schema: dict[str, Any]
    budget: Budget
    deadline: Deadline
    images: Sequence[bytes]
    calls: int = 0
    refusal: str = field(default="")

    def call(self, prompt: str) -> str | None:
        """The answer's text; None, with ``refusal`` set, when no call may be made."""
        if self.deadline.left < LEAST_S:
            self.refusal = "the time for the language model was used up"
            return None
        estimate = (guess_tokens(prompt) + len(self.images) * IMAGE_TOKENS, ANSWER_TOKENS)
        self.refusal = self.budget.take(*estimate)
        if self.refusal:
            return None
        self.calls += 1
        start, spent = perf_counter(), [(0, 0)]
        try:
            text = self._bounded(prompt, spent)
            if spent == [(0, 0)]:
                spent = [(estimate[0], guess_tokens(text))]
            return text
        finally:
            waited = (perf_counter() - start) * 1000
            self.budget.settle(estimate, spent[-1], waited)

    def _bounded(self, prompt: str, spent: list[tuple[int, int]]) -> str:
        seconds_left = None if self.deadline == NO_LIMIT else ceil(self.deadline.left * 10) / 10

        def call() -> str:
            return self.model.complete(
                prompt,
                schema=self.schema,
                images=self.images,
                seconds=seconds_left,
                meter=lambda i, o: spent.append((i, o)),
            )

        if seconds_left is None:
            return call()
        return bounded(call, seconds_left + BACKSTOP_S, "the language model")


def ask(
    model: LanguageModel,
    prompt: str,
    shape: type[T],
    *,
    budget: Budget | None = None,
    deadline: Deadline = NO_LIMIT,
    repair: bool = True,
    images: Sequence[bytes] = (),
    partial: bool = False,
) -> Reply[T]:
    """The model's answer checked against ``shape``, with at most one repair turn.

    An answer that cannot be read, and a call that budget or deadline forbid, are unknown.
    Raises StageUnavailable when the first call itself fails: no server, no answer in time.
    The prompt itself says which JSON is wanted: not every server can be held to a schema.
    ``partial``: the complete rows of an answer that lacks its end are an answer.
    """
    talk = _Talk(model, shape.model_json_schema(), budget or Budget(), deadline, images)
    answer = talk.call(prompt)
    if answer is None:
        return Reply(value=None, reason=talk.refusal)
    value, problem = read_answer(answer, shape)
    if value is None and partial and (rows := first_rows(answer, shape)) is not None:
        return Reply(value=rows, calls=talk.calls, is_cut=True)
    if value is None and repair:
        value, problem = _repaired(talk, prompt, answer, shape, problem)
    if value is None:
        logger.warning("An answer of the language model was not used: %s", problem)
    return Reply(value=value, reason=problem, calls=talk.calls)


def _repaired(
    talk: _Talk, prompt: str, answer: str, shape: type[T], problem: str
) -> tuple[T | None, str]:
    excerpt = json.dumps(answer[:SHOWN], ensure_ascii=True)
    try:
        repair = prompt_file("repair").format(problem=problem, answer=excerpt)
        again = talk.call(prompt + repair)
    except StageUnavailable as exc:
        return None, f"{problem}; asked again: {exc}"
    if again is None:
        return None, f"{problem}; not asked again: {talk.refusal}"
    value, still = read_answer(again, shape)
    return value, still and f"{still}, twice"


def read_answer(answer: str, shape: type[T]) -> tuple[T | None, str]:
    """The first JSON object of a text that has the shape, in prose and fences too; else why not.

    A reasoning model's thoughts before its answer are left out.
    """
    # Reasoning models write drafts of the object there.
    answer = answer.rpartition(THOUGHT)[2]
    if not answer.strip():
        return None, "the language model's answer was empty"
    problem = "the language model's answer held no JSON object"
    for value in _objects(answer):
        try:
            return shape.model_validate(value), ""
        except ValidationError as exc:
            first = exc.errors(include_url=False, include_input=False, include_context=False)[0]
            field_of = next((p for p in first["loc"][:1] if p in shape.model_fields), "the whole")
            problem = f"the language model's answer has another shape ({field_of}: {first['type']})"
    return None, problem


def first_rows(answer: str, shape: type[T]) -> T | None:
    """The complete rows of an answer whose one list lacks its end; None where there are none."""
    text = answer.rpartition(THOUGHT)[2]
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end <= start:
        return None
    value, _ = read_answer(text[start : end + 1] + "]}", shape)
    return value


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects of a text, outermost first, left to right."""
    # NaN and Infinity are no JSON; int raises ValueError over them.
    decoder = json.JSONDecoder(parse_constant=int)
    at = text.find("{")
    for _ in range(MOST_STARTS):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
            value = _clean(value)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            yield value
        at = text.find("{", end)


def _clean(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """The same value with every half of a surrogate pair replaced, so that it can be written."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value


def plain(text: str) -> str:
    """One line of composed text (NFC) without control and formatting characters.

    Quotation marks round the whole are removed: models often add them.
    """
    visible = (
        " " if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn"} else c for c in text
    )
    return " ".join(unicodedata.normalize("NFC", "".join(visible)).split()).strip("\"'`")
