"""The response to a question: sentences that each cite facts, or a refusal.

A language model composes them from numbered facts; without one they have fixed wording, in the
language of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from typing import Any

from msgspec.structs import replace
from pydantic import BaseModel

from retrieval.ask.cues import json_table
from retrieval.ask.linker import SPACELESS
from retrieval.ask.reading import Reading
from retrieval.ask.sets import ToolSets, is_denial, value_name
from retrieval.ask.solve import Solution
from retrieval.ask.stated.conversions import directions
from retrieval.ask.stated.dates import DATES
from retrieval.ask.stated.measures import INSTALLS
from retrieval.ask.stated.texts import Mentioned
from retrieval.ask.words.free import free_note
from retrieval.ask.words.joint import joint_sentences
from retrieval.ask.words.phrases import joined, wording
from retrieval.ask.words.ranked import ranked_text
from retrieval.core import Deadline, Fact, Sentence, StageResult, StageUnavailable, State, Step
from retrieval.graph import FactBase
from retrieval.llm import Budget, LanguageModel, ask, prompt_file

MAX_SHOWN = 100
"""Facts that one prompt lists."""
MAX_SENTENCES, MAX_SENTENCE = 8, 500
UNSUPPORTED = "The model's answer rests on no evidence, so it is not shown."

MOST_NAMES, MOST_SENTENCES, MOST_WAYS = 12, 6, 4
"""Limits of a response in fixed wording: names of one list, sentences, and ways of two tools."""
MOST_COMPARED = 24
"""Sentences of a comparison: two tools under all relations that are compared."""


class _CitedSentence(BaseModel):
    text: str
    evidence: list[int] = []


class Answered(BaseModel):
    """The JSON that a model replies with: sentences with the numbers of their facts."""

    answer: list[_CitedSentence] = []


@dataclass(frozen=True)
class ModelComposer:
    """Lets a model answer from numbered facts; a sentence without a fact of the list is dropped."""

    model: LanguageModel | None
    seconds: float = 8.0
    budget: Budget | None = None
    name: str = "language model"

    def run(self, state: State) -> StageResult:
        """The sentences that rest on evidence; a refusal where none does.

        Notes are no evidence. Raises StageUnavailable without a model, without facts, or where its
        reply cannot be parsed.
        """
        if self.model is None:
            raise StageUnavailable("none configured")
        facts = [fact for fact in state.evidence.facts if fact.kind != "note"][:MAX_SHOWN]
        if not facts:
            raise StageUnavailable("nothing was found that it could answer from")
        fact_lines = "\n".join(f"{n}. {fact.text}" for n, fact in enumerate(facts, start=1))
        prompt = prompt_file("ask_answer", "ask").format(
            question=state.query.text, facts=fact_lines
        )
        within = Deadline.after(min(self.seconds, state.deadline.left))
        reply = ask(self.model, prompt, Answered, budget=self.budget, deadline=within)
        if reply.value is None:
            raise StageUnavailable(reply.reason)
        sentences = _supported(reply.value, facts)
        dropped = len(reply.value.answer) - len(sentences)
        refused = "" if sentences else UNSUPPORTED
        evidence = replace(state.evidence, answer=sentences, refusal=refused)
        note = f"{dropped} sentences without evidence dropped" if dropped else ""
        return StageResult(name=self.name, state=replace(state, evidence=evidence), note=note)


def _supported(reply: Answered, facts: Sequence[Fact]) -> tuple[Sentence, ...]:
    sentences: list[Sentence] = []
    for one in reply.answer[:MAX_SENTENCES]:
        numbers = dict.fromkeys(n for n in one.evidence if 1 <= n <= len(facts))
        text = " ".join(one.text.split())[:MAX_SENTENCE]
        if numbers and text:
            sentences.append(Sentence(text=text, evidence=tuple(facts[n - 1].id for n in numbers)))
    return tuple(sentences)


@dataclass(frozen=True)
class FactComposer:
    """The answer that a strategy extracted from the facts, or why there is none."""

    name: str = "from the facts"

    def run(self, state: State) -> StageResult:
        """The state as it is, with a refusal (of the question or of a part) as the note."""
        evidence = state.evidence
        refused = evidence.refusal or ("" if evidence.answer else "nothing was found")
        after = replace(state, evidence=replace(evidence, refusal=refused))
        return StageResult(name=self.name, state=after, note=refused)


def refusal(trouble: str, language: str, words: Sequence[str] = ()) -> str:
    """Why there is no answer, in the question's language; English where a text is missing."""
    texts: dict[str, str] = json_table("wording")["refusals"][trouble]
    between = "、" if language in SPACELESS else ", "
    return (texts.get(language) or texts["en"]).format(words=between.join(words))


