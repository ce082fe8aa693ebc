"""How much of a request each record shares where none states all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

from retrieval.catalog import kind_of
from retrieval.explain.lacking import FEW
from retrieval.explain.request_parts import ANIMALS, Part
from retrieval.explain.stated import BROAD, FINDINGS, Records, StatedFacts, group_of
from retrieval.explain.task_kinds import BOUND, NO_BODY, OWN_KINDS, WHOLE

STATES, SERVES, STATES_WIDER, DOES_TASK = 4, 3, 2, 1
"""What a record scores for a part: a thing or kind of image that it states itself, one that it is
for in general (vessels for a capillary), one that it states in general beside others (an X-ray for
a mammogram), and a task. Any shared thing counts for more than the task: a detector of other things
is further away than a viewer of these."""

LEADING = 5
"""Tools of a list that a visitor sees beside what is said of it."""

_FIELDS = frozenset({"anatomy", "finding", "modality"})

_NO_BODY = NO_BODY | ANIMALS
"""What is no part of a human body, and the animals that have bodies of their own."""


def shared_parts(
    parts: Sequence[Part],
    stated: StatedFacts,
    stating: Callable[[Part], Records],
    outside: Records,
) -> Mapping[str, int]:
    """A score per record id that is near; those ``outside`` the field are not.

    ``stating`` gives the records that state a part or something narrower.

    A record is near that states a thing of the request, in general at least, or does a task of it;
    one that shares a kind of image alone is so where the request names nothing else, or few records
    are for that kind: whoever cleans NIRS is nearer to NIRS than to cleaning. To detect, to
    measure or to count makes a record near beside a kind of image: it is done on whatever there is.
    """
    scores: Counter[str] = Counter()
    of_task_or_thing = of_common_task = of_image = of_organ = 0
    for part in parts:
        exact = stating(part) & ~outside & ~_in_another_sense(part, parts, stated)
        serving, general = (
            records & ~exact & ~outside & ~_of_other_bodies(part, parts, stated)
            for records in _in_general(part, stated)
        )
        scores.update(dict.fromkeys(stated.ids(exact), _worth(part, stated)))
        scores.update(dict.fromkeys(stated.ids(serving), SERVES))
        general |= serving
        scores.update(dict.fromkeys(stated.ids(general & ~serving), STATES_WIDER))
        if part.kind == "modality":
            of_image |= exact | general
            of_task_or_thing |= exact if exact.bit_count() <= FEW else 0
            of_organ |= (exact | general) & _naming_any(_organs(part, stated), stated)
        elif part.concept in BOUND:
            of_common_task |= exact
        else:
            of_task_or_thing |= exact | general
    of_task_or_thing |= of_common_task & of_image
    # Images of one organ name it as well: late enhancement is of the heart.
    if all(part.kind != "task" or part.concept in BOUND for part in parts):
        of_task_or_thing |= of_organ
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


def _in_general(part: Part, stated: StatedFacts) -> tuple[Records, Records]:
    """Records that are for something wider than a part, and those that name something wider.

    Which animal it is of, "other" ones, brings nothing near, nor do images of a wider kind where
    the asked one shows no shape: for the forces of a probe no microscopy does.
    """
    if part.concept in OWN_KINDS or not part.concept:
        return 0, 0
    serving, naming = 0 if part.kind == "task" else stated.serving(part.concept), 0
    for wider in stated.wider(part.concept):
        if wider in ANIMALS:
            serving &= ~stated.naming(wider)
        elif group_of(wider) in _FIELDS:
            of_part = _of_any_body(part, stated) if wider in BROAD else stated.every
            naming |= stated.naming(wider) & of_part
    return serving, naming


def _in_another_sense(part: Part, parts: Sequence[Part], stated: StatedFacts) -> Records:
    """Records whose word for a part means another thing.

    The butterfly of grey matter is no insect, and the pores of a nucleus are none of a rock.
    """
    if part.concept in FINDINGS and not _organs(part, stated):
        # Of matter, which has no organ to tell it, the words alone tell nothing: a nuclear pore.
        absent = stated.every & ~stated.stating(part.concept)
        return absent | _of_other_bodies(part, parts, stated)
    return 0 if part.labelled else _of_other_bodies(part, parts, stated)


def _of_other_bodies(part: Part, parts: Sequence[Part], stated: StatedFacts) -> Records:
    """Records that list a part of the body alone, for a part of a request that is of none.

    Where the request names a part of the body as well, they may be what is asked for.
    """
    organs = _organs(part, stated)
    is_matter = part.concept in FINDINGS and not organs
    if not is_matter and organs.isdisjoint(_NO_BODY):
        return 0
    if any(_is_of_body(other, stated) for other in parts):
        return 0
    listed = stated.listing_any("anatomy")
    for organ in organs:
        listed &= ~stated.listing_kind_of(organ)
    return listed


def _of_any_body(part: Part, stated: StatedFacts) -> Records:
    """Records for no part of the body, for all of it, or for one that a part of a request is of.

    Lesions of the brain are no nearer to a scar than those of any other organ.
    """
    return stated.without_organ | _naming_any({WHOLE, *_organs(part, stated)}, stated)


def _naming_any(concepts: Iterable[str], stated: StatedFacts) -> Records:
    return reduce(or_, map(stated.naming, concepts), 0)


def _organs(part: Part, stated: StatedFacts) -> frozenset[str]:
    lineage = stated.wider(part.concept) | {part.concept}
    return frozenset(one for one in lineage if kind_of(one) == "anatomy")


def _is_of_body(part: Part, stated: StatedFacts) -> bool:
    organs = _organs(part, stated)
    return bool(organs) and organs.isdisjoint(_NO_BODY)


def _worth(part: Part, stated: StatedFacts) -> int:
    """What a record scores that states a part itself; a task on an organ states the organ too."""
    if part.kind != "task":
        return STATES
    names_organ = any(group_of(wider) in _FIELDS for wider in stated.wider(part.concept))
    return DOES_TASK + STATES if names_organ else DOES_TASK
