"""What a text only tells of: the tool of a step that is done, the language of somebody's old code.

"My predecessor wrote it in MATLAB, I want it in Python" wishes one language, and "converted with
dcm2niix, now brain extraction" asks for no converter. A clause tells where its verb is past and it
asks for nothing, and another clause does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from retrieval.core import Wish
from retrieval.query.clauses.named import Named, names_in
from retrieval.query.clauses.told_clauses import Clause, Concepts, clauses_of, words_of_stories
from retrieval.query.clauses.windows import Span
from retrieval.query.grammar import words_of
from retrieval.query.mentions import Mention, Reading

RIVALS = {
    "language": frozenset({"language"}),
    "host": frozenset({"host", "language"}),
    "system": frozenset({"system"}),
    "tool": frozenset({"tool"}),
    "plugin": frozenset({"host", "language"}),
    "purpose": frozenset[str](),
    "since": frozenset[str](),
}
"""Kinds of wishes of which another clause may ask for one in place of what a clause names."""

USED = frozenset({"host", "tool", "plugin"})
"""Kinds of wishes that others may use beside what is asked for; a group shares its language and its
machines."""

SUBJECT = 3
"""Words, with the name at their end, from which on a clause can have a subject and a verb."""

CHANGED = frozenset({"language", "system"})
"""Kinds of which "from A to B" leaves the first behind; between programs it may carry data."""


def without_stories(
    reading: Reading, mentions: Sequence[Mention], concepts: Concepts
) -> tuple[Mention, ...]:
    """The wishes of a text less what it only tells of, in its order."""
    if all(_kind(m.wish) not in RIVALS for m in mentions):
        return tuple(mentions)
    clauses = clauses_of(reading.text, concepts)
    left = [name.start for name in _left_behind(reading)]
    return tuple(
        m
        for m in mentions
        if m.wish.strength == "unwanted"
        or not (
            any(m.start <= start < m.end for start in left)
            or _is_told(m, mentions, clauses, reading.text)
        )
    )


def told(reading: Reading, wishes: Sequence[Mention], concepts: Concepts) -> Iterator[Span]:
    """The words that tell of a tool, language or host; none where no clause asks for a task.

    A clause that names nothing of the field else is left out whole. Of others the verb and the
    name are, since what was outlined is what is looked at, and what a tool made names a format.
    """
    text, words = reading.text, words_of_stories()
    clauses = clauses_of(text, concepts)
    is_asked = len(clauses) > 1 and any(c.asks or c.is_task for c in clauses)
    for name in names_in(reading) if is_asked else ():
        own = _clause_at(clauses, name.end - 1)
        if own is None or _is_meant_otherwise(reading, name, wishes):
            continue
        wish = Wish(kind=name.kind, value=name.value, text="", strength="wanted")
        mention = Mention(wish=wish, start=name.start, end=name.end)
        is_tool_of_others = name.kind == "tool" and not own.tells
        if is_tool_of_others or not _is_told(mention, wishes, clauses, text):
            continue
        if not concepts(f"{text[own.start : name.start]} {text[name.end : own.end]}"):
            yield own.start, own.end
            continue
        for verb in words.past.finditer(text[own.start : own.end]):
            yield own.start + verb.start(), own.start + verb.end()
        before = words.before_name.search(text, own.start, name.start)
        yield before.start() if before else name.start, name.end


def _is_meant_otherwise(reading: Reading, name: Named, wishes: Sequence[Mention]) -> bool:
    """Whether a name is a wish, a plain word, one of a choice, or names what was made with it."""
    typed = reading.text[name.start : name.end]
    is_wish = any(m.wish.value == name.value for m in wishes) or any(
        m.start < name.end and name.start < m.end for m in wishes
    )
    # "Fast green" is no GREEN; who made dcm2niix writes it small as well.
    is_word = typed.islower() != name.value.islower() and reading.names.is_word(words_of(typed))
    behind = words_of_stories().data_or_choice.match(reading.text, name.end)
    return is_wish or is_word or behind is not None


def _clause_at(clauses: Sequence[Clause], place: int) -> Clause | None:
    return next((c for c in clauses if c.start <= place < c.end), None)


def _is_told(
    mention: Mention, mentions: Sequence[Mention], clauses: Sequence[Clause], text: str
) -> bool:
    """Whether the clause of a wish tells of what it names, and another clause asks."""
    own = _clause_at(clauses, mention.end - 1)
    kind = _kind(mention.wish)
    if own is None or own.asks or kind not in RIVALS:
        return False
    if kind == "since" and words_of_stories().release.search(text, own.start, own.end):
        return False
    # "PET reconstruction, written in C++": who wrote it is nobody of the story.
    if kind == "language" and text[own.start : own.end].strip() == mention.wish.text:
        return False
    others = [c for c in clauses if c is not own]
    rivals = {
        clause: m.wish.strength
        for m in mentions
        if m.wish.kind in RIVALS[kind]
        and m.wish.strength != "unwanted"
        and m.wish.value != mention.wish.value
        and (clause := _clause_at(others, m.end - 1)) is not None
    }
    if kind == "system":
        # "The office gave me a Windows PC" says where it has to run.
        return own.tells and bool(rivals)
    if kind != "language":
        # "Fiji is installed, which of its plugins": asked of what was told of.
        is_part = words_of_stories().parts.search
        others = [c for c in others if c in rivals or not is_part(text, c.start, c.end)]
    # Who wrote much in a language goes on in it, as long as no other one is asked for.
    is_habit = own.is_own and kind == "language"
    is_past_step = own.tells and not is_habit and any(c.asks or c.is_task for c in others)
    is_rivalled = any(
        clause.asks
        or (clause.is_task and not own.is_task)
        or strength == "required" != mention.wish.strength
        for clause, strength in rivals.items()
    )
    return is_past_step or is_rivalled or _is_of_others(text, mention, own, others)


def _is_of_others(text: str, mention: Mention, own: Clause, others: Sequence[Clause]) -> bool:
    """Whether somebody else is the subject of a clause: "radiology uses Horos, we need a viewer".

    A whole group is "ours", and what it uses is wished. Behind what is asked for, what others use
    is where it has to run.
    """
    words, clause = words_of_stories(), (own.start, own.end)
    is_subject = not words.no_subject.match(text, *clause) and not words.ours.search(text, *clause)
    leading = text[own.start : mention.end].split()
    asked = [c for c in others if c.start > own.start and c.asks]
    is_asked = any(words.first_person.search(text, c.start, c.end) for c in asked)
    return _kind(mention.wish) in USED and is_subject and len(leading) >= SUBJECT and is_asked


def _kind(wish: Wish) -> str:
    """The kind of a wish; of one for a plugin that its kind of interface is, which names a host."""
    return wish.value if wish.value in RIVALS else wish.kind


def _left_behind(reading: Reading) -> Iterator[Named]:
    """The first of two languages or systems in "from MATLAB to Python"."""
    words = words_of_stories()
    for first, second in pairwise(names_in(reading) if words.to.search(reading.text) else ()):
        between = reading.text[first.end : second.start]
        is_change = first.kind == second.kind and first.kind in CHANGED
        is_from = words.from_.search(reading.text[: first.start])
        if is_change and is_from and words.to.fullmatch(between):
            yield first
