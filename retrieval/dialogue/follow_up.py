"""Reads a remark on a search as a change of the previous query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import structs

from retrieval.catalog import Meaning
from retrieval.core import BadInput, Query, Tool, Wish
from retrieval.dialogue.alternatives import alternative_in, widened
from retrieval.dialogue.list_length import length_in, tools_in_words
from retrieval.dialogue.remark import Remark
from retrieval.dialogue.rules import Words, words_of
from retrieval.dialogue.talk import TalkReader, without_opening
from retrieval.fit import wish_fit
from retrieval.query import Names, WishReader

LONGEST_REMARK = 1_000
"""Characters of a remark: the time to read one grows faster than its length."""


def check_length(text: str) -> None:
    """Raises BadInput for a remark of more than LONGEST_REMARK characters."""
    if len(text) > LONGEST_REMARK:
        reason = f"{len(text):,} characters; send {LONGEST_REMARK:,} or fewer"
        raise BadInput(f"remark: it has {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """The changed query, and one short line per change; ``talk`` changes nothing."""

    query: Query
    understood: tuple[str, ...] = ()
    talk: bool = False


@dataclass(frozen=True)
class Reader:
    """Reads remarks by a closed vocabulary, the names of tools, and concepts.

    Rules and exclusions are applied first, from left to right; the remaining words are wishes about
    software, which the search weighs, or replace words of the query or are added to it.
    """

    meaning: Meaning
    tools: Sequence[Tool]

    @cached_property
    def names(self) -> Names:
        """The names by which a remark can leave tools out."""
        return Names(self.tools, words_of)

    def left_out_with(self, name: Words) -> tuple[Tool, ...]:
        """The tools of a name, and those that need it or run in it: what a search drops for it."""
        called = self.names.called(name)
        wish = Wish(kind="tool", value=called, text=called, strength="unwanted")
        named = self.names.tools(name)
        others = (tool for tool in self.tools if wish_fit(tool, wish).verdict == "fail")
        return tuple(dict.fromkeys((*named, *others)))

    @cached_property
    def wishes(self) -> WishReader:
        """Reads what no filter can state: "runs on a Mac", "not in MATLAB"."""
        return WishReader(self.tools)

    @cached_property
    def talk(self) -> TalkReader:
        """Tells remarks that change no search."""
        return TalkReader(self.meaning, self.names, self.wishes)

    def read(self, previous: Query, text: str, listed: Sequence[Tool] = ()) -> FollowUp:
        """The query after the remark; the same query for an empty one and for talk.

        ``listed`` are the tools on show, which a question may be about.
        """
        text = without_opening(text)
        if length := length_in(text, previous.top_k):
            change = (f"a list of {tools_in_words(length)}",)
            return FollowUp(query=structs.replace(previous, top_k=length), understood=change)
        if told := self.talk.read(text, listed):
            return FollowUp(query=previous, understood=(told,), talk=True)
        other = alternative_in(text)
        both, rest, wishes = widened(previous.text, other, self.wishes.mentions)
        if wishes:
            previous, text, other = structs.replace(previous, text=both), rest, ""
        remark = Remark(self, previous, other or text, is_alternative=bool(other))
        query = remark.read()
        changes = (*(f"wished for: {wish}" for wish in wishes), *remark.understood)
        return FollowUp(query=structs.replace(query, raw=query.text), understood=changes)