def mentions_note(base: FactBase, mentioned: Iterable[Mentioned], language: str) -> Iterator[str]:
    """Which records have words in their texts that no fact has, and how many meet the rest."""
    for one in mentioned:
        words = joined(one.words, MOST_NAMES, language)
        names = joined([base.label(tool) for tool in one.tools], MOST_NAMES, language)
        yield wording("in texts", language).format(words=words, n=len(one.tools), names=names)
        if one.fitting:
            yield wording("texts fitting", language).format(n=one.fitting)


def extracted(base: FactBase, solution: Solution) -> tuple[Sentence, ...]:
    """The answer of a solution in fixed wording; empty where the solution has trouble.

    At most MOST_SENTENCES sentences of MOST_NAMES names; a yes or no comes first.
    """
    if solution.trouble or not solution.facts:
        return ()
    language = solution.reading.language
    evidence = tuple(fact.id for fact in solution.facts)
    if solution.reading.rank and solution.ranking:
        text = ranked_text(base, solution.reading, solution.reading.rank, solution.ranking)
        return (Sentence(text=text, evidence=evidence),)
    if solution.among or solution.reading.form == "select":
        text = _list_text(base, solution, language)
        text = " ".join((text, *_left_open(base, solution, language)))
        if solution.dropped:
            words = joined(solution.dropped, MOST_NAMES, language)
            text = f"{text} {wording('dropped', language).format(words=words)}"
        free = wording("free as open", language) if solution.reading.priced else ""
        notes = (free, verbs_note(solution.reading), likened_note(solution.reading))
        text = " ".join(filter(None, (text, *notes)))
        listing = Sentence(text=text, evidence=evidence)
        compared = solution.reading.form == "choice"
        grouped = _grouped(base, solution.facts, language) if compared else ()
        return (*_unjudged(solution, evidence), listing, *grouped)
    several = solution.reading.form == "compare" or solution.reading.joint
    most = MOST_COMPARED if several else MOST_SENTENCES
    sentences = [
        *joint_sentences(base, solution.reading, solution.facts),
        *list(_grouped(base, solution.facts, language))[:most],
        *free_note(base, solution),
    ]
    if note := likened_note(solution.reading):
        sentences.append(Sentence(text=note, evidence=evidence))
    if solution.holds is None:
        return (*_unjudged(solution, evidence), *sentences)
    word = " ".join((_yes_or_no(solution, language), *_unmet(solution, language)))
    return (Sentence(text=word, evidence=evidence), *sentences)


def _unjudged(solution: Solution, evidence: tuple[str, ...]) -> tuple[Sentence, ...]:
    """That no record says which of several tools is better, where the question asks it."""
    if not solution.reading.judged:
        return ()
    return (Sentence(text=wording("no judgement", solution.reading.language), evidence=evidence),)


def _yes_or_no(solution: Solution, language: str) -> str:
    """*Yes*, or that it is not stated; what a question denies and a record states is no such."""
    if names := solution.unmet.contrary:
        return wording("contrary", language).format(words=joined(names, MOST_NAMES, language))
    return wording("yes" if solution.holds else "not stated", language)


def _unmet(solution: Solution, language: str) -> Iterator[str]:
    """What of a check the record states otherwise, and what it says nothing of."""
    for key, names in (("other", solution.unmet.other), ("blank", solution.unmet.blank)):
        if names:
            yield wording(key, language).format(words=joined(names, MOST_NAMES, language))


def _left_open(base: FactBase, solution: Solution, language: str) -> Iterator[str]:
    """How many of a set fulfil a negation by what they state, and how many are silent."""
    negated = [limit for limit in solution.reading.limits if is_denial(limit)]
    # Dozens of dates or commands are no values that could be named.
    many = (*DATES.values(), INSTALLS)
    negated = [limit for limit in negated if limit.options[0][0] not in many]
    n = len(solution.nodes) - solution.silent
    if negated and n and not solution.among:
        names = dict.fromkeys(value_name(base, limit.options[0][1]) for limit in negated)
        words = joined(list(names), MOST_NAMES, language)
        yield wording("states others", language).format(n=n, words=words)
    if solution.silent:
        yield wording("silent", language).format(n=solution.silent)
    if any(limit.only for limit in solution.reading.limits) and not solution.among:
        every = [replaced(x, only=()) for x in solution.reading.limits]
        beside = len(ToolSets(base).all_of(every)) - len(solution.nodes)
        if beside > 0:
            yield wording("beside", language).format(n=beside)
    if solution.converting:
        others = joined([base.label(n) for n in solution.converting], MOST_NAMES, language)
        yield wording("converting", language).format(names=others)
    yield from _directions(base, solution, language)
    if solution.open_need:
        yield wording("open need", language).format(n=solution.open_need)


