"""The strategies over the graph as stages; each adds evidence and notes what it did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.ask.lookups import (
    ANSWERS,
    ENTITIES,
    FINISH,
    PATHS,
    SPARQL,
    TaskLinker,
    finished,
    queries_in,
)
from retrieval.ask.paths import metapath_of
from retrieval.core import (
    BadInput,
    Evidence,
    Fact,
    StageResult,
    StageUnavailable,
    State,
    StoreQuery,
    Verdict,
)
from retrieval.graph import QueryStore, Refused

NO_MODEL = "no language model; set SCANSCOUT_LLM_BASE_URL and SCANSCOUT_LLM_MODEL to switch one on"
DONE = "task-completion"
MODEL_FINISHED = "the model said FINISH"
OUT_OF_ITERATIONS = "the iterations were used up"
QUERY_TIMES = 2
"""Queries of one question: a failed one may be rewritten once."""


Linking = Callable[[Sequence[str]], Sequence[str]]
"""Names to the ids of nodes."""

Walking = Callable[[State, Sequence[str]], tuple[Sequence[Fact], frozenset[str]]]
"""From nodes to facts, and the nodes that were walked from."""

Following = Callable[[State, Sequence[Sequence[str]], Sequence[str]], Sequence[Fact]]
"""State, metapaths and target nodes to facts."""


def _after(name: str, state: State, evidence: Evidence, note: str = "") -> StageResult:
    added = len(evidence.facts) - len(state.evidence.facts)
    text = "; ".join(part for part in (note, f"{added} facts added" if added else "") if part)
    after = replace(state, evidence=evidence)
    return StageResult(name=name, state=after, note=text, metrics={"facts": len(evidence.facts)})


@dataclass(frozen=True)
class RequestLookups:
    """Lets a model say what to look up, given the evidence so far."""

    linker: TaskLinker | None
    schema: Callable[[], str]
    name: str = "wishes"

    def run(self, state: State) -> StageResult:
        """The look-ups that the model requests, by task."""
        if self.linker is None:
            raise StageUnavailable(NO_MODEL)
        again = state.round > 1 or bool(state.evidence.requests)
        reply = self.linker.generate_response(
            question=state.query.text,
            schema=self.schema(),
            graph_context="\n".join(fact.text for fact in state.evidence.facts),
            task_prompts=self.linker.prompts(again=again),
        )
        requests = {task: tuple(items) for task, items in self.linker.parse_response(reply).items()}
        if finished(reply):
            requests[DONE] = (FINISH,)
        note = ", ".join(f"{task}: {len(items)}" for task, items in requests.items())
        # No requests mean that no model was asked; an empty reply must differ from that.
        requests = requests or {"": ()}
        evidence = replace(state.evidence, requests=requests, before=state.evidence.size)
        return _after(self.name, state, evidence, note or "asked nothing")


@dataclass(frozen=True)
class LinkEntities:
    """Links the names that the model gave, and those of the question, to nodes.

    ``missing`` returns why nothing is linked by meaning, or an empty text.
    """

    link: Linking
    link_question: Callable[[str], Sequence[str]] | None = None
    missing: Callable[[], str] = lambda: ""
    name: str = "linking"

    def run(self, state: State) -> StageResult:
        """The linked nodes after the earlier ones."""
        names = state.evidence.requests.get(ENTITIES, ())
        direct = self.link_question(state.query.text) if self.link_question else ()
        evidence = state.evidence.with_linked((*self.link(names), *direct))
        new = len(evidence.linked) - len(state.evidence.linked)
        note = f"{new} linked, {len(evidence.linked)} in all"
        why = self.missing() if names else ""
        return _after(self.name, state, evidence, f"{note}; not by meaning: {why}" if why else note)


@dataclass(frozen=True)
class WalkTriplets:
    """Triples around the linked nodes that are not explored yet."""

    walk: Walking
    name: str = "triplets"

    def run(self, state: State) -> StageResult:
        """The facts of the walk; skipped without a node to start from."""
        if _finishes_only(state):
            raise StageUnavailable(MODEL_FINISHED)
        sources = [n for n in state.evidence.linked if n not in state.evidence.explored]
        if not sources:
            raise StageUnavailable("no linked node that is not explored yet")
        facts, walked = self.walk(state, sources)
        evidence = state.evidence.with_facts(facts).with_explored((*sources, *walked))
        return _after(self.name, state, evidence)


@dataclass(frozen=True)
class FollowPaths:
    """Paths that the model named, and the shortest ones to its draft answers."""

    follow: Following
    link: Linking
    name: str = "paths"

    def run(self, state: State) -> StageResult:
        """The facts of the paths; skipped without a node to start from or a path to follow."""
        if _finishes_only(state):
            raise StageUnavailable(MODEL_FINISHED)
        requests = state.evidence.requests
        metapaths = [metapath_of(text) for text in requests.get(PATHS, ())]
        targets = self.link(requests.get(ANSWERS, ()))
        if not state.evidence.linked:
            raise StageUnavailable("no linked node to start from")
        if not (metapaths or targets) and len(state.evidence.linked) < 2:
            raise StageUnavailable("no path was named and only one node is linked")
        facts = self.follow(state, metapaths, targets)
        return _after(self.name, state, state.evidence.with_facts(facts))


@dataclass(frozen=True)
class RunQuery:
    """Runs the queries that the model wrote, read-only and bounded; errors become notes for it.

    ``store`` runs Cypher and its dialects, ``rdf`` runs SPARQL.
    """

    store: Callable[[], QueryStore | None]
    rdf: Callable[[], QueryStore | None] = lambda: None
    name: str = "query"

    def run(self, state: State) -> StageResult:
        """The rows as facts; a refusal, a failure and an empty result become different notes.

        A note is context for the model's next query and evidence for no sentence. Raises
        StageUnavailable without a query, where no store takes one, and after QUERY_TIMES failures.
        """
        queries = queries_in(state.evidence.requests)
        if not queries:
            raise StageUnavailable("no query was written")
        stores = {kind: (self.rdf if kind == SPARQL else self.store)() for kind, _ in queries}
        if not any(stores.values()):
            extra = "rdf" if SPARQL in stores else "cypher"
            raise StageUnavailable(f"no graph database; pip install 'scanscout[{extra}]'")
        fresh = [one for one in queries if _failures(state.evidence, one[0]) < QUERY_TIMES]
        if not fresh:
            raise StageUnavailable("a failed query was rewritten once already")
        evidence, notes = state.evidence, list[str]()
        for kind, text in fresh:
            if (store := stores[kind]) is not None:
                evidence, problem = self._ran(evidence, kind, text, store)
                notes += [problem] if problem else []
        ran = ["rows found"] if _rows_in(evidence) > _rows_in(state.evidence) else []
        result = _after(self.name, state, evidence, "; ".join([*ran, *notes]))
        return replace(result, status="fallback") if notes else result

    def _ran(
        self, evidence: Evidence, kind: str, text: str, store: QueryStore
    ) -> tuple[Evidence, str]:
        """The evidence with the rows, or with a note that states what went wrong; that note."""
        after = replace(evidence, query=StoreQuery(language=store.language, text=text))
        try:
            rows = store.run(text)
            after = replace(after, query=StoreQuery(language=rows.language, text=rows.text))
            if rows.rows:
                return after.with_facts(rows.facts(self.name, _rows_in(evidence) + 1)), ""
            problem = f"The {kind} query ran and found no row; its names or values may differ."
        except Refused as exc:
            problem = f"The {kind} query was not run. {exc}"
        except BadInput as exc:
            problem = f"The {kind} query failed. {exc}"
        number = 1 + sum(fact.kind == "note" for fact in evidence.facts)
        note = Fact(id=f"note {number}", text=problem, kind="note", source=self.name)
        return after.with_facts((note,)), problem


def why_ended(result: StageResult) -> str:
    """Why the iterations of a result ended; empty where there were none.

    The model's word comes first, then the verdict of ``Completion``, then the limit.
    """
    if result.state.evidence.requests.get(DONE):
        return MODEL_FINISHED
    reasons = [node.verdict.reason for node in result.walk() if node.verdict]
    if reasons and reasons[-1]:
        return reasons[-1]
    iterated = any("round 1" in node.name for node in result.walk())
    return OUT_OF_ITERATIONS if iterated else ""


def _finishes_only(state: State) -> bool:
    """Whether the model replied FINISH and nothing else; what stands beside it is looked up."""
    return set(state.evidence.requests) == {DONE}


def _failures(evidence: Evidence, kind: str) -> int:
    """Queries of one type that failed; each left a note that begins with the type."""
    notes = (fact.text for fact in evidence.facts if fact.kind == "note")
    return sum(text.startswith(f"The {kind} query ") for text in notes)


def _rows_in(evidence: Evidence) -> int:
    return sum(fact.kind == "query" for fact in evidence.facts)


@dataclass(frozen=True)
class Completion:
    """Ends the iterations: on the model's word, or when no new fact was added."""

    name: str = "completion"

    def run(self, state: State) -> StageResult:
        """*Enough* with the reason, or *not enough* with the question to ask again."""
        evidence, reason = state.evidence, ""
        if evidence.requests.get(DONE):
            reason = MODEL_FINISHED
        elif not evidence.requests:
            reason = "without a language model one iteration finds all there is"
        elif evidence.before == evidence.size:
            reason = "nothing new was found"
        verdict = Verdict(
            enough="enough" if reason else "not enough",
            reason=reason,
            queries=() if reason else (state.query.text,),
        )
        return StageResult(name=self.name, state=state, verdict=verdict, note=reason)
