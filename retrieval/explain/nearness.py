"""How much of a request each record shares where none states all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from retrieval.explain.request_parts import Part
from retrieval.explain.stated import Records, StatedFacts, group_of
from retrieval.explain.task_kinds import BOUND

STATES, STATES_WIDER, DOES_TASK = 4, 2, 1
"""What a record scores for a part: a thing or kind of image that it states itself, one that it
states in general (an X-ray for a mammogram), and a task. Any shared thing counts for more than the
task: a detector of other things is further away than a viewer of these."""

LEADING = 5
"""Tools of a list that a visitor sees beside what is said of it."""

_FIELDS = frozenset({"anatomy", "finding", "modality"})


def shared_parts(
    parts: Sequence[Part],
    stated: StatedFacts,
    stating: Callable[[Part], Records],
    outside: Records,
) -> Mapping[str, int]:
    """A score per record id that is near; those ``outside`` the field are not.

    A record is near that states a thing of the request, in general at least, or does a task of it;
    one that shares a kind of image alone is so where the request names nothing else. To detect, to
    measure or to count makes a record near beside a kind of image: it is done on whatever there is.
    """
    scores: Counter[str] = Counter()
    of_task_or_thing = of_common_task = of_image = 0
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
        elif part.concept in BOUND:
            of_common_task |= exact
        else:
            of_task_or_thing |= exact | general
    of_task_or_thing |= of_common_task & of_image
    near = of_task_or_thing if any(part.kind != "modality" for part in parts) else of_image
    return {tool_id: scores[tool_id] for tool_id in stated.ids(near)}


def nearest_of(
    listed: Sequence[str], others: Sequence[str], shared: Mapping[str, int]
) -> tuple[str, ...]:
    """The ids of the records that are nearest, of a list and of others, by what they share.

    The first of the list that state a thing of the request stand first, in its order, unless
    another shares more than a general word more; of the rest those follow that share as much as
    the best, or but a task less.
    """
    best = max((shared.get(one, 0) for one in (*listed, *others)), default=0)
    enough = max(STATES, best - STATES_WIDER)
    leading = [one for one in listed[:LEADING] if shared.get(one, 0) >= enough]
    every = dict.fromkeys((*listed, *others))
    rest = [i for i in every if i not in leading and shared.get(i, 0) >= max(1, best - DOES_TASK)]
    return (*leading, *sorted(rest, key=lambda one: -shared[one]))


def _worth(part: Part, stated: StatedFacts) -> int:
    """What a record scores that states a part itself; a task on an organ states the organ too."""
    if part.kind != "task":
        return STATES
    names_organ = any(group_of(wider) in _FIELDS for wider in stated.wider(part.concept))
    return DOES_TASK + STATES if names_organ else DOES_TASK
