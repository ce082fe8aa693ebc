"""Tools and requests as a language model reads them: one line of fenced data each."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from retrieval.core import Candidate, Query, Tool
from retrieval.llm.budget import guess_tokens

MAX_NAME, MAX_DESCRIPTION, MAX_TASK = 100, 400, 2000
MAX_REASON = 200
MAX_LINKS = 8

_MARKUP = re.compile(r"<[^<>]*>")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_NUMBER = re.compile(r"^\W*\d{1,2}[.)]\s+")
_ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.|(?:javascript|data|mailto):)\S*", re.I)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def plain(text: str, limit: int) -> str:
    """One line of visible characters, cut to ``limit``."""
    shown = (_visible(c) for c in text[: limit * 4])
    return " ".join("".join(shown).split())[:limit]


def _visible(character: str) -> str:
    """The character; a space for a control, nothing for what cannot be seen or written."""
    kind = unicodedata.category(character)
    if kind in ("Cc", "Zl", "Zp"):
        return " "
    return "" if kind in ("Cf", "Cs", "Co", "Cn") else character


def fenced(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """JSON on one line in which no tag can begin or end, so that data cannot leave its fence."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def sentence(text: str) -> str:
    """A model's reason as one plain sentence: no markup, no address, nothing invisible."""
    bare = _ADDRESS.sub("", _MARKUP.sub("", _LINK.sub(r"\1", plain(text, MAX_REASON * 3))))
    bare = bare.replace("<", "").replace(">", "").replace("`", "")
    bare = _NUMBER.sub("", " ".join(bare.split()))
    first = _SENTENCE_END.split(bare, maxsplit=1)[0]
    return first if len(first) <= MAX_REASON else first[: MAX_REASON - 1].rstrip() + "…"


def candidate_card(candidate: Candidate, shown: frozenset[str]) -> str:
    """A candidate with what it does, its fit, and its ties to the other tools shown.

    One line of JSON. Ties to tools that are not shown are left out: the model could name them.
    """
    tool = candidate.tool
    card: dict[str, Any] = _summary(tool, MAX_DESCRIPTION)
    if tool.tasks:
        card["tasks"] = [plain(task, MAX_NAME) for task in tool.tasks[:MAX_LINKS]]
    if candidate.fit:
        card["fit"] = {plain(f.fact, MAX_NAME): f.verdict for f in candidate.fit}
    ties = {"needs": tool.requires_tool, "goes_with": (*tool.compatible_with, *tool.co_used_with)}
    for name, ids in ties.items():
        if listed := [i for i in dict.fromkeys(ids) if i in shown and i != tool.id]:
            card[name] = listed[:MAX_LINKS]
    return fenced(card)


def tool_card(tool: Tool, describe: int) -> str:
    """A record of the catalog with so many characters of its description."""
    return fenced(_summary(tool, describe))


def _summary(tool: Tool, describe: int) -> dict[str, Any]:
    return {
        "id": tool.id,
        "name": plain(tool.name, MAX_NAME),
        "does": plain(tool.description, describe),
    }


def request_card(query: Query, tokens: Sequence[str], wanted: int, images: int = 0) -> str:
    """What is asked for: task, data as tokens, how many tools; the only part that changes."""
    task = plain(query.text, MAX_TASK)
    card: dict[str, Any] = {"task": task or "whatever suits the data"}
    card["data"] = " ".join(plain(token, MAX_NAME) for token in tokens) or "not given"
    if query.reading and (reading := plain(" ".join(query.reading), MAX_TASK)) != task:
        card["task in English"] = reading
    card["tools wanted"] = wanted
    if images:
        card["pictures"] = f"{images} slices of the data go with this request"
    return fenced(card)


def fitting(cards: Iterable[str], tokens: int) -> Sequence[str]:
    """The first cards that stay within so many tokens, at least one, in their order."""
    first: list[str] = []
    used = 0
    for card in cards:
        used += guess_tokens(card)
        if used > tokens and first:
            break
        first.append(card)
    return first
