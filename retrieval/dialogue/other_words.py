"""The words of a remark that no rule used: what a search is about, added to it or in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from retrieval.catalog import TASK_KINDS, kind_of
from retrieval.core import Query
from retrieval.dialogue.rewording import RESULTS, Rewording, with_words
from retrieval.dialogue.rules import vocabulary
from retrieval.query import is_grammar

if TYPE_CHECKING:
    from retrieval.dialogue.remark import Remark


def with_other_words(remark: Remark) -> Query:
    """The query with the words that no rule and no exclusion used."""
    words = [remark.typed[at] for at in remark.rest if remark.words[at] not in vocabulary().empty]
    # "Und", "für": words of grammar alone say nothing.
    if not any(word.isdigit() or not is_grammar(word) for word in words):
        return remark.query
    text = " ".join(words)
    concepts = [c for c in remark.concepts_of(text) if kind_of(c) in TASK_KINDS]
    kinds = {kind_of(c) for c in concepts}
    if not remark.cues:
        # A task with its material is a request of its own, not a change of the last one.
        if "operation" in kinds and len(kinds) > 1 and not remark.adds:
            remark.say(f"a new search: {text}")
            return structs.replace(remark.query, text=text)
        if concepts and set(concepts) <= set(remark.concepts_of(remark.query.text)):
            remark.say(f"said already: {text}")
            return remark.query
    return _merged(remark, text, concepts)


def _merged(remark: Remark, text: str, concepts: Sequence[str]) -> Query:
    """The query with words that name concepts in the place of those they compete with."""
    query = _filtered(remark, text) if "only" in remark.cues else remark.query
    joint = "or" if remark.is_alternative else "and" if remark.adds else ""
    is_every = remark.is_alternative or "replace" in remark.cues
    rewording = Rewording(remark.meaning, query.text)
    swapped = rewording.swapped(text, concepts, every=is_every, joint=joint)
    if swapped is None or (remark.adds and "operation" in map(kind_of, concepts)):
        remark.say(f"added the word{'s' if ' ' in text else ''}: {text}")
        return with_words(query, text)
    new, old = swapped
    remark.say(f"{old} {joint} {text}" if joint else f"{text} instead of {old}")
    # A filter on another modality than the one now named would leave nothing.
    filters, codes = query.filters, _codes(concepts, "modality")
    if codes and filters.modalities and not codes & filters.modalities:
        codes |= filters.modalities if joint else frozenset()
        filters = replace(filters, modalities=codes)
    return structs.replace(query, text=new, filters=filters)


def _filtered(remark: Remark, text: str) -> Query:
    """The query limited to the kinds of images and the formats that words name."""
    named = remark.concepts_of(text)
    # "It must write RTSTRUCT" limits no image that goes in.
    modalities = _codes([code for code in named if code not in RESULTS], "modality")
    formats = _codes(named, "format")
    query = remark.query
    for field, name, values in (
        ("modalities", "modality", modalities),
        ("formats", "format", formats),
    ):
        if values:
            filters = replace(query.filters, **{field: values})
            query = structs.replace(query, filters=filters)
            remark.say(f"{name}: only {', '.join(sorted(values))}{remark.admitted(filters)}")
    return query


def _codes(concepts: Sequence[str], kind: str) -> frozenset[str]:
    """The codes of the concepts of a kind."""
    return frozenset(c.partition(":")[2] for c in concepts if kind_of(c) == kind)
