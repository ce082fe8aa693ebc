"""What a request asks for that no single record states together.

A request is read into parts: tasks, objects and kinds of image. Each part costs a record that
does not state it; where even the nearest record lacks much, the parts that no record states, or
not together, are told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from retrieval.explain.lacking import Costs, Need, common, having_of
from retrieval.explain.nearness import shared_parts
from retrieval.explain.needs import NeedReader
from retrieval.explain.request_parts import Part, PartKind, concept_parts, is_story
from retrieval.explain.stated import Records
from retrieval.explain.task_kinds import BEYOND_IMAGES
from retrieval.query import asked_part


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmet:
    """A part of a request that no record states together with the rest.

    ``records``: how many state it alone.
    """

    kind: PartKind
    value: str
    records: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The unmet parts of a request, each with the ids of the records that state it.

    ``shared`` scores the records that state some of the request, by id.
    """

    parts: tuple[tuple[Part, frozenset[str]], ...] = ()
    shared: Mapping[str, int] = field(default_factory=dict)

    @property
    def unmet(self) -> tuple[Unmet, ...]:
        """The parts with the number of their records."""
        return tuple(
            Unmet(kind=part.kind, value=part.value, records=len(ids)) for part, ids in self.parts
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
        if not any(part.records for part in unmet):
            return f"No record mentions {' or '.join(part.value for part in unmet)}."
        counts = "; ".join(f"{p.value}: {p.records}" for p in unmet)
        values = [part.value for part in unmet]
        joined = f"{', '.join(values[:-1])} and {values[-1]}"
        return f"No record states {joined} together (records for {counts})."


NO_GAP = Gap()


@dataclass(frozen=True)
class GapJudge(NeedReader):
    """Judges whether a single record states all parts of a request.

    ``costs`` are fitted by ``python -m benchmarks.gaps_costs``.
    """

    costs: Costs

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

    def judge(self, text: str) -> Gap:
        """The parts of a text that no record states, or not together with the rest.

        Of a letter the sentences that ask are judged: of 64 served ones of 31 to 110 words, by an
        author who had read no rule, 13 were told a gap without this and 8 are with it.
        """
        is_together, text = not is_story(text), asked_part(text)
        mentions = self.mentions(text)
        parts = concept_parts(text, mentions, self.stated.wider, self.labels)
        if any(self.is_beyond_images(m.concept) for m in mentions):
            missing = [(p, 0) for p in parts if p.kind != "object" and not self.stating(p)]
        else:
            needs = self.needs_of(text, mentions, parts)
            missing = self._missing(needs, is_together)
        if not missing:
            return NO_GAP
        return Gap(
            tuple((part, self.stated.ids(records)) for part, records in missing),
            shared_parts(parts, self.stated, self.stating, self._outside),
        )

    def _missing(self, needs: Sequence[Need], is_together: bool) -> list[tuple[Part, Records]]:
        """The parts that the nearest record lacks too much of, with their records."""
        if not needs:
            return []
        number = len(self.stated.tools)
        having = having_of(needs, number)
        cost, chosen = self.costs.worst(needs, having, number, together=is_together)
        if cost < self.costs.threshold:
            return []
        fewest = self.costs.fewest(chosen, number)
        # What states something wider counts as stating, unless all is stated so by some record.
        widely = [(need.part, need.stating | self.stating(need.part)) for need in fewest]
        if common(records for _, records in widely):
            return [(need.part, need.stating) for need in fewest]
        return widely

    @cached_property
    def _outside(self) -> Records:
        """Records of fields without images, which are near to no request for one."""
        records = 0
        for domain in BEYOND_IMAGES:
            records |= self.stated.serving(domain)
        return records
