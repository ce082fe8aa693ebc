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
    """How many rounds, who judged, what was missing and asked; nothing in other modes."""
    told = answer.agentic
    if told is None or not answer.done:
        return ""
    if told.fallback_reason is not None:
        return _box("Plain search: the rounds gave no result.", [told.fallback_reason])
    by = f"{BY[told.retrieval_mode]}: {told.reasoning}" if told.reasoning else ""
    if not told.is_multi_round:
        return _box(ONE[told.is_sufficient], [by])
    missing = f"Missing: {', '.join(told.missing_info)}" if told.missing_info else ""
    found = count(told.multi_query_total_docs, "hit")
    asked = "".join(f"<li>{esc(query)}</li>" for query in told.refined_queries)
    merged = f"{found} of these searches and the first list were merged to {told.round2_count}."
    rows = f"<p class='sub'>Then searched for</p><ol>{asked}</ol><p class='sub'>{esc(merged)}</p>"
    return _box("Searched in two rounds.", [by, missing], rows)


def _box(title: str, lines: list[str], more: str = "") -> str:
    out = attrs(class_="notice notice-info rounds", role="status")
    told = "".join(f"<p>{esc(line)}</p>" for line in lines if line)
    return f"<div{out}><p class='title'>{esc(title)}</p>{told}{more}</div>"
