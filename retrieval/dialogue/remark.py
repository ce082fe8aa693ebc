"""One remark while it is read, word by word, and the query as it changes."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import structs

from retrieval.core import Filters, Query
from retrieval.dialogue.choices import Choice, joined
from retrieval.dialogue.list_length import DEFAULT_TOOLS, MOST_TOOLS, tools_in_words
from retrieval.dialogue.other_words import with_other_words
from retrieval.dialogue.remark_wishes import RemarkWishes, without_competing
from retrieval.dialogue.reversals import read_reversal, take_back_contradicted
from retrieval.dialogue.rewording import Rewording, clause_end, with_words
from retrieval.dialogue.rules import (
    WORD,
    Rule,
    Words,
    licences_of,
    longest,
    longest_rule,
    replaces,
    vocabulary,
)
from retrieval.query import Mention

if TYPE_CHECKING:
    from retrieval.dialogue.follow_up import Reader

MOST_WORDS = 4
"""Most words after "not" that are looked up as concepts of the query."""


class Remark:
    """One remark while it is read: its words as typed and folded, and the changes so far."""

    def __init__(
        self, reader: Reader, query: Query, text: str, *, is_alternative: bool = False
    ) -> None:
        self.meaning, self.tools, self.names = reader.meaning, reader.tools, reader.names
        self.left_out_with = reader.left_out_with
        self.is_alternative = is_alternative
        self.query, self.text, self.read_wishes = query, text, reader.wishes.mentions
        self.text_before = query.text
        self.places = [match.span() for match in WORD.finditer(text)]
        self.typed = [text[start:end] for start, end in self.places]
        self.words = tuple(word.casefold() for word in self.typed)
        self.wishes = RemarkWishes(mentions=self.read_wishes(text), places=self.places)
        self.concepts_of = reader.meaning.annotator.concepts
        self.understood: dict[str, None] = {}
        self.rest: list[int] = []
        self.cues: set[str] = set()
        self.choice: Choice | None = None

    def read(self) -> Query:
        """The query as the remark changes it; ``understood`` has a line per change."""
        at = 0
        while at < len(self.typed):
            at += self.step(at)
        return with_other_words(self)

    def say(self, change: str) -> None:
        """Add a line, once."""
        self.understood.setdefault(change)

    def step(self, at: int) -> int:
        """Read the phrase that begins at a word; the number of words read."""
        table, words = vocabulary(), self.words
        if length := read_reversal(self, at) or self.own_wish(at):
            return length
        if length := longest_rule(words, at, table.rules):
            self.apply(table.rules[words[at : at + length]], at, at + length)
            return length
        cue = longest(words, at, table.cues["leave out"]) or self.denial(at)
        if length := self.leave_out(at + cue) if cue else 0:
            return cue + length
        for name in ("replace", "only"):
            if size := longest(words, at, table.cues[name]):
                self.cues.add(name)
                return size
        self.rest.append(at)
        return 1

    def apply(self, rule: Rule, start: int, end: int) -> None:
        """Change the query by a rule, which the words from start to end state."""
        if rule.field:
            values = self.values(rule)
            self.choose(start, Choice(field=rule.field, values=values, label=rule.label, end=end))
            self.make_room("language" if rule.field == "interfaces" else "")
        elif mentions := self.read_wishes(rule.adds):
            self.wish_for(mentions[0])
        elif rule.adds:
            self.query = with_words(self.query, rule.adds)
            self.say(rule.label)
        else:
            unbounded_length = (self.query.top_k or DEFAULT_TOOLS) + rule.more
            length = max(1, min(MOST_TOOLS, unbounded_length))
            self.query = structs.replace(self.query, top_k=length)
            self.say(f"{rule.label} ({tools_in_words(length)})")

    def choose(self, start: int, choice: Choice) -> None:
        """Set a filter; values that the remark listed just before stay, or that it adds to."""
        before = self.choice
        if before and (both := joined(before, choice, self.words[before.end : start])):
            choice = both
            self.understood.pop(before.line, None)
            self.rest = [at for at in self.rest if at < before.end]
        stated: frozenset[str] = getattr(self.query.filters, choice.field)
        if self.is_alternative and stated and choice.values:
            label = f"{choice.label} as well"
            choice = replace(choice, values=stated | choice.values, label=label)
        filters = replace(self.query.filters, **{choice.field: choice.values})
        self.query = structs.replace(self.query, filters=filters)
        line = f"{choice.label}{self.admitted(filters)}" if choice.values else choice.label
        self.choice = replace(choice, line=line)
        self.say(line)

    def values(self, rule: Rule) -> frozenset[str]:
        """The values of the filter that a rule sets."""
        if rule.field != "licenses":
            return frozenset(rule.values)
        stated = [t.license for t in self.tools if t.license]
        return frozenset(i for family in rule.values for i in licences_of(family, stated))

    def admitted(self, filters: Filters) -> str:
        """How many tools pass the filters, as an addition to a line."""
        return f" ({tools_in_words(sum(filters.admits(tool) for tool in self.tools))})"

    def leave_out(self, at: int) -> int:
        """Read what follows "not": tool names, a rule to undo, or words to remove from the text."""
        words, table, start = self.words, vocabulary(), at
        while start < len(words) and words[start] in table.empty:
            start += 1
        names, end = self.names_at(start)
        for name in names:
            self.exclude(name)
        if names:
            return end - at
        if size := longest_rule(words, start, table.rules):
            rule = table.rules[words[start : start + size]]
            if not self.take_back(rule):
                # "Not MIT or Apache": the wish holds more than the rule.
                size = max(size, denied := self.denied_wish(start))
                if not denied:
                    self.say(f"not understood: no filter leaves out \u201c{rule.label}\u201d")
            return start + size - at
        return start + (self.denied_wish(start) or self.remove_words(start)) - at

    def names_at(self, start: int) -> tuple[list[Words], int]:
        """The names of tools that begin at a word, one after the other, and the word after them."""
        words, names, end, joint = self.words, list[Words](), start, 0
        while size := self.names.longest(words, end + joint):
            names.append(words[end + joint : end + joint + size])
            end += joint + size
            # Further names follow at once (a comma is no word) or after "and", "or", "nor".
            joint = int(end < len(words) and words[end] in {"and", "or", "nor"})
        return names, end

    def own_wish(self, at: int) -> int:
        """Add the wish that begins at a word and that no filter states; the words read."""
        mention, size = self.wishes.beginning(at)
        if mention is None or mention.wish.kind == "tool":
            return 0
        if any(longest_rule(self.words, n, vocabulary().rules) for n in range(at, at + size)):
            return 0
        self.wish_for(mention)
        return size

    def denial(self, at: int) -> int:
        """Words that deny a filter or a tool, in any language: "ohne" of "ohne Python"."""
        mention, size = self.wishes.beginning(at)
        if mention is None or mention.wish.strength != "unwanted":
            return 0
        for n in range(at + 1, at + size):
            if longest_rule(self.words, n, vocabulary().rules) or self.names.longest(self.words, n):
                rest = self.read_wishes(self.text[self.places[n][0] : mention.end])
                # "But without a GPU": the filter itself denies.
                return n - at if all(m.wish.strength != "unwanted" for m in rest) else 0
        return 0

    def denied_wish(self, at: int) -> int:
        """Add the wish against what stands at a word; the words read, 0 where it is no wish."""
        mention, size = self.wishes.denied(at)
        if mention is not None:
            self.wish_for(mention)
        return size

    def wish_for(self, mention: Mention) -> None:
        """Add the words of a wish to those of the query, which a search reads as that wish."""
        words, is_unwanted = mention.wish.text, mention.wish.strength == "unwanted"
        self.make_room("" if is_unwanted else mention.wish.kind)
        held = {
            (m.wish.kind, m.wish.value, m.wish.strength) for m in self.read_wishes(self.query.text)
        }
        if (mention.wish.kind, mention.wish.value, mention.wish.strength) in held:
            # In another wording or language it is the same wish, and needs no second chip.
            self.say(f"wished for already: {words}")
            return
        take_back_contradicted(self, mention.wish)
        self.query = with_words(self.query, words)
        self.say(f"wished for: {words}")

    @cached_property
    def adds(self) -> bool:
        """Whether the remark says that it adds to what is wished: "also", "too"."""
        cues = vocabulary().cues["as well"]
        return any(longest(self.words, at, cues) for at in range(len(self.words)))

    @cached_property
    def replaces(self) -> bool:
        """Whether the remark says that it changes what is wished."""
        return replaces(self.words)

    def make_room(self, kind: str) -> None:
        """Take the wishes out of the query that one of this kind replaces: "rather on Linux"."""
        if self.replaces:
            text = without_competing(self.query.text, self.read_wishes(self.query.text), kind)
            self.query = structs.replace(self.query, text=text)

    def exclude(self, name: Words) -> None:
        """Leave out the tools of a name, and those that need it."""
        tools = self.left_out_with(name)
        excluded = (*self.query.excluded, *(tool.id for tool in tools))
        self.query = structs.replace(self.query, excluded=tuple(dict.fromkeys(excluded)))
        called = self.names.called(name)
        label = called if len(tools) == 1 else f"{called} ({len(tools)} tools)"
        self.say(f"left out: {label}")

    def take_back(self, rule: Rule) -> bool:
        """Empty the filter that a rule has set; whether it had."""
        filters = self.query.filters
        if not (rule.field and getattr(filters, rule.field) & self.values(rule)):
            return False
        filters = replace(filters, **{rule.field: frozenset()})
        self.query = structs.replace(self.query, filters=filters)
        self.say(f"no longer asked for: {rule.label}")
        return True

    def remove_words(self, start: int) -> int:
        """Remove the words of the query that name the concepts at this place; the words read."""
        rest = self.words[start : clause_end(self.text, self.places, start)][:MOST_WORDS]
        for size in range(len(rest), 0, -1):
            concepts = set(self.concepts_of(" ".join(rest[:size])))
            rewording = Rewording(self.meaning, self.query.text)
            shorter = rewording.without(concepts) if concepts else self.query.text
            if shorter != self.query.text:
                self.query = structs.replace(self.query, text=shorter)
                self.say(f"taken out: {' '.join(self.typed[start : start + size])}")
                return size
        # Unknown words are skipped with a message: after "not" they must not be searched for.
        rules, cues = vocabulary().rules, vocabulary().cues
        stops = (*cues["leave out"], *cues["replace"], *cues["only"])
        end = start
        while end < len(self.words):
            is_other = longest_rule(self.words, end, rules) or longest(self.words, end, stops)
            if is_other or self.wishes.beginning(end)[1]:
                break
            end += 1
        if end > start:
            text = " ".join(self.typed[start:end])
            self.say(f"not understood: there is nothing called \u201c{text}\u201d to leave out")
        return end - start
