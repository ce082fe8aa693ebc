"""Remarks that take a rule back: "do not leave out FSL", "not only MIT"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from retrieval.catalog import kind_of
from retrieval.core import Wish
from retrieval.dialogue.choices import Choice
from retrieval.dialogue.remark_wishes import contradicts, without_mentions
from retrieval.dialogue.rewording import clause_end
from retrieval.dialogue.rules import longest, longest_rule, vocabulary

if TYPE_CHECKING:
    from retrieval.dialogue.remark import Remark


def read_reversal(remark: Remark, at: int) -> int:
    """Read the phrase that begins at a word and what it is about; the words read, 0 for another.

    A rule of more words goes first: "not only for research" is one.
    """
    words, table = remark.words, vocabulary()
    for name, phrases in table.reversals.items():
        size = longest(words, at, phrases)
        if size and size >= longest_rule(words, at, table.rules):
            start = at + size
            while start < len(words) and words[start] in table.empty - {"but"}:
                start += 1
            if name == "not left out":
                return _not_left_out(remark, at, start) - at
            # "No solo para investigación" is a wish of its own.
            return remark.own_wish(at) or _not_required(remark, start) - at
    return 0


def _not_left_out(remark: Remark, cue: int, start: int) -> int:
    """Take back tools or a wish against software, named after the cue or before; the word after."""
    after_cue = start
    names, end = remark.names_at(start)
    # "FSL nicht weglassen": the name stands first.
    first = next((at for at in remark.rest if remark.names_at(at)[1] == cue), cue)
    if not names and first < cue:
        names, start, end = remark.names_at(first)[0], first, cue
        remark.rest = [at for at in remark.rest if at < first]
    tools = {tool.id: tool for name in names for tool in remark.left_out_with(name)}
    end = end if names else _phrase_end(remark, start)
    what = " ".join(remark.typed[start:end])
    if not names:
        if not _without_wish(remark, what, is_unwanted=True):
            remark.say(f"not understood: no tool is called \u201c{what}\u201d")
    elif any(id in tools for id in remark.query.excluded):
        excluded = tuple(id for id in remark.query.excluded if id not in tools)
        remark.query = structs.replace(remark.query, excluded=excluded)
        remark.say(f"no longer left out: {what}")
    else:
        remark.say(f"nothing changed: the search does not leave out {what}")
    return max(end, after_cue)


def _not_required(remark: Remark, start: int) -> int:
    """Take back the filter or wish that asks for what follows; the word after it."""
    size = longest_rule(remark.words, start, vocabulary().rules)
    end = start + size if size else _phrase_end(remark, start)
    text = " ".join(remark.typed[start:end])
    line = f"nothing changed: the list is not limited to \u201c{text}\u201d"
    is_changed = any((_without_wish(remark, text), _without_modality(remark, text)))
    if size:
        rule = vocabulary().rules[remark.words[start:end]]
        if remark.take_back(rule):
            is_changed, line = True, next(reversed(remark.understood))
        # "Not only MIT but also Apache": the values that follow are more, not others.
        choice = Choice(field=rule.field, values=remark.values(rule), label=rule.label, end=end)
        remark.choice = replace(choice, line=line)
    if not is_changed:
        remark.say(line)
    return end


def _without_wish(remark: Remark, text: str, *, is_unwanted: bool = False) -> bool:
    """Take the wishes that a text states out of the query; whether it had one."""
    wishes = {(m.wish.kind, m.wish.value) for m in remark.read_wishes(text)}
    mentions = [
        m
        for m in remark.read_wishes(remark.query.text)
        if (m.wish.kind, m.wish.value) in wishes and (m.wish.strength == "unwanted") == is_unwanted
    ]
    if mentions:
        shorter = without_mentions(remark.query.text, mentions)
        remark.query = structs.replace(remark.query, text=shorter)
        remark.say(f"no longer wished for: {' '.join(m.wish.text for m in mentions)}")
    return bool(mentions)


def take_back_contradicted(remark: Remark, wish: Wish) -> None:
    """Take the wishes out of the query that a remark contradicts, unless it adds to them.

    They are clauses of their own, as remarks add them; one inside a sentence was typed and stays.
    Of two wishes in one remark neither takes the place of the other.
    """
    if remark.adds:
        return
    clauses = {clause.strip() for clause in remark.text_before.split(",")}
    mentions = remark.read_wishes(remark.query.text)
    old = [m for m in mentions if contradicts(wish, m.wish) and m.wish.text in clauses]
    if old:
        shorter = without_mentions(remark.query.text, old)
        remark.query = structs.replace(remark.query, text=shorter)
        remark.say(f"no longer wished for: {', '.join(m.wish.text for m in old)}")


def _without_modality(remark: Remark, text: str) -> bool:
    """Empty the filter on a modality that a text names; whether there was one."""
    filters = remark.query.filters
    codes = {c.split(":", 1)[1] for c in remark.concepts_of(text) if kind_of(c) == "modality"}
    if not filters.modalities & codes:
        return False
    filters = replace(filters, modalities=frozenset())
    remark.query = structs.replace(remark.query, filters=filters)
    remark.say(f"no longer asked for: modality: only {text}")
    return True


def _phrase_end(remark: Remark, start: int) -> int:
    """The word after a phrase: the next comma, "but", rule or cue ends it."""
    table = vocabulary()
    stops = (*table.cues["leave out"], *table.cues["replace"], ("but",), ("sondern",), ("mais",))
    last = clause_end(remark.text, remark.places, start)
    for at in range(start + 1, last):
        if longest_rule(remark.words, at, table.rules) or longest(remark.words, at, stops):
            return at
    return last