def _directions(base: FactBase, solution: Solution, language: str) -> Iterator[str]:
    """How many tools convert in each direction, and which where it is not all of them."""
    stop = "。" if language in SPACELESS else "."
    for before, after, tools in directions(base, solution.reading.limits, solution.nodes):
        names = joined([base.label(tool) for tool in tools], MOST_NAMES, language)
        shown = f" ({names})" if 0 < len(tools) < len(solution.nodes) else ""
        yield f"{before} \N{RIGHTWARDS ARROW} {after}: {len(tools)}{shown}{stop}"


def verbs_note(reading: Reading) -> str:
    """The verbs that no list has, each with the one that it was read as where that is a choice."""
    if not reading.verbs:
        return ""
    cues: dict[str, Any] = json_table("cues")[reading.language]
    verbs = [
        f"{word} = {cues[kind][0]}" if kind in ("accepts", "produces") else word
        for word, kind in reading.verbs
    ]
    words = joined(verbs, MOST_NAMES, reading.language)
    return wording("verbs", reading.language).format(words=words)


def likened_note(reading: Reading) -> str:
    """The words that were read as names which they do not resemble, with these names."""
    pairs = [f"{words} = {name}" for words, name in reading.likened]
    words = joined(pairs, MOST_NAMES, reading.language)
    return wording("likened", reading.language).format(words=words) if pairs else ""


def _list_text(base: FactBase, solution: Solution, language: str) -> str:
    """The nodes of a solution in one sentence, or pairs of tools with the format between them."""
    if solution.among and not solution.nodes:
        return wording("none among", language)
    if any(fact.kind == "path" for fact in solution.facts):
        ways = []
        for fact in solution.facts:
            first, middle, last = fact.steps[0][0], fact.steps[1][2:], fact.steps[2][0]
            ways.append(" → ".join(base.label(node) for node in (first, *middle, last)))
        between = "；" if language in SPACELESS else "; "
        return wording("in steps", language).format(ways=joined(ways, MOST_WAYS, language, between))
    names = joined([base.label(node) for node in solution.nodes], MOST_NAMES, language)
    key = "among" if solution.among else "share" if solution.reading.share else "listed"
    n, total = len(solution.nodes), sum(item.kind == "tool" for item in base.items.values())
    percent = round(100 * n / total)
    return wording(key, language).format(n=n, names=names, total=total, percent=percent)


def _grouped(base: FactBase, facts: Iterable[Fact], language: str) -> Iterator[Sentence]:
    """One sentence for each pair of tool and relation, in the order of the facts."""
    table: dict[str, Any] = json_table("wording")
    groups: dict[tuple[str, str], list[tuple[Step, Fact]]] = {}
    for fact in facts:
        for step in fact.steps:
            groups.setdefault((step[0], step[1]), []).append((step, fact))
    for (head, relation), members in groups.items():
        names: dict[str, None] = {}
        for (_, _, node), _ in members:
            label = base.label(node)
            # The values of a closed code have a word in each language; other names stay.
            closed = base.kind(node) in {"gpu", "license_class", "permission", "species"}
            words = table["values"].get(label, {}) if closed else {}
            names.setdefault(str(words.get(language, label)))
        forms = table["relations"].get(relation, table["relations"][""])
        text = (forms.get(language) or forms["en"]).format(
            s=base.label(head),
            o=joined(list(names), MOST_NAMES, language),
            r=relation.replace("_", " "),
        )
        yield Sentence(text=text, evidence=tuple(dict.fromkeys(fact.id for _, fact in members)))


def near_note(names: Sequence[str], language: str) -> str:
    """Names of the catalog that are spelled like words of no name; empty for none."""
    words = joined(names, MOST_NAMES, language)
    return wording("near names", language).format(names=words) if names else ""
