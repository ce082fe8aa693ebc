"""Reads a remark on a search as a change of the previous query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from retrieval.catalog import ASKED, Meaning, kind_of
from retrieval.core import Filters, Query, Tool
from retrieval.dialogue.rewording import Rewording
from retrieval.dialogue.rules import WORD, Names, Rule, Words, licences_of, longest, vocabulary

MOST_TOOLS, DEFAULT_TOOLS = 50, 15


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """The changed query, and one short line per change."""

    query: Query
    understood: tuple[str, ...] = ()


@dataclass
class _Reading:
    """The state of reading one remark: its words as typed and folded, and the changes so far."""

    query: Query
    typed: Sequence[str]
    words: Words
    understood: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    cues: set[str] = field(default_factory=set)

    def say(self, what: str) -> None:
        if what not in self.understood:
            self.understood.append(what)


@dataclass(frozen=True)
class Reader:
    """Reads remarks by a closed vocabulary, the names of tools, and concepts.

    Rules and exclusions are applied first, from left to right; the remaining words replace words
    of the query or are added to it.
    """

    meaning: Meaning
    tools: Sequence[Tool]

    @cached_property
    def _names(self) -> Names:
        return Names(self.tools)

    def read(self, previous: Query, text: str) -> FollowUp:
        """The query after the remark; the same query for an empty one."""
        typed = WORD.findall(text)
        reading = _Reading(previous, typed, tuple(w.casefold() for w in typed))
        at = 0
        while at < len(typed):
            at += self._step(reading, at)
        query = self._reworded(reading)
        return FollowUp(query=replace(query, raw=query.text), understood=tuple(reading.understood))

    def _step(self, reading: _Reading, at: int) -> int:
        """Read the phrase that begins at a word; the number of words read."""
        table, words = vocabulary(), reading.words
        length = longest(words, at, table.rules)
        if length:
            self._apply(reading, table.rules[words[at : at + length]])
            return length
        cue = longest(words, at, table.cues["leave out"])
        length = self._left_out(reading, at + cue) if cue else 0
        if length:
            return cue + length
        for name in ("replace", "only"):
            size = longest(words, at, table.cues[name])
            if size:
                reading.cues.add(name)
                return size
        reading.rest.append(reading.typed[at])
        return 1

    def _apply(self, reading: _Reading, rule: Rule) -> None:
        query = reading.query
        if rule.field:
            values = self._values(rule)
            filters = replace(query.filters, **{rule.field: values})
            reading.query = replace(query, filters=filters)
            count = f" ({self._admitted(filters)} tools)" if values else ""
            reading.say(f"{rule.label}{count}")
        elif rule.adds:
            reading.query = _with_words(query, rule.adds)
            reading.say(rule.label)
        else:
            wanted = (query.top_k or DEFAULT_TOOLS) + rule.more
            reading.query = replace(query, top_k=max(1, min(MOST_TOOLS, wanted)))
            reading.say(f"{rule.label} ({reading.query.top_k} tools)")

    def _values(self, rule: Rule) -> frozenset[str]:
        if rule.field != "licenses":
            return frozenset(rule.values)
        stated = [t.license for t in self.tools if t.license]
        return frozenset(i for family in rule.values for i in licences_of(family, stated))

    def _admitted(self, filters: Filters) -> int:
        return sum(filters.admits(tool) for tool in self.tools)

    def _left_out(self, reading: _Reading, at: int) -> int:
        """Read what follows "not": tool names, a rule to undo, or words to remove from the text."""
        words = reading.words
        skipped = 0
        while at + skipped < len(words) and words[at + skipped] in vocabulary().empty:
            skipped += 1
        start = at + skipped
        length = self._names.longest(words, start)
        if length:
            self._exclude(reading, words[start : start + length])
            return skipped + length + self._more_names(reading, start + length)
        rule_size = longest(words, start, vocabulary().rules)
        if rule_size:
            self._take_back(reading, vocabulary().rules[words[start : start + rule_size]])
            return skipped + rule_size
        return self._unsaid(reading, start, skipped)

    def _more_names(self, reading: _Reading, at: int) -> int:
        """Further names after a comma, "and" or "or"."""
        words, length = reading.words, 0
        while at + length < len(words):
            joint = 1 if words[at + length] in {"and", "or", "nor"} else 0
            size = self._names.longest(words, at + length + joint)
            if not size:
                break
            self._exclude(reading, words[at + length + joint : at + length + joint + size])
            length += joint + size
        return length

    def _exclude(self, reading: _Reading, name: Words) -> None:
        tools = self._names.tools(name)
        query = reading.query
        excluded = tuple(dict.fromkeys((*query.excluded, *(t.id for t in tools))))
        reading.query = replace(query, excluded=excluded)
        label = tools[0].name
        if len(tools) > 1:
            suite = next((t.suite for t in tools if t.suite), label)
            label = f"{suite} ({len(tools)} tools)"
        reading.say(f"left out: {label}")

    def _take_back(self, reading: _Reading, rule: Rule) -> None:
        filters = reading.query.filters
        if rule.field and getattr(filters, rule.field) & self._values(rule):
            reading.query = replace(
                reading.query, filters=replace(filters, **{rule.field: frozenset()})
            )
            reading.say(f"no longer asked for: {rule.label}")
            return
        reading.say(f"not understood: no filter leaves out \u201c{rule.label}\u201d")

    def _unsaid(self, reading: _Reading, start: int, skipped: int) -> int:
        """Remove the words of the query that name the concepts at this place."""
        rest = reading.words[start : start + 4]
        for size in range(len(rest), 0, -1):
            concepts = set(self._concepts(" ".join(rest[:size])))
            reworded = Rewording(self.meaning, reading.query.text)
            shorter = reworded.without(concepts) if concepts else reading.query.text
            if shorter != reading.query.text:
                reading.query = replace(reading.query, text=shorter)
                reading.say(f"taken out: {' '.join(reading.typed[start : start + size])}")
                return skipped + size
        return self._not_known(reading, start) + skipped

    def _not_known(self, reading: _Reading, start: int) -> int:
        """Skip unknown words after "not", with a message: they must not become search terms."""
        table, words = vocabulary(), reading.words
        stops = (
            *table.rules,
            *table.cues["leave out"],
            *table.cues["replace"],
            *table.cues["only"],
        )
        size = 0
        while start + size < len(words) and not longest(words, start + size, stops):
            size += 1
        if size:
            text = " ".join(reading.typed[start : start + size])
            reading.say(f"not understood: there is nothing called \u201c{text}\u201d to leave out")
        return size

    def _concepts(self, text: str) -> tuple[str, ...]:
        return self.meaning.annotator.concepts(text)

    def _reworded(self, reading: _Reading) -> Query:
        """The query with the words that no rule and no exclusion used."""
        words = [w for w in reading.rest if w.casefold() not in vocabulary().empty]
        if not words:
            return reading.query
        text = " ".join(words)
        concepts = [c for c in self._concepts(text) if kind_of(c) in ASKED]
        kinds = {kind_of(c) for c in concepts}
        if "operation" in kinds and len(kinds) > 1 and not reading.cues:
            reading.say(f"a new search: {text}")
            return replace(reading.query, text=text)
        if (
            set(concepts) <= set(self._concepts(reading.query.text))
            and concepts
            and not reading.cues
        ):
            reading.say(f"said already: {text}")
            return reading.query
        return self._merged(reading, text, concepts)

    def _merged(self, reading: _Reading, text: str, concepts: Sequence[str]) -> Query:
        query = reading.query
        if "only" in reading.cues:
            query = self._restricted(reading, concepts)
        swapped = Rewording(self.meaning, query.text).swapped(
            text, concepts, every="replace" in reading.cues
        )
        if swapped is not None:
            new, old = swapped
            reading.say(f"{text} instead of {old}")
            # A filter on another modality than the one now named would leave nothing.
            codes = {c.split(":", 1)[1] for c in concepts if kind_of(c) == "modality"}
            filters = query.filters
            if codes and filters.modalities and not codes & filters.modalities:
                filters = replace(filters, modalities=frozenset(codes))
            return replace(query, text=new, filters=filters)
        reading.say(f"added the word{'s' if ' ' in text else ''}: {text}")
        return _with_words(query, text)

    def _restricted(self, reading: _Reading, concepts: Sequence[str]) -> Query:
        """Turn modalities that follow "only" into a filter."""
        query = reading.query
        codes = frozenset(c.split(":", 1)[1] for c in concepts if kind_of(c) == "modality")
        if not codes:
            return query
        filters = replace(query.filters, modalities=codes)
        reading.say(f"modality: only {', '.join(sorted(codes))} ({self._admitted(filters)} tools)")
        return replace(query, filters=filters)


def _with_words(query: Query, words: str) -> Query:
    had = query.text.casefold()
    return (
        query if words.casefold() in had else replace(query, text=f"{query.text} {words}".strip())
    )
