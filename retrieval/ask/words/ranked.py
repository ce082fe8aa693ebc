"""The answer to a superlative in fixed wording: who comes first, and what the order rests on."""

from __future__ import annotations

from retrieval.ask.reading import Reading
from retrieval.ask.stated.ranks import Rank, Ranking
from retrieval.ask.words.joint import MOST, field_name
from retrieval.ask.words.phrases import joined, wording
from retrieval.graph import FactBase


def ranked_text(base: FactBase, reading: Reading, rank: Rank, order: Ranking) -> str:
    """The first tools with their value, those after them, and how many records were compared."""
    language = reading.language
    rows = [f"{base.label(tool)} ({value})" for tool, value in order.rows]
    first, later = (
        joined(part, MOST, language) for part in (rows[: order.best], rows[order.best :])
    )
    field = field_name(rank.relations[-1], language)
    parts = [wording(rank.extreme, language).format(r=field, names=first)]
    if later:
        parts.append(wording("next", language).format(names=later))
    parts.append(wording("compared", language).format(n=len(order.compared), m=order.silent))
    if rank.extreme in ("newest", "oldest"):
        parts.append(wording("no first", language))
    return " ".join(parts)
