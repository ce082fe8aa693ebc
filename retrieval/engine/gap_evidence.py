"""What judged requests and the list of a search say of a gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import pairwise

from msgspec.structs import replace

from retrieval.core import Candidates, Filters, Query, StageUnavailable
from retrieval.engine.answer import Answer
from retrieval.engine.snapshot import Snapshot
from retrieval.explain import Evidence
from retrieval.fit import FitStage, TokenStage, WishStage
from retrieval.query import asked_part

LEADING = 3
"""Listed tools whose records speak against a gap; who judged requests must have read them."""

OF_FILES = frozenset({TokenStage.name, FitStage.name})
"""The stages that weigh what the files are."""


def evidence_of(answer: Answer, snapshot: Snapshot) -> Evidence | None:
    """What judged requests and the scores of the list say of a gap; None where nobody can say.

    Of a list that filters or exclusions cut nobody can: what serves the request may be left out.
    """
    requests, scale = snapshot.known, snapshot.scale
    ids = [c.tool.id for c in by_text(answer)[:LEADING]]
    query = read_query(answer)
    is_cut = bool(query.excluded) or query.filters != Filters()
    if requests is None or scale is None or not ids or is_cut or not requests.covers(ids):
        return None
    english = " ".join(query.reading)
    try:
        near = requests.nearness(english or asked_part(query.text))
        relevance = scale.relevance(query, ids, _concepts(answer, snapshot, ids))
    except StageUnavailable:
        return None
    if near is None:
        return None
    return Evidence(near=near, relevance=relevance, first=ids[0], english=english)


def _concepts(
    answer: Answer, snapshot: Snapshot, ids: Sequence[str]
) -> Mapping[str, frozenset[str]]:
    """The concepts of the text, each with those of these records that have it."""
    listed = {candidate.tool.id for candidate in answer.candidates}
    if listed.issuperset(ids) or snapshot.scope is None:
        return answer.insight.concepts  # read already, of the same records
    return snapshot.scope.concepts(answer.query.text, ids)


def by_text(answer: Answer) -> Candidates:
    """The list in the order that the text alone gives: before files and wishes moved any of it.

    Whether people lack a tool for what is asked does not hang on the file at hand. Of 3,123 served
    requests, each with one of nine files, 52 were told a gap without this that the text alone is
    not, and none is with it.
    """
    if not answer.query.scans:
        return unwished(answer)
    return _before(answer, OF_FILES)[0] or unwished(answer)


def unwished(answer: Answer) -> Candidates:
    """The list in the order it had before wishes about software moved or hid any of it.

    Who wants teeth outlined in a browser lacks a browser, not the outlines of teeth.
    """
    if not answer.query.wishes:
        return answer.candidates
    return _before(answer, {WishStage.name})[-1] or answer.candidates


def _before(answer: Answer, names: Set[str]) -> Sequence[Candidates]:
    """The list that each stage of these names was given; one empty list where none ran."""
    steps = pairwise(node for node in answer.result.walk() if node.ran)
    lists = [
        before.state.candidates for before, node in steps if node.name.rsplit("/", 1)[-1] in names
    ]
    return lists or [()]


def read_query(answer: Answer) -> Query:
    """The query without tokens, as it was read in English."""
    # A stage inside the tree may be the only one that knows the reading.
    readings = (node.state.query.reading for node in answer.result.walk())
    return replace(answer.query, reading=next((r for r in readings if r), ()), tokens=())
