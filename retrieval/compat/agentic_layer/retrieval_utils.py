"""Two lists of hits into one, anchored on the vectors."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core import ANCHOR, SATURATION, anchored_shares

Hits = Sequence[tuple[str, float]]


def vector_anchored_fusion(
    vector_results: Hits,
    keyword_results: Hits,
    alpha: float = ANCHOR,
    saturation_k: float = SATURATION,
) -> list[tuple[str, float]]:
    """Ids with their fused scores, best first, ties by id, rounded to six decimals (S4-15).

    ``vector_results`` are cosines, ``keyword_results`` raw BM25 scores. An id that one list lacks
    gets the lowest value of that list.
    """
    shares = anchored_shares(dict(vector_results), dict(keyword_results), alpha, saturation_k)
    scores = {key: round(shares[0][key] + shares[1][key], 6) for key in shares[0]}
    return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
