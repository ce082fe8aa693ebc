"""The retrievers under BYOKG-RAG's names; each returns texts, one per fact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from retrieval.ask import (
    NO_ENCODER,
    Chooser,
    MeaningIndex,
    ModelChooser,
    NameIndex,
    PathFinder,
    TripletWalk,
    WalkLimits,
    WordChooser,
)
from retrieval.ask import EntityLinker as _Linker
from retrieval.compat.byokg_rag.llm import GeneratedModel
from retrieval.core import BadInput, StageUnavailable, Step
from retrieval.graph import FactBase
from retrieval.graphdb import cypher_refusal, is_sparql, sparql_refusal

EMPTY = "The query ran and found nothing; its names or values may differ."


class GTraversal:
    """Walks over a graph store."""

    def __init__(self, graph_store: Any) -> None:  # noqa: ANN401 - any store with a base of facts
        self.graph_store = graph_store
        self.base: FactBase = graph_store.base

    def one_hop_expand(self, source_nodes: Iterable[str]) -> list[Step]:
        """Every triple that has one of the nodes as head or tail, each once."""
        edges = self.graph_store.get_one_hop_edges(list(source_nodes))
        return list(dict.fromkeys(t for by in edges.values() for ts in by.values() for t in ts))

    def multi_hop_expand(self, source_nodes: Iterable[str], hops: int = 2) -> list[Step]:
        """Every triple within ``hops`` steps of the nodes, nearest first, each once."""
        front, triples = list(source_nodes), dict[Step, None]()
        for _ in range(hops):
            new = self.one_hop_expand(front)
            triples.update(dict.fromkeys(new))
            front = list(dict.fromkeys(node for head, _, tail in new for node in (head, tail)))
        return list(triples)


class TripletGVerbalizer:
    """Triples as text."""

    def verbalize(self, triplets: Iterable[Step]) -> list[str]:
        """``head relation tail``, one text per triple."""
        return [f"{head} {relation.replace('_', ' ')} {tail}" for head, relation, tail in triplets]


class PathVerbalizer(TripletGVerbalizer):
    """Paths as text."""

    def verbalize_paths(self, paths: Iterable[Sequence[Step]]) -> list[str]:
        """The triples of each path, joined by semicolons, in the order of the paths."""
        return ["; ".join(self.verbalize(path)) for path in paths]


class EntityLinker:
    """Names to nodes: exact, then by spelling, then by meaning where an encoder is given."""

    def __init__(
        self,
        retriever: Any = None,  # noqa: ANN401 - a graph store, or a base of facts
        topk: int = 3,
        encoder: Any = None,  # noqa: ANN401 - one of our encoders
    ) -> None:
        base: FactBase = getattr(retriever, "base", retriever)
        items = list(base.items.values())
        self.topk = topk
        self._linker = _Linker(NameIndex.of(items), None, topk)
        self._meanings = MeaningIndex(encoder, items) if encoder is not None else None

    def link(
        self,
        query_extracted_entities: Iterable[str],
        topk: int | None = None,
        return_dict: bool = True,
    ) -> Any:  # noqa: ANN401 - a mapping or a list, as asked
        """At most ``topk`` nodes per name, best first.

        A mapping of names to nodes, or with ``return_dict=False`` one list of distinct nodes.
        """
        linked = self._linker.link(list(query_extracted_entities), topk or self.topk)
        if return_dict:
            return {name: [link.node for link in links] for name, links in linked.items()}
        return list(dict.fromkeys(link.node for links in linked.values() for link in links))

    @property
    def meaning_gap(self) -> str:
        """Why nothing is linked by meaning; empty before the first look-up and where it works."""
        return self._meanings.missing if self._meanings is not None else NO_ENCODER

    def link_query(self, query: str, topk: int | None = None) -> list[str]:
        """Nodes whose names are similar in meaning to the question; none without an encoder."""
        if self._meanings is None:
            return []
        return [node for node, _ in self._meanings.near(query, topk or self.topk, floor=0.0)]


class AgenticRetriever:
    """A walk guided by a model, or by shared words without one, within the limits given."""

    def __init__(
        self,
        llm_generator: Any,  # noqa: ANN401 - any generator, or None
        graph_traversal: GTraversal,
        graph_verbalizer: TripletGVerbalizer,
        max_num_relations: int = 5,
        max_num_entities: int = 3,
        max_num_iterations: int = 3,
        max_num_triplets: int = 50,
    ) -> None:
        self._base = graph_traversal.base
        self._verbalizer = graph_verbalizer
        self._generator = llm_generator
        self._limits = WalkLimits(
            relations=max_num_relations,
            entities=max_num_entities,
            iterations=max_num_iterations,
            triplets=max_num_triplets,
        )

    def retrieve(
        self, query: str, source_nodes: Iterable[str], history: object = None
    ) -> list[str]:
        """The visited triples as text, in the order of the walk, within the limits.

        ``history`` is accepted and not used.
        """
        chooser: Chooser = WordChooser(self._base.label)
        if self._generator is not None:
            chooser = ModelChooser(GeneratedModel(self._generator), self._base.label)
        walk = TripletWalk(self._base, self._limits)
        facts, _ = walk.facts(query, list(source_nodes), chooser)
        return self._verbalizer.verbalize(step for fact in facts for step in fact.steps)


class PathRetriever:
    """Paths along named relations, and the shortest ones to target nodes."""

    def __init__(
        self,
        graph_traversal: GTraversal,
        path_verbalizer: PathVerbalizer | None = None,
        max_num_paths: int = 20,
        **unused: object,
    ) -> None:
        self._finder = PathFinder(graph_traversal.base, max_paths=max_num_paths)
        self._verbalizer = path_verbalizer or PathVerbalizer()

    def retrieve(
        self,
        source_nodes: Iterable[str],
        metapaths: Iterable[Sequence[str]] = (),
        target_nodes: Iterable[str] = (),
        **unused: object,
    ) -> list[str]:
        """Paths as text, each once, in the order in which they were found."""
        sources, targets = list(source_nodes), list(target_nodes)
        paths = [p for metapath in metapaths for p in self._finder.follow(sources, metapath)]
        paths += self._finder.shortest(sources, targets)
        return self._verbalizer.verbalize_paths(dict.fromkeys(paths))


class GraphQueryRetriever:
    """Queries in Cypher or SPARQL that only read, in front of any store with ``execute_query``.

    With ``block_graph_modification`` off Cypher is handed on unchecked; SPARQL never is.
    """

    def __init__(self, graph_store: Any, block_graph_modification: bool = True) -> None:  # noqa: ANN401
        self._store, self._block = graph_store, block_graph_modification

    def retrieve(self, graph_query: str, return_answers: bool = False) -> Any:  # noqa: ANN401
        """The rows as text; with ``return_answers`` a pair of these and the distinct values.

        Does not raise for a bad query: a refused, a failed and an empty query each give one text
        that says which it was.
        """
        context, answers = self._run(graph_query)
        return (context, answers) if return_answers else context

    def _run(self, query: str) -> tuple[list[str], list[str]]:
        in_sparql = is_sparql(query)
        refused = sparql_refusal(query) if in_sparql else ""
        refused = refused or ("" if in_sparql else cypher_refusal(query, block_changes=self._block))
        if refused:
            return [f"The query was not run. {refused}"], []
        try:
            rows = self._store.execute_query(query)
        except (BadInput, StageUnavailable) as exc:
            return [f"The query failed. {exc}"], []
        if not rows:
            return [EMPTY], []
        texts = ["; ".join(f"{name}: {value}" for name, value in row.items()) for row in rows]
        return texts, list(dict.fromkeys(str(v) for row in rows for v in row.values()))
