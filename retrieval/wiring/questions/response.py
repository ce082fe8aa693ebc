"""A question's response: what was found so far, as an object, as JSON, and as lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from retrieval.ask import UNSUPPORTED, Choice, refusal, why_ended
from retrieval.core import Evidence, Fact, Graph, StageResult, StoreQuery
from retrieval.wiring.questions.schema_steps import SCHEMA, StepTexts

PLACES = {"graph": "catalog record", "record": "catalog record", "description": "description"}
"""Where a fact of the catalog is from, by the first word of its source."""

MOST_ASIDE = 6
"""Facts printed below a refusal, which rest on its other words; the JSON has them all."""

MOST_CITED = 6
"""Numbers of facts that stand behind one sentence of the text; of the others their count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A question and its response so far; ``done`` marks the last one."""

    question: str
    language: str
    choice: Choice
    result: StageResult
    done: bool = True
    recent: tuple[str, ...] = ()
    """Names of the tools in the questions so far, the latest last."""
    set_queries: Mapping[str, str] = field(default_factory=dict)
    """By language the query of the set that the answer lists; empty where there is none."""

    @property
    def typed(self) -> str:
        """The question in the words of its author; ``question`` is what it was read as."""
        return self.result.state.query.raw

    @property
    def evidence(self) -> Evidence:
        """Facts, answer and query."""
        return self.result.state.evidence

    @property
    def graph(self) -> Graph:
        """The excerpt behind the facts."""
        graphs = [node.graph for node in self.result.walk() if node.graph is not None]
        return graphs[-1] if graphs else Graph()

    @property
    def query(self) -> StoreQuery | None:
        """The query that was run, to be edited and run again."""
        return self.evidence.query

    @property
    def steps(self) -> StepTexts:
        """What the steps over the schema chose; empty but for the question after other answers."""
        asked_for = self.evidence.requests if self.choice.answerer == SCHEMA else {}
        query = self.query.text if self.query and asked_for else ""
        return StepTexts(
            question=self.question,
            entities=", ".join(asked_for.get("entities", ())),
            relationships=", ".join(asked_for.get("relationships", ())),
            properties="\n".join(asked_for.get("properties", ())),
            query=query,
        )

    @property
    def refused(self) -> str:
        """Why there is no answer: in the question's language if it is one of ours; else English.

        Empty with an answer. An answerer that could not run is named with its own reason.
        """
        if self.evidence.answer:
            return ""
        if self.evidence.refusal == UNSUPPORTED:
            return refusal("no evidence", self.language)
        route = next((node for node in self.result.children if node.name == "answerer"), None)
        if route is None or route.ran:
            return self.evidence.refusal
        why = "; ".join(node.note for node in route.children) or route.note
        return f"{self.choice.answerer} could not answer: {why}"

    @property
    def unanswered(self) -> str:
        """Why a part of the question has no answer; empty where every part has one, or none."""
        return self.evidence.refusal if self.evidence.answer else ""

    @property
    def stopped(self) -> str:
        """Why the iterations came to an end; empty where there were none."""
        return why_ended(self.result)


def response_json(response: Response) -> dict[str, Any]:
    """Question, answer with its evidence, context, trace, graph, query, choice and refusal."""
    choice, evidence = response.choice, response.evidence
    return {
        "question": response.question,
        "language": response.language,
        "answer": [
            {"sentence": one.text, "evidence": list(one.evidence)} for one in evidence.answer
        ],
        "context": [_fact_json(fact) for fact in evidence.facts],
        "stages": [
            {
                "name": node.name,
                "status": node.status,
                "note": node.note,
                "elapsed_ms": round(node.elapsed_ms, 3),
            }
            for node in response.result.walk()
        ],
        "graph": asdict(response.graph),
        "query": asdict(response.query) if response.query else None,
        "steps": asdict(response.steps) if choice.answerer == SCHEMA else None,
        "chosen": {
            "answerer": choice.answerer,
            "reason": choice.reason,
            "by": choice.by,
            "alternatives": [
                {"answerer": name, "reason": why} for name, why in choice.alternatives
            ],
        },
        "refused": response.refused or None,
        "unanswered": response.unanswered or None,
        "stopped": response.stopped or None,
    }


def _fact_json(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "kind": fact.kind,
        "text": fact.text,
        "source": fact.source,
        "nodes": list(fact.nodes),
    }


def response_text(response: Response) -> str:
    """The response in lines: sentences with the numbers of their facts, then the facts."""
    evidence = response.evidence
    numbers = {fact.id: n for n, fact in enumerate(evidence.facts, start=1)}
    lines = []
    for sentence in evidence.answer:
        cited = [numbers[one] for one in sentence.evidence if one in numbers]
        more = f" and {len(cited) - MOST_CITED} more" if len(cited) > MOST_CITED else ""
        lines.append(f"{sentence.text} [{', '.join(map(str, cited[:MOST_CITED]))}{more}]")
    lines += [reason for reason in (response.refused, response.unanswered) if reason]
    lines.append("")
    facts = evidence.facts if evidence.answer else evidence.facts[:MOST_ASIDE]
    if facts and not evidence.answer:
        lines.append("found by the other words of the question; no answer to it:")
    for n, fact in enumerate(facts, start=1):
        # The choices of a row of the catalog are written with a bar between them.
        text = fact.text.replace(" | ", " or ") if fact.kind == "record" else fact.text
        lines.append(f"[{n}] {text}  ({source_words(fact.source)})")
    if len(facts) < len(evidence.facts):
        lines.append(f"and {len(evidence.facts) - len(facts)} more, see --json")
    head = "asked" if response.refused else "answered from"
    lines.append(f"{head}: {response.choice.answerer} ({response.choice.reason})")
    return "\n".join(lines)


def source_words(source: str) -> str:
    """``catalog record, ADDRESS`` for ``record: question (ADDRESS)``; other sources as they are."""
    place, _, way = source.partition(": ")
    if place not in PLACES:
        return source
    _, _, address = way.partition(" (")
    return f"{PLACES[place]}, {address.removesuffix(')')}" if address else PLACES[place]
