"""What a record says of the parts of a request in its own words, and what it does not name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from retrieval.catalog import facts_of
from retrieval.core import Tool
from retrieval.explain.request_parts import ANIMALS, Mentions, Part
from retrieval.explain.stated import Records, StatedFacts

NARROWER = 2
"""Facts narrower than a part that are named for it: a suite states dozens of tasks."""

FACTS = 5
"""Facts of a record that a reason names: more are no reason but the record."""

TASKS_SHOWN = 3
"""Tasks of a record that are shown where none of them is asked: a badge has room for so many."""

Wider = Callable[[str], frozenset[str]]


def not_naming(part: Part, stated: StatedFacts) -> Records:
    """Records that name a part in no field and no text, nor people who ask for them.

    What costs a record may be named in it: a wider part, or one that is no task of its own. Of it
    "not stated" would be untrue. The word for an animal alone names none: people click a mouse.
    """
    words = () if part.concept in ANIMALS else part.stems
    naming = stated.stating(part.concept) | stated.with_stems(words, phrased=True)
    return stated.every & ~naming


def part_words(text: str, part: Part, labels: Mapping[str, str]) -> str:
    """A part as a reason names it: as typed ("H&E"), a task of one word by its noun.

    That a record does not state "measure" is no sentence.
    """
    typed = text[part.start : part.end]
    if part.kind == "task" and " " not in typed:
        return labels.get(part.concept, part.value)
    return typed if typed.lower() == part.value else part.value


def beside_words(
    tool: Tool, against: Sequence[str], unnamed: Sequence[str], is_for_other_tasks: bool
) -> str:
    """What speaks against a record beside wishes: parts that it does not name, else its tasks.

    Empty where nothing does: no part is ``against`` it and its tasks are no others. Of a part that
    it names in passing "not stated" would be untrue.
    """
    if unnamed:
        return f"{' and '.join(dict.fromkeys(unnamed))} not stated"
    if against and not tool.tasks:
        return f"{' and '.join(dict.fromkeys(against))} not among its facts"
    return (
        f"its tasks: {', '.join(tool.tasks[:TASKS_SHOWN])}" if against or is_for_other_tasks else ""
    )


def shared_facts(
    tool: Tool, parts: Sequence[Part], wider: Wider, finder: Mentions
) -> tuple[str, ...]:
    """The parts that a record states, in its own words and the order typed; narrower ones too.

    Tasks count as its fields state them, since a text says verbs in passing; things and, where it
    states no kind of image, kinds of image as its text names them as well.
    """
    concepts = {fact: fact.split(":", 1)[1] for fact in facts_of(tool)}
    is_read = any(part.kind != "task" for part in parts)
    in_text = dict(_named(tool, finder)) if is_read else {}
    words: dict[str, str] = {}
    for part in (part for part in parts if part.concept):
        near = _near(part.concept, concepts, wider)
        if not near and (part.kind == "object" or not tool.modalities) and part.kind != "task":
            near = _near(part.concept, in_text, wider)
        for one in near:
            words.setdefault(one.casefold(), one)
    return tuple(words.values())[:FACTS]


def _named(tool: Tool, finder: Mentions) -> Iterator[tuple[str, str]]:
    """The concepts that the texts of a record name, the first mention last, with their words."""
    text = ". ".join((tool.name, tool.description, *tool.keywords))
    for mention in reversed(finder.mentions(text)):
        if not mention.negated:
            yield mention.concept, text[mention.start : mention.end]


def _near(concept: str, words: Mapping[str, str], wider: Wider) -> list[str]:
    """The words for a concept, else for some that are narrower."""
    if concept in words:
        return [words[concept]]
    return [word for one, word in words.items() if concept in wider(one)][:NARROWER]
