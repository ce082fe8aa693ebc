"""Adapters: components of BYOKG-RAG, which return texts, as stages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from retrieval.ask import NameIndex, QuestionLinker, query_in
from retrieval.core import Fact, StageResult, StageUnavailable, State, StoreQuery
from retrieval.llm import prompt_file


def as_facts(texts: Iterable[str], source: str) -> list[Fact]:
    """Texts as pieces of context."""
    return [Fact(id=f"{source}: {text}", text=text, kind="record", source=source) for text in texts]


@dataclass(frozen=True)
class TextRetrievers:
    """Retrievers that return texts, behind the functions that our stages call."""

    triplets: Any
    paths: Any

    def walked(self, state: State, sources: Sequence[str]) -> tuple[list[Fact], frozenset[str]]:
        """The texts of the triplet retriever; it does not report its steps, so the set is empty."""
        texts = self.triplets.retrieve(state.query.text, list(sources))
        return as_facts(texts, "triplets"), frozenset()

    def followed(
        self, state: State, metapaths: Sequence[Sequence[str]], targets: Sequence[str]
    ) -> list[Fact]:
        """The texts of the path retriever from every linked or explored node.

        Without targets and without a reply of a model, paths lead to all nodes but the first.
        """
        nodes = list(dict.fromkeys((*state.evidence.linked, *sorted(state.evidence.explored))))
        ends = list(targets) or ([] if state.evidence.requests else nodes[1:])
        paths = [list(path) for path in metapaths]
        return as_facts(self.paths.retrieve(nodes, paths, ends), "paths")


@dataclass(frozen=True)
class GivenQuery:
    """The query of a reply, run by an executor of the source's shape."""

    executor: Any
    name: str = "query"

    def run(self, state: State) -> StageResult:
        """The executor's context; skipped when the reply holds no query."""
        kind, text = query_in(state.evidence.requests)
        if not text:
            raise StageUnavailable("no query was written")
        texts = self.executor.retrieve(text, return_answers=False)
        query = StoreQuery(language=kind, text=text)
        evidence = replace(state.evidence.with_facts(as_facts(texts, "query")), query=query)
        return StageResult(name=self.name, state=replace(state, evidence=evidence))

    @staticmethod
    def named(graph_store: Any, question: str) -> list[str]:  # noqa: ANN401 - any store
        """The nodes whose names stand in a question."""
        names = NameIndex.of(graph_store.base.items.values())
        return [link.node for link in QuestionLinker(names).links(question)]

    @staticmethod
    def answer_prompt(question: str, context: str) -> str:
        """The prompt for the final answer of a model."""
        return prompt_file("linker", "ask").format(
            question=question,
            schema="not needed",
            context=context,
            tasks=prompt_file("task_draft-answer-generation", "ask"),
        )
