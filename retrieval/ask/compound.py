"""The facts that answer a question by its own words; a question of several parts in its parts.

Later parts may refer to the results of earlier ones. No language model is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from msgspec import structs

from retrieval.ask.compose import (
    extracted,
    likened_note,
    mentions_note,
    near_note,
    refusal,
    verbs_note,
)
from retrieval.ask.cues import Clause, clauses_of, language_of
from retrieval.ask.reading import Reading
from retrieval.ask.solve import Solution, Solver
from retrieval.ask.stated.structure import Fault
from retrieval.ask.stated.texts import Mentioned, RecordTexts, mentioned
from retrieval.ask.words.follow_up import pronoun_of, refers_back, tools_in
from retrieval.ask.words.hops import Hop, hop_of
from retrieval.ask.words.phrases import wording
from retrieval.ask.words.places import asks_of_place
from retrieval.ask.words.rewording import Rewording
from retrieval.core import Sentence, StageResult, StageUnavailable, State

MOST_NAMED = 12
"""Tools of one part that a later one is asked about by name."""

Read = Callable[[str], Reading]
"""A text to its reading, in the language of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that was asked, in its own words, and its solution.

    ``mentioned`` says which records have its unread words in their texts.
    """

    text: str
    solution: Solution
    mentioned: tuple[Mentioned, ...] = ()


@dataclass(frozen=True)
class QuestionFacts:
    """Answers from the names and cue words of the question."""

    words: Rewording
    solver: Solver
    texts: RecordTexts = field(default_factory=RecordTexts)
    name: str = "question"

    def run(self, state: State) -> StageResult:
        """The facts that answer the question, and the answer or why there is none."""
        if state.evidence.answer or state.evidence.refusal:
            raise StageUnavailable("read in the first iteration")
        replaced: dict[str, str] = {}
        language = language_of(state.query.text)

        def reading_of(text: str) -> Reading:
            reading, replacements = self.words.read(text, language)
            replaced.update(replacements)
            return reading

        parts = tuple(map(self._searched, self.parts(state.query.text, language, reading_of)))
        room = self.solver.max_facts - sum(len(part.mentioned) for part in parts)
        parts = _with_fair_shares(parts, room)
        evidence, base = state.evidence, self.solver.base
        for part in parts:
            evidence = evidence.with_linked(part.solution.reading.linked).with_facts(
                part.solution.facts
            )
            evidence = evidence.with_facts([one.fact(base.source) for one in part.mentioned])
        sentences = tuple(one for part in parts for one in self._sentences(part))
        refused = self._unanswered(parts)
        evidence = structs.replace(evidence, answer=sentences, refusal=refused)
        summary = evidence.refusal or f"{sum(len(part.solution.facts) for part in parts)} facts"
        strange = any(part.solution.reading.unread for part in parts)
        gap = self.words.linker.meaning_gap if strange else ""
        notes = [f"{words} read as {name}" for words, name in replaced.items()]
        notes += [summary, *([f"not linked by meaning: {gap}"] if gap else [])]
        after = structs.replace(state, evidence=evidence)
        return StageResult(name=self.name, state=after, note="; ".join(notes))

    def parts(self, question: str, language: str, reading_of: Read) -> tuple[Part, ...]:
        """The parts in order; together they hold at most the solver's ``max_facts`` facts.

        A question that cannot be split, or of which a part asks nothing, is one part.
        """
        tools = tools_in(self.words.reader, question)
        if trouble := self._unanswerable(question, language):
            reading = replace(reading_of(question), faults=(trouble,))
            return (Part(text=question, solution=Solution(reading=reading, trouble=trouble[0])),)
        clauses = clauses_of(question, language, tools)
        parts = self._solved(clauses, reading_of) if len(clauses) > 1 else ()
        spelled, likened = self.words.respelled(question, language)
        if not parts and (hop := hop_of(self.words.reader, spelled, language)):
            hop = replace(hop, reading=replace(hop.reading, likened=likened))
            parts = self._in_two_steps(hop, reading_of)
        # One part alone has no answer and is what the next one refers to.
        if parts:
            return _with_fair_shares(parts, self.solver.max_facts)
        return (Part(text=question, solution=self.solver.solve(reading_of(question))),)

    def _unanswerable(self, question: str, language: str) -> Fault | None:
        """Why a question has no answer whatever its names are, and the words at fault."""
        if asks_of_place(question, language):
            return "no place", ()
        if refers_back(self.words.reader, question):
            return "nothing before", ()
        place = pronoun_of(self.words.reader, question)
        return ("nothing named", (question[slice(*place)],)) if place else None

    def _in_two_steps(self, hop: Hop, reading_of: Read) -> tuple[Part, ...]:
        """The tools that a question describes, and what it asks of them by their names."""
        first = self.solver.solve(hop.reading)
        if not first.nodes:
            reading = replace(hop.reading, faults=(("no tool between", (hop.text,)),))
            return (
                Part(text=hop.text, solution=Solution(reading=reading, trouble="no tool between")),
            )
        described = Part(text=hop.text, solution=first)
        if len(first.nodes) > MOST_NAMED:
            reading = replace(hop.reading, faults=(("too many", (hop.text,)),))
            second = Solution(reading=reading, trouble="too many")
            return described, Part(text=hop.outer((hop.text,)), solution=second)
        outer = hop.outer([self.solver.base.label(node) for node in first.nodes])
        return described, Part(text=outer, solution=self.solver.solve(reading_of(outer)))

    def _solved(self, clauses: Sequence[Clause], reading_of: Read) -> Sequence[Part]:
        """The parts up to an unanswered one that the next refers to; none if one asks nothing."""
        parts: list[Part] = []
        for n, clause in enumerate(clauses):
            solution = self._solution(clause, parts, reading_of)
            if solution is None or solution.trouble == "nothing asked":
                return ()
            parts.append(Part(text=clause.text, solution=solution))
            if solution.trouble and any(later.back for later in clauses[n + 1 : n + 2]):
                break
        return parts

    def _solution(
        self, clause: Clause, before: Sequence[Part], reading_of: Read
    ) -> Solution | None:
        """The solution of a clause; None where it refers back to nothing."""
        if not (clause.back and before):
            return self.solver.solve(reading_of(clause.text))
        last = before[-1].solution
        linked = last.reading.linked
        subjects = last.reading.subjects or [
            n for n in linked if self.solver.base.kind(n) == "tool"
        ]
        if clause.back == "it" and subjects:
            return self.solver.solve(reading_of(clause.about(self._joined_names(subjects))))
        if of_format := self._of_format(clause, linked, reading_of):
            return of_format
        if last.reading.form != "select" or not last.nodes:
            return None
        solution = self.solver.among(reading_of(clause.plain()), last)
        if solution.trouble == "nothing asked" and clause.back == "it":
            return self.solver.solve(reading_of(clause.about(self._joined_names(last.nodes))))
        return solution

    def _of_format(
        self, clause: Clause, linked: Sequence[str], reading_of: Read
    ) -> Solution | None:
        """A further question of the one format named: "who reads DICOM, and how many write it?"."""
        formats = [node for node in linked if self.solver.base.kind(node) == "format"]
        word = clause.text[slice(*clause.at)].casefold()
        if word not in ("it", "es") or len(formats) != 1:
            return None
        reading = reading_of(clause.about(self._joined_names(formats)))
        sides = {relation for limit in reading.limits for relation, _ in limit.options}
        asks = reading.understood and sides and sides <= {"accepts", "produces"}
        return self.solver.solve(reading) if asks and reading.form == "select" else None

    def _searched(self, part: Part) -> Part:
        """The part with the records whose texts have the words that no fact has."""
        reading = part.solution.reading
        if part.solution.holds is False and reading.form == "check":
            return replace(part, mentioned=tuple(self._in_its_text(part)))
        if part.solution.trouble != "unread":
            return part
        found = mentioned(self.texts, self.solver.sets, reading.unread, reading.limits)
        return replace(part, mentioned=found)

    def _in_its_text(self, part: Part) -> Iterator[Mentioned]:
        """What no field of the one tool states and its description or keywords do: *H&E*."""
        solution = part.solution
        subjects, unmet = solution.reading.subjects, solution.unmet
        if len(subjects) != 1 or any(limit.negated for limit in solution.reading.limits):
            return
        for link in self.words.reader.linker.links(part.text):
            missing = self.solver.base.label(link.node) in (*unmet.other, *unmet.blank)
            if missing and self.texts.say(subjects[0], link.text):
                yield Mentioned(words=(link.text,), tools=subjects)

    def _sentences(self, part: Part) -> Iterator[Sentence]:
        """The answer to a part, and what the texts of its one tool say beside the fields."""
        yield from extracted(self.solver.base, part.solution)
        for one in part.mentioned if not part.solution.trouble else ():
            words = ", ".join(one.words)
            text = wording("in its text", part.solution.reading.language).format(words=words)
            yield Sentence(text=text, evidence=(one.fact(self.solver.base.source).id,))

    def _unanswered(self, parts: Sequence[Part]) -> str:
        """Why parts of a question have no answer; of several parts each is quoted first."""
        reasons = []
        for part in parts:
            reading, trouble = part.solution.reading, part.solution.trouble
            if not trouble:
                continue
            absent = self.texts.missing(reading.unread)
            absent = absent if part.mentioned else reading.unread
            # What a text has is not absent from the catalog, though no fact is about it.
            if part.mentioned and not absent:
                why = refusal("only in texts", reading.language, reading.unread)
            else:
                words = dict(reading.faults).get(trouble, absent)
                why = refusal(trouble, reading.language, words)
            notes = mentions_note(self.solver.base, part.mentioned, reading.language)
            offer = near_note(self.words.near_names(part.text, reading.unread), reading.language)
            words_read = (verbs_note(reading), likened_note(reading))
            why = " ".join(filter(None, (why, *notes, *words_read, offer)))
            reasons.append(why if len(parts) == 1 else f"{part.text} {why}")
        return " ".join(reasons)

    def _joined_names(self, nodes: Sequence[str]) -> str:
        return ", ".join(self.solver.base.label(node) for node in nodes[:MOST_NAMED])


def _with_fair_shares(parts: Sequence[Part], most: int) -> tuple[Part, ...]:
    """The parts with facts cut to equal shares of ``most``; unused room goes to the others."""
    takes = [min(len(part.solution.facts), most // len(parts)) for part in parts]
    facts_left = most - sum(takes)
    for n, part in enumerate(parts):
        more = min(facts_left, len(part.solution.facts) - takes[n])
        takes[n], facts_left = takes[n] + more, facts_left - more
    return tuple(
        replace(part, solution=replace(part.solution, facts=part.solution.facts[:take]))
        for part, take in zip(parts, takes, strict=True)
    )
