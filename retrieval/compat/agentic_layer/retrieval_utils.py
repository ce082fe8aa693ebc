"""Two lists of hits into one, anchored on the vectors."""

from __future__ import annotations

from retrieval.agentic import Hits, anchored_shares


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
    shares = anchored_shares(vector_results, keyword_results, alpha, saturation_k)
    scores = {key: round(cosine + words, 6) for key, (cosine, words) in shares.items()}
    return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
