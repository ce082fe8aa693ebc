"""A bounded walk over triples; a model or the question's words choose every step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from pydantic import BaseModel

from retrieval.ask.linker import squash, words_at
from retrieval.core import NO_LIMIT, Deadline, Fact, Step
from retrieval.graph import FactBase
from retrieval.llm import Budget, LanguageModel, ask, prompt_file
from retrieval.rerank import PairScorer

T = TypeVar("T", bound=BaseModel)

MOST_OFFERED = 60
"""Relations or nodes that one prompt lists."""

MOST_SCORED = 1_000
"""Triples that a scorer reads: some seconds with the packaged encoder on a processor."""

Key = TypeVar("Key", str, Step)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkLimits:
    """Most relations and new nodes of one step, most steps, most triples of one walk."""

    relations: int = 5
    entities: int = 3
    iterations: int = 3
    triplets: int = 50


class Chooser(Protocol):
    """Chooses the next steps of a walk; names that were not offered are dropped."""

    def relations(self, question: str, offered: Sequence[str], most: int) -> Sequence[str]:
        """The relations to follow, best first."""
        ...

    def entities(
        self, question: str, offered: Sequence[str], context: Sequence[str], most: int
    ) -> Sequence[str] | None:
        """The nodes to go on from, best first; None when the question can be answered."""
        ...


@dataclass(frozen=True)
class TripletWalk:
    """From linked nodes along chosen relations, in both directions, up to the limits."""

    base: FactBase
    limits: WalkLimits = field(default_factory=WalkLimits)

    def facts(
        self,
        question: str,
        sources: Sequence[str],
        chooser: Chooser,
        explored: Iterable[str] = (),
    ) -> tuple[tuple[Fact, ...], frozenset[str]]:
        """The triples of the walk, in order, and every node that was walked from.

        Stops at the limits, at a front without new nodes, or when the chooser returns None.
        """
        walked = set(explored)
        triples: dict[Step, None] = {}
        front = [node for node in dict.fromkeys(sources) if node not in walked]
        for _ in range(self.limits.iterations):
            if not front or len(triples) >= self.limits.triplets:
                break
            walked.update(front)
            ends = self._step(question, front, chooser, triples)
            offered = [node for node in ends if node not in walked][:MOST_OFFERED]
            if not offered:
                break
            texts = [self.base.fact(step, "walk").text for step in triples]
            next_nodes = chooser.entities(question, offered, texts, self.limits.entities)
            if next_nodes is None:
                break
            front = [n for n in dict.fromkeys(next_nodes) if n in offered][: self.limits.entities]
        return tuple(self.base.fact(step, "walk") for step in triples), frozenset(walked)

    def _step(
        self, question: str, front: Sequence[str], chooser: Chooser, triples: dict[Step, None]
    ) -> list[str]:
        """Follow the chosen relations from every node of the front; the nodes reached."""
        at = {node: self.base.relations(node) for node in front}
        names = list(dict.fromkeys(name for relations in at.values() for name, _ in relations))
        relation_names = chooser.relations(question, names[:MOST_OFFERED], self.limits.relations)
        followed = [n for n in dict.fromkeys(relation_names) if n in names][: self.limits.relations]
        reached: list[str] = []
        for name in followed:
            for node in front:
                for away in (away for relation, away in at[node] if relation == name):
                    reached.extend(self._follow(node, name, away, triples))
        return list(dict.fromkeys(reached))

    def _follow(self, node: str, relation: str, away: bool, triples: dict[Step, None]) -> list[str]:
        """The nodes at the other end; their steps go into ``triples`` while there is room."""
        most = self.limits.triplets
        if away:
            steps = [(node, relation, tail) for tail in self.base.tails(node, relation, most=most)]
        else:
            steps = [(head, relation, node) for head in self.base.heads(relation, node, most=most)]
        reached: list[str] = []
        for step in steps:
            if len(triples) >= most:
                break
            triples.setdefault(step)
            reached.append(step[2] if away else step[0])
        return reached


@dataclass(frozen=True)
class ScoredWalk:
    """Triples within some hops of linked nodes, by relevance: relations first, then triples.

    No step is chosen while walking, so that no model is asked; a scorer reads the question beside
    every name of a relation and every triple. Sizes are those of the source.
    """

    base: FactBase
    scorer: PairScorer
    hops: int = 2
    most_relations: int = 20
    most_triples: int = 100

    def facts(
        self, question: str, sources: Sequence[str]
    ) -> tuple[tuple[Fact, ...], frozenset[str]]:
        """The best triples, best first, and the nodes that were walked from.

        At most MOST_SCORED triples are scored, those nearest to the sources.
        """
        walked: dict[str, None] = {}
        triples: dict[Step, None] = {}
        front = list(dict.fromkeys(sources))
        for _ in range(self.hops):
            walked.update(dict.fromkeys(front))
            steps = [step for node in front for step in self._steps(node)]
            triples.update(dict.fromkeys(steps[: MOST_SCORED - len(triples)]))
            ends = dict.fromkeys(end for head, _, tail in steps for end in (head, tail))
            front = [node for node in ends if node not in walked]
        words = {name: name.replace("_", " ") for _, name, _ in triples}
        relations = set(self._best(question, words, self.most_relations))
        texts = {step: self.base.words(step) for step in triples if step[1] in relations}
        best = self._best(question, texts, self.most_triples)
        return tuple(self.base.fact(step, "walk") for step in best), frozenset(walked)

    def _steps(self, node: str) -> Iterable[Step]:
        for relation, away in self.base.relations(node):
            if away:
                tails = self.base.tails(node, relation, most=MOST_SCORED)
                yield from ((node, relation, tail) for tail in tails)
            else:
                heads = self.base.heads(relation, node, most=MOST_SCORED)
                yield from ((head, relation, node) for head in heads)

    def _best(self, question: str, texts: Mapping[Key, str], most: int) -> list[Key]:
        """The keys of the most relevant texts; scores count to six decimals, ties keep order."""
        if not texts:
            return []
        scores = self.scorer.scores(question, list(texts.values()))
        ordered = sorted(zip(texts, scores, strict=True), key=lambda pair: -round(pair[1], 6))
        return [key for key, _ in ordered[:most]]


class _Relations(BaseModel):
    relations: list[str]


class _Entities(BaseModel):
    entities: list[str] = []
    finish: bool = False


@dataclass(frozen=True)
class ModelChooser:
    """A language model chooses; where its reply cannot be parsed, the question's words decide."""

    model: LanguageModel
    label: Callable[[str], str]
    budget: Budget | None = None
    deadline: Deadline = NO_LIMIT

    def _reply(self, prompt: str, shape: type[T]) -> T | None:
        return ask(self.model, prompt, shape, budget=self.budget, deadline=self.deadline).value

    def relations(self, question: str, offered: Sequence[str], most: int) -> Sequence[str]:
        """What the model names of what was offered."""
        relation_lines = "\n".join(offered)
        prompt = prompt_file("walk_relations", "ask").format(
            question=question, most=most, offered=relation_lines
        )
        reply = self._reply(prompt, _Relations)
        if reply is None:
            return WordChooser(self.label).relations(question, offered, most)
        return [name for name in reply.relations if name in offered]

    def entities(
        self, question: str, offered: Sequence[str], context: Sequence[str], most: int
    ) -> Sequence[str] | None:
        """The nodes the model names by id or label; None when it says FINISH."""
        node_lines = "\n".join(f"{node}: {self.label(node)}" for node in offered)
        prompt = prompt_file("walk_entities", "ask").format(
            question=question, most=most, offered=node_lines, context="\n".join(context)
        )
        reply = self._reply(prompt, _Entities)
        if reply is None:
            return WordChooser(self.label).entities(question, offered, context, most)
        if reply.finish:
            return None
        # Reversed, so that of several nodes with one label the first that was offered wins.
        by_name = {self.label(node): node for node in reversed(offered)}
        return [by_name.get(name, name) for name in reply.entities]


@dataclass(frozen=True)
class WordChooser:
    """Relations and nodes that share words with the question come first."""

    label: Callable[[str], str]

    def relations(self, question: str, offered: Sequence[str], most: int) -> Sequence[str]:
        """Relations that share most words with the question first; ties as offered."""
        # Five letters make forms of one word equal: *requires*, *required*, *requirements*.
        words = {squash(w)[:5] for w, _, _ in words_at(question)}

        def rank(name: str) -> int:
            return -sum(squash(w)[:5] in words for w in name.replace("_", " ").split())

        return sorted(offered, key=rank)[:most]

    def entities(
        self, question: str, offered: Sequence[str], context: Sequence[str], most: int
    ) -> Sequence[str] | None:
        """Nodes that share words with the question, most first, ties by id; None for none.

        Words of one or two letters do not count.
        """
        words = {squash(w) for w, _, _ in words_at(question) if len(w) > 2}
        shared = {
            n: len(words & {squash(w) for w, _, _ in words_at(self.label(n))}) for n in offered
        }
        best = sorted((n for n in offered if shared[n]), key=lambda n: (-shared[n], n))
        return best[:most] or None
