"""A language model read from a file of rules, for demos and tests without a key."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from retrieval.core import BadInput, StageUnavailable
from retrieval.llm.budget import guess_tokens

REQUEST_LINES = 3

NO_RULE = "the script of the language model has no answer to this prompt"


class _Rule(BaseModel):
    """Applies to prompts for ``shape`` (a schema's title) whose request holds all of ``contains``.

    It says ``answer``; or, with ``order``, the tools of the prompt under that name, those first
    that share most words with the task, each with ``why``; or, with ``each``, ``answer`` and
    under that name ``why`` for every line of the prompt that is a JSON string, its {text}.
    """

    model_config = ConfigDict(extra="forbid")

    shape: str = ""
    contains: list[str] = []
    answer: str | dict[str, Any] | None = None
    order: str = ""
    each: str = ""
    why: str = ""

    def applies(self, request: str, title: str) -> bool:
        """Whether this rule answers the prompt."""
        folded = request.casefold()
        return self.shape in ("", title) and all(w.casefold() in folded for w in self.contains)


class _Script(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rules: list[_Rule]


class ScriptedFile:
    """Answers by the first rule that applies; the same prompt always gets the same answer."""

    id = "scripted"
    host = ""

    def __init__(self, path: Path) -> None:
        try:
            self._rules = _Script.model_validate_json(path.read_text("utf-8")).rules
        except (OSError, UnicodeDecodeError):
            raise BadInput("SCANSCOUT_LLM_SCRIPT: the file cannot be read") from None
        except ValidationError as exc:
            first = exc.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise BadInput(f"SCANSCOUT_LLM_SCRIPT: {place or 'file'}: {first['msg']}") from None

    def complete(
        self,
        prompt: str,
        *,
        schema: dict[str, Any] | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        """The rule's answer; raises StageUnavailable when none applies."""
        title = str((schema or {}).get("title", ""))
        rule = next((r for r in self._rules if r.applies(_request(prompt), title)), None)
        if rule is None:
            raise StageUnavailable(NO_RULE)
        answer = _answer(prompt, rule)
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        if meter is not None:
            meter(guess_tokens(prompt), guess_tokens(text))
        return text


def _request(prompt: str) -> str:
    """The end of a prompt, which names the task."""
    return "\n".join(prompt.rstrip().splitlines()[-REQUEST_LINES:])


def _answer(prompt: str, rule: _Rule) -> str | dict[str, Any] | None:
    if rule.order:
        return _ordered(prompt, rule)
    if not rule.each:
        return rule.answer
    texts = (line[1:-1] for line in prompt.splitlines() if re.fullmatch('".*"', line))
    answer = rule.answer if isinstance(rule.answer, dict) else {}
    return {**answer, rule.each: [rule.why.replace("{text}", text) for text in texts]}


def _ordered(prompt: str, rule: _Rule) -> dict[str, Any]:
    """The tools of a prompt (its lines that are JSON objects with an id); ties keep their order."""
    tools = [card for line in prompt.splitlines() if "id" in (card := _object(line))]
    lines = [(line, _object(line)) for line in _request(prompt).splitlines()]
    task = _words(
        " ".join(f"{c['task']} {c.get('data', '')}" if "task" in c else line for line, c in lines)
    )
    shared = [(len(task & _words(json.dumps(card, ensure_ascii=False))), card) for card in tools]
    best = sorted(shared, key=lambda row: -row[0])
    if not rule.why:
        return {rule.order: [card["id"] for _, card in best]}
    why = rule.why
    return {rule.order: [{"id": t["id"], "why": why.replace("{n}", str(n))} for n, t in best]}


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line) if line.startswith("{") else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _words(text: str) -> frozenset[str]:
    return frozenset(w for w in re.findall(r"\w+", text.casefold()) if len(w) > 2)
