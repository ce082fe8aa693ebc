"""Whether every record that states a thing or a task takes other images than a request names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from retrieval.catalog import kind_of
from retrieval.explain.request_parts import ANIMALS, Part
from retrieval.explain.stated import Records, StatedFacts
from retrieval.explain.task_kinds import BOUND, HANDLING, NO_IMAGES

UNREAD = 1
"""Words of a request that may be unread. Of 3,349 served requests 1 is told so, of 1,828 that no
record serves 84; with two unread words 3 and 118."""

Unmet = list[tuple[Part, Records]]


def on_wrong_kind(
    parts: Sequence[Part], stated: StatedFacts, stating: Callable[[Part], Records]
) -> Unmet:
    """The thing or task of a request and its kind of image, where no record has both.

    Who asks for the hippocampus on CT is served by none of the ten tools that outline it on MRI.
    Requests with several things are left to their costs: one of them may only say when or why.
    ``stating`` gives the records that state a part or a narrower one.
    """
    kinds = [part for part in parts if part.kind == "modality"]
    asked = [part for part in parts if part not in kinds and _tells(part, stated)]
    if len(asked) != 1 or not kinds or asked[0].is_short:
        return []
    if any(not NO_IMAGES.isdisjoint({k.concept, *stated.wider(k.concept)}) for k in kinds):
        return []
    taking = [_taking(kind, stated) for kind in kinds]
    having = stating(asked[0])
    if not having or any(having & records for records in taking):
        return []
    return [(part, stating(part)) for part in (asked[0], *kinds)]


def _tells(part: Part, stated: StatedFacts) -> bool:
    """Whether a part says what a tool must be made for: no species, nor a task on anything."""
    return part.concept not in BOUND | HANDLING and ANIMALS.isdisjoint(
        {part.concept, *stated.wider(part.concept)}
    )


def _taking(kind: Part, stated: StatedFacts) -> Records:
    """Records that list a kind of image, a narrower or a wider one, or none, or name it itself.

    That a text names a narrower kind tells nothing: diffusion in a cell is no diffusion MRI.
    """
    concept = kind.concept
    records = stated.every & ~stated.listing_any("modality") | stated.listing_kind_of(concept)
    records |= stated.naming(concept) | stated.with_stems(kind.sure_stems(frozenset()))
    for wider in stated.wider(concept):
        records |= stated.listing(wider) if kind_of(wider) == "modality" else 0
    return records
