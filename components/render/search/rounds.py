"""What the rounds of an agentic search did and why, in one notice; pure."""

from __future__ import annotations

from collections.abc import Mapping

from components.render.markup import attrs, esc
from components.render.words import count
from retrieval import Answer

BY = {
    "agentic": "Judged by the language model",
    "agentic_deterministic": "Judged by the concepts of your words, without a language model",
}

ONE: Mapping[bool | None, str] = {
    True: "One round was enough.",
    False: "There was one round.",
    None: "Nobody could say whether one round is enough.",
}


def rounds_panel(answer: Answer) -> str:
    """How many rounds, who judged, what was missing and asked; nothing in other modes.

    Empty while the search is running, since the number of rounds is not known before its end.
    """
    rounds = answer.agentic
    if rounds is None or not answer.done:
        return ""
    if rounds.fallback_reason is not None:
        return _box("Plain search: the rounds gave no result.", [rounds.fallback_reason])
    by = f"{BY[rounds.retrieval_mode]}: {rounds.reasoning}" if rounds.reasoning else ""
    if not rounds.is_multi_round:
        return _box(ONE[rounds.is_sufficient], [by])
    missing = f"Missing: {', '.join(rounds.missing_info)}" if rounds.missing_info else ""
    hits = count(rounds.multi_query_total_docs, "hit")
    queries = "".join(f"<li>{esc(query)}</li>" for query in rounds.refined_queries)
    merged = f"{hits} of these searches and the first list were merged to {rounds.round2_count}."
    rows = f"<p class='sub'>Then searched for</p><ol>{queries}</ol><p class='sub'>{esc(merged)}</p>"
    return _box("Searched in two rounds.", [by, missing], rows)


def _box(title: str, lines: list[str], more: str = "") -> str:
    out = attrs(class_="notice notice-info rounds", role="status")
    paragraphs = "".join(f"<p>{esc(line)}</p>" for line in lines if line)
    return f"<div{out}><p class='title'>{esc(title)}</p>{paragraphs}{more}</div>"
