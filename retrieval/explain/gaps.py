"""What a request asks for that no single record states together.

A request is read into parts: tasks, objects and kinds of image. Each part costs a record that
does not state it; where even the nearest record lacks much, the parts that no record states, or
not together, are told. Requests that people judged (``known``) speak for and against: a text near
to needs that no record serves is a gap though all its words are stated somewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import shorten

from retrieval.catalog import FUNCTION_WORDS, fold, words_of
from retrieval.explain.known.decision import Evidence, GapModel
from retrieval.explain.known.named_need import says_all_of
from retrieval.explain.known.own_words import OwnWords
from retrieval.explain.lacking import Costs, Need, common, having_of
from retrieval.explain.nearness import shared_parts
from retrieval.explain.needs import NeedReader
from retrieval.explain.request_parts import Part, concept_parts, is_story, without_drawn_things
from retrieval.explain.stated import Records
from retrieval.explain.task_kinds import BEYOND_IMAGES
from retrieval.explain.thing_words import SHORTEST
from retrieval.explain.unmet.counts import Unmet, unmet_of
from retrieval.explain.unmet.wrong_kind import UNREAD, on_wrong_kind
from retrieval.query import asked_part

ALIKE = 0.6
"""Cosine from which a need is called like a request: below it the parts of the request are told
where there are any."""

LIKELY, ASIDE = 0.5, 3
"""The estimate from which the list is likely right, and how many words of a text may be unread
(grammar apart), so that a first record which states all its parts serves it. Of 579 gaps that
were told none had both, of 15 that nobody lacked 3."""

LIKELY_READ, SAME_WORDS = 0.3, 0.8
"""The estimate that does for a text without an unread word, and the likeness of its words to a need
below which it asks for something else: caries on radiographs, where people lacked a tool for caries
on bitewing radiographs."""

SERVED = 0.8
"""Cosine from which a request that a record was judged to serve speaks for one like it."""

LONGEST = 120
"""Characters of a request that a notice repeats: a title of two lines on a page."""

_GRAMMAR = frozenset().union(
    *FUNCTION_WORDS.values(),
    ["much", "many", "all", "any", "some", "both", "each", "every"],
    ["software", "tool", "tools", "program", "programme", "package", "library", "app", "please"],
)
"""Words that name nothing; those of amounts as well ("how much bone, trabeculae and all"), and of
software ("tool for measuring")."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The unmet parts of a request, each with the ids of the records that state it.

    ``shared`` scores the records that state some of the request, by id. ``counted`` says of a part
    how many state it under which name; without it the ids are counted.
    """

    parts: tuple[tuple[Part, frozenset[str]], ...] = ()
    shared: Mapping[str, int] = field(default_factory=dict)
    counted: Mapping[Part, Unmet] = field(default_factory=dict)

    @property
    def unmet(self) -> tuple[Unmet, ...]:
        """The parts with the number of their records."""
        return tuple(
            self.counted.get(part) or Unmet(kind=part.kind, value=part.value, records=len(ids))
            for part, ids in self.parts
        )

    def lacks(self, tool_id: str) -> tuple[str, ...]:
        """The unmet parts that the record of a tool does not state."""
        return tuple(part.value for part, ids in self.parts if tool_id not in ids)

    @property
    def sentence(self) -> str:
        """One sentence for people; empty without a gap."""
        unmet = self.unmet
        if not unmet:
            return ""
        if unmet[0].kind == "request":
            # A need that is like the request has no place in its text.
            like = "" if self.parts[0][0].end else ", which your request is like"
            return f"No record is known to serve “{unmet[0].value}”{like}."
        if not any(part.records for part in unmet):
            verb = "states" if any(part.is_phrased for part in unmet) else "mentions"
            return f"No record {verb} {' or '.join(part.value for part in unmet)}."
        counts = "; ".join(part.count for part in unmet)
        values = [part.value for part in unmet]
        joined = f"{', '.join(values[:-1])} and {values[-1]}"
        return f"No record states {joined} together (records for {counts})."


NO_GAP = Gap()


@dataclass(frozen=True)
class GapJudge(NeedReader):
    """Judges whether a single record states all parts of a request.

    ``costs`` are fitted by ``python -m benchmarks.gaps_costs``, ``model``, which weighs them
    against requests that people judged, by ``python -m benchmarks.known_requests``.
    """

    costs: Costs
    model: GapModel | None = None

    def prepare(self) -> None:
        """Read the records now (.3 s for 600), so that no search waits for it."""
        self.judge("segment the liver in CT and count xyzzy")
        _ = self._able

    def reads(self, text: str, *, doubtful: bool) -> bool:
        """Whether to tell gaps: of a doubtful text, where it names a thing or a kind of image."""
        if not doubtful:
            return True
        if any(part.kind != "task" for part in self.parts(text)):
            return True
        words = self.things.parts(text, self.mentions(text), self.stated)
        return any(not self.stated.with_stems(part.stems) for part in words)

    def judge(self, text: str, evidence: Evidence | None = None) -> Gap:
        """The parts of a text that no record states, or not together with the rest.

        Without ``evidence`` the records alone decide. Of a letter the sentences that ask are
        judged: of 64 served ones of 31 to 110 words, by an author who had read no rule, 13 were
        told a gap without this and 8 are with it. What a record says in its own words is no gap.
        """
        text = asked_part(text)
        english = evidence.english if evidence is not None and evidence.english else text
        if self.own_words.say(english, self.mentions(english)):
            return NO_GAP
        parts, cost, missing = self.lacking(text)
        is_costly = cost >= self.costs.threshold
        is_told = self._is_gap(text, cost, evidence)
        is_told |= is_costly and self._is_absent(text, parts, missing)
        if not is_told or not is_costly:
            if absent := self._on_wrong_kind(text, parts, evidence):
                missing = absent
            elif not is_told:
                return NO_GAP
            elif evidence is not None:
                missing = self._as_request(text, missing, evidence)
        return Gap(
            tuple((part, self.stated.ids(records)) for part, records in missing),
            shared_parts(parts, self.stated, self.strictly, self._outside),
            {part: self._counted(part) for part, _ in missing},
        )

    def _on_wrong_kind(
        self, text: str, parts: Sequence[Part], evidence: Evidence | None
    ) -> list[tuple[Part, Records]]:
        """The parts that records have on other images alone; none where people judged it served."""
        is_served = evidence is not None and (
            evidence.near.served.vector > max(SERVED, evidence.near.unserved.vector)
        )
        if is_served or is_story(text) or self.unread(text) > UNREAD:
            return []
        return on_wrong_kind(parts, self.stated, self.strictly)

    def _counted(self, part: Part) -> Unmet:
        """How many records state a part itself; those that state something wider do not."""
        records = self.strictly(part) if part.kind != "request" else 0
        return unmet_of(part, records, self.stated, self.labels)

    def lacking(self, text: str) -> tuple[Sequence[Part], float, list[tuple[Part, Records]]]:
        """The parts of a text, what the nearest record lacks of them, and what none has together.

        The second is a cost, 0 where a record states all; the third has the records of each part.
        """
        mentions = self.mentions(text)
        parts = concept_parts(text, mentions, self.stated.wider, self.labels)
        parts = without_drawn_things(text, parts)
        if any(self.is_beyond_images(m.concept) for m in mentions):
            absent = [(p, 0) for p in parts if p.kind != "object" and not self.stating(p)]
            return parts, float(bool(absent)), absent
        needs = self.needs_of(text, mentions, parts)
        return (parts, *self._missing(needs, not is_story(text)))

    def unread(self, text: str) -> int:
        """How many words of a text lie in no concept and are no words of grammar."""
        mentions = self.mentions(text)
        return sum(
            len(word.text) >= SHORTEST
            and fold(word.text) not in _GRAMMAR
            and not any(m.start <= word.start < m.end for m in mentions)
            for word in words_of(text)
        )

    def _is_absent(
        self, text: str, parts: Sequence[Part], missing: Sequence[tuple[Part, Records]]
    ) -> bool:
        """Whether no record states the one thing that a text is about, all words of it being read.

        What people judged of requests like it says nothing then: for the pituitary gland, which no
        record names, spoke served requests about the prostate. In 843 short requests for 281 organs
        and diseases that no record names .975 are told by this, .928 without; of 2,088 served
        requests of the tuning sets 40 are a false alarm, 39 without.
        """
        things = [p for p in parts if p.kind == "object" and not self._is_animal(p.concept)]
        absent = {part for part, records in missing if part.concept and not records}
        is_all_absent = {part for part, _ in missing} == set(things) == absent
        return len(things) == 1 and is_all_absent and not is_story(text) and not self.unread(text)

    def _is_gap(self, text: str, cost: float, evidence: Evidence | None) -> bool:
        threshold = self.costs.threshold
        if evidence is None or self.model is None:
            return cost >= threshold
        if self._is_stated(text, evidence):
            return False
        if cost <= self.costs.of_other_common_task:  # all that the text names is stated
            cost = 0.0
        unread = 0 if cost else self.unread(text)  # where something is lacking it does not count
        return self.model.score(evidence.signals(cost, threshold, unread)) > 0

    def _is_stated(self, text: str, evidence: Evidence) -> bool:
        """Whether the first record of the list states every part of a text that is read.

        What people judged of a request like it speaks then of something else.
        """
        unread = self.unread(text)
        is_other = not unread and evidence.near.unserved.word < SAME_WORDS
        if evidence.relevance < (LIKELY_READ if is_other else LIKELY) or unread > ASIDE:
            return False
        needs = self.needs(text)
        shared = common(need.stating for need in needs)
        return bool(needs) and evidence.first in self.stated.ids(shared)

    def _as_request(
        self, text: str, missing: list[tuple[Part, Records]], evidence: Evidence
    ) -> list[tuple[Part, Records]]:
        """What stands for a request whose words are stated: a need, its parts, or itself.

        A need that is like it is named where the request says all of it, and nothing else is.
        """
        need = evidence.near.need
        is_alike = evidence.near.unserved.vector >= ALIKE
        if is_alike and says_all_of(text, need, self.mentions, self.stated.wider):
            return [(Part(kind="request", value=need, concept=""), 0)]
        words = shorten(text, LONGEST, placeholder=" …")
        itself = Part(kind="request", value=words, concept="", end=len(text))
        return missing or [(itself, 0)]

    def _missing(
        self, needs: Sequence[Need], is_together: bool
    ) -> tuple[float, list[tuple[Part, Records]]]:
        """What the nearest record lacks, as a cost, and the parts that none states together."""
        if not needs:
            return 0.0, []
        number = len(self.stated.tools)
        having = having_of(needs, number)
        cost, costly_needs = self.costs.worst(needs, having, number, together=is_together)
        if not cost:
            return 0.0, []
        fewest = self.costs.fewest(costly_needs, number)
        # What states something wider counts as stating, unless all is stated so by some record.
        widely = [(need.part, need.stating | self.stating(need.part)) for need in fewest]
        if common(records for _, records in widely):
            return cost, [(need.part, need.stating) for need in fewest]
        return cost, widely

    @cached_property
    def own_words(self) -> OwnWords:
        """The words of the records, phrase by phrase."""
        return OwnWords(self.stated)

    @cached_property
    def _outside(self) -> Records:
        """Records of fields without images, which are near to no request for one."""
        records = 0
        for domain in BEYOND_IMAGES:
            records |= self.stated.serving(domain)
        return records
