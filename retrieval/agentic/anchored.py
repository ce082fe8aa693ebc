"""Fusion anchored on vectors: cosines as they are, word scores saturated, in a fixed proportion."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core import Candidate, Lists, Why, gathered, ranked

Hits = Sequence[tuple[str, float]]

VECTORS = "dense"
"""Name of the stage whose list anchors; every other list is one of words."""
SHARE, SATURATION = 0.7, 5.0
"""Of source 004's later versions: the share of the cosines, and the BM25 score worth one half."""


def anchored_shares(
    vector_results: Hits,
    keyword_results: Hits,
    alpha: float = SHARE,
    saturation_k: float = SATURATION,
) -> dict[str, tuple[float, float]]:
    """By id the shares of both lists in the score; an id that a list lacks has its lowest value."""
    cosines = dict(vector_results)
    saturated = {key: max(b, 0.0) / (max(b, 0.0) + saturation_k) for key, b in keyword_results}
    low, few = min(cosines.values(), default=0.0), min(saturated.values(), default=0.0)
    return {
        key: (alpha * cosines.get(key, low), (1 - alpha) * saturated.get(key, few))
        for key in (*cosines, *saturated)
    }


def anchored_fusion(stage: str, lists: Lists) -> tuple[Candidate, ...]:
    """One list by the sum of the shares, rounded to six decimals; ties in the order of ids."""
    hits: dict[bool, list[tuple[str, float]]] = {True: [], False: []}
    names = dict.fromkeys((True, False), stage)
    for path, path_candidates in lists:
        by_vectors = path.rsplit("/", 1)[-1] == VECTORS
        names[by_vectors] = path
        hits[by_vectors] += [(c.tool.id, c.score) for c in path_candidates]
    shares, candidates = anchored_shares(hits[True], hits[False]), gathered(lists)
    return ranked(
        candidates[key].scored(
            stage,
            cosine + words,
            Why(kind="share", stage=names[True], text="", value=round(cosine, 6)),
            Why(kind="share", stage=names[False], text="", value=round(words, 6)),
        )
        for key, (cosine, words) in shares.items()
    )
