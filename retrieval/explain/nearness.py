"""How much of a request each record shares where none states all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from retrieval.explain.request_parts import Part
from retrieval.explain.stated import Records, StatedFacts, group_of

STATES, STATES_WIDER, DOES_TASK = 4, 2, 1
"""What a record scores for a part: a thing or kind of image that it states itself, one that it
states in general (an X-ray for a mammogram), and a task. Any shared thing counts for more than the
task: a detector of other things is further away than a viewer of these."""

_FIELDS = frozenset({"anatomy", "finding", "modality"})


def shared_parts(
    parts: Sequence[Part],
    stated: StatedFacts,
    stating: Callable[[Part], Records],
    outside: Records,
) -> Mapping[str, int]:
    """A score per record id that shares a part; those ``outside`` the field have none."""
    scores: Counter[str] = Counter()
    for part in parts:
        exact = stating(part) & ~outside
        if part.kind == "task":
            scores.update(dict.fromkeys(stated.ids(exact), DOES_TASK))
        else:
            scores.update(dict.fromkeys(stated.ids(exact), STATES))
        general = 0
        for wider in stated.wider(part.concept):
            general |= stated.naming(wider) if group_of(wider) in _FIELDS else 0
        scores.update(dict.fromkeys(stated.ids(general & ~exact & ~outside), STATES_WIDER))
    return scores
