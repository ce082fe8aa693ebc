"""Tools and requests as a language model reads them, and its answers about tools.

What it reads is one line of fenced data each; a row of an answer that cannot be used costs only
itself.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from retrieval.core import Candidate, Query, Tool
from retrieval.llm.budget import guess_tokens

MAX_NAME, MAX_DESCRIPTION, MAX_TASK = 100, 240, 2000
"""Characters; a description says in its first 240 what a tool does and to what."""

MAX_LINE = 100
"""Characters of a description where the whole of an expansion goes into one prompt."""

MAX_REASON = 200
MAX_LINKS = 8

_UNSEEN = frozenset({"Cf", "Cs", "Co", "Cn"})
_MARKUP = re.compile(r"<[^<>]*>")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_NUMBER = re.compile(r"^\W*\d{1,2}[.)]\s+")
_ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.|(?:javascript|data|mailto):)\S*", re.I)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def plain(text: str, limit: int) -> str:
    """One line of visible characters, cut to ``limit``."""
    kinds = ((c, unicodedata.category(c)) for c in text[: limit * 4])
    # A space for a control, nothing for what cannot be seen or written.
    visible_chars = (" " if k in ("Cc", "Zl", "Zp") else c for c, k in kinds if k not in _UNSEEN)
    return " ".join("".join(visible_chars).split())[:limit]


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


def candidate_card(
    candidate: Candidate, tool_ids: frozenset[str], describe: int = MAX_DESCRIPTION
) -> str:
    """A candidate with what it does, its fit, and its ties to the other tools shown.

    One line of JSON, with ``describe`` characters of the description; its tasks where that is not
    a mere line. Ties to tools that are not shown are left out: the model could name them.
    """
    tool = candidate.tool
    card: dict[str, Any] = _summary(tool, describe)
    if tool.tasks and describe > MAX_LINE:
        card["tasks"] = [plain(task, MAX_NAME) for task in tool.tasks[:MAX_LINKS]]
    if candidate.fit:
        card["fit"] = {plain(f.fact, MAX_NAME): f.verdict for f in candidate.fit}
    ties = {"needs": tool.requires_tool, "goes_with": (*tool.compatible_with, *tool.co_used_with)}
    for name, ids in ties.items():
        if links := [i for i in dict.fromkeys(ids) if i in tool_ids and i != tool.id]:
            card[name] = links[:MAX_LINKS]
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


def request_card(query: Query, tokens: Sequence[str], tool_count: int, images: int = 0) -> str:
    """What is asked for: task, data as tokens, how many tools; the only part that changes."""
    task = plain(query.text, MAX_TASK)
    card: dict[str, Any] = {"task": task or "whatever suits the data"}
    card["data"] = " ".join(plain(token, MAX_NAME) for token in tokens) or "not given"
    if query.reading and (reading := plain(" ".join(query.reading), MAX_TASK)) != task:
        card["task in English"] = reading
    card["tools wanted"] = tool_count
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


def _id(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _rows(value: object) -> object:
    """The rows of a list that name a tool; a bare id is a row too."""
    if not isinstance(value, list):
        return value
    rows = [row if isinstance(row, dict) else {"id": row} for row in value]
    return [row for row in rows if isinstance(_id(row.get("id")), str)]


def _ids(value: object) -> object:
    rows = _rows(value)
    return [_id(row["id"]) for row in rows] if isinstance(rows, list) else rows


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


class Pick(BaseModel):
    """A tool, one sentence of reason, and the tools of the answer whose output it takes."""

    id: Annotated[str, BeforeValidator(_id)]
    why: Annotated[str, BeforeValidator(lambda v: v if isinstance(v, str) else "")] = ""
    after: Annotated[list[str], BeforeValidator(_texts)] = []


class Ranking(BaseModel):
    """Tools in the order of a pipeline."""

    tools: Annotated[list[Pick], BeforeValidator(_rows)]


class ToolIds(BaseModel):
    """Ids of tools, best first; ``Found`` is its title in the JSON schema and in scripts."""

    model_config = ConfigDict(title="Found")

    ids: Annotated[list[str], BeforeValidator(_ids)]
