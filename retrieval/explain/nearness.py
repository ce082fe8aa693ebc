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
    """A score per record id that is near; those ``outside`` the field are not.

    A record is near that states a thing of the request, in general at least, or does a task of it;
    one that shares a kind of image alone is so where the request names nothing else.
    """
    scores: Counter[str] = Counter()
    of_task_or_thing = of_image = 0
    for part in parts:
        exact = stating(part) & ~outside
        general = 0
        for wider in stated.wider(part.concept):
            general |= stated.naming(wider) if group_of(wider) in _FIELDS else 0
        general &= ~exact & ~outside
        scores.update(dict.fromkeys(stated.ids(exact), _worth(part, stated)))
        scores.update(dict.fromkeys(stated.ids(general), STATES_WIDER))
        if part.kind == "modality":
            of_image |= exact | general
        else:
            of_task_or_thing |= exact | general
    near = of_task_or_thing if any(part.kind != "modality" for part in parts) else of_image
    return {tool_id: scores[tool_id] for tool_id in stated.ids(near)}


def _worth(part: Part, stated: StatedFacts) -> int:
    """What a record scores that states a part itself; a task on an organ states the organ too."""
    if part.kind != "task":
        return STATES
    names_organ = any(group_of(wider) in _FIELDS for wider in stated.wider(part.concept))
    return DOES_TASK + STATES if names_organ else DOES_TASK
