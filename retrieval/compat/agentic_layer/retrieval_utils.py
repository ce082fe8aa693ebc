"""Two lists of hits into one, anchored on the vectors."""

from __future__ import annotations

from collections.abc import Sequence

Hits = Sequence[tuple[str, float]]


def vector_anchored_fusion(
    vector_results: Hits,
    keyword_results: Hits,
    alpha: float = 0.7,
    saturation_k: float = 5.0,
) -> list[tuple[str, float]]:
    """Ids with their fused scores, best first, ties by id, rounded to six decimals (S4-15).

    ``vector_results`` are cosines, ``keyword_results`` raw BM25 scores. An id that one list lacks
    gets the lowest value of that list.
    """
    cosines = dict(vector_results)
    saturated = {key: max(b, 0.0) / (max(b, 0.0) + saturation_k) for key, b in keyword_results}
    low, few = min(cosines.values(), default=0.0), min(saturated.values(), default=0.0)
    scores = {
        key: round(alpha * cosines.get(key, low) + (1 - alpha) * saturated.get(key, few), 6)
        for key in (*cosines, *saturated)
    }
    return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
