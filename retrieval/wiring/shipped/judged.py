"""The requests that people judged against the shipped records, with the encoder of some parts."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, cast

from retrieval.explain import GapModel, JudgedRequests, KnownRequests, SharedWords
from retrieval.settings import ROOT
from retrieval.wiring.parts import Parts

if TYPE_CHECKING:
    import faiss

    from retrieval.core import Encoder

KNOWN = ROOT / "assets" / "honesty" / "known"
"""The requests, with an index of their vectors and the weights of the model of gaps."""


@cache
def gap_model() -> GapModel:
    """The shipped weights of records against judged requests, read once."""
    return GapModel.read(KNOWN / "model.json")


@cache
def judged_requests() -> JudgedRequests:
    """The shipped requests that people judged, read once."""
    return JudgedRequests.read(KNOWN / "requests.jsonl")


@cache
def _judged_words() -> SharedWords:
    return SharedWords.read(KNOWN / "words.npz")


@cache
def _index(name: str) -> faiss.Index:
    import faiss

    return faiss.read_index(str(KNOWN / f"{name}.faiss"))


def known_requests(parts: Parts) -> KnownRequests | None:
    """The judged requests; None without vectors, or where the encoder is not that of theirs."""
    if parts.vectors is None or parts.encoder.id != gap_model().encoder:
        return None
    return _known(cast(Hashable, parts.encoder), frozenset(parts.tools))


@lru_cache(maxsize=2)
def _known(encoder: Hashable, loaded: frozenset[str]) -> KnownRequests:
    """One object for every snapshot over the same records: stages and remarks share its cache."""
    indexes = _index("unserved"), _index("served")
    return KnownRequests(
        cast("Encoder", encoder), judged_requests(), *indexes, _judged_words(), loaded
    )
