"""``BioCypherQueryHandler``: a query explained, and changed on request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.compat.biochatter.llm_connect import Factory, model_of
from retrieval.graphdb import GraphPart, QueryHandler


class BioCypherQueryHandler:
    """A query, its question and its part of the graph; ``kg`` may widen that part for updates."""

    def __init__(
        self,
        query: str,
        query_lang: str,
        kg_selected: Mapping[str, Any],
        question: str,
        kg: Mapping[str, Any] | None = None,
        model_name: str = "",
        conversation_factory: Factory | None = None,
    ) -> None:
        self.query, self.query_lang, self.question = query, query_lang, question
        self.model_name = model_name
        self.kg_selected = dict(kg_selected)
        self.kg = dict(kg) if kg is not None else self.kg_selected
        self._selected, self._full = GraphPart.of(self.kg_selected), GraphPart.of(self.kg)
        self._model = model_of(conversation_factory)

    def explain_query(self) -> str:
        """The query in plain words."""
        return self._over(self._selected).explain()

    def update_query(self, update_request: str) -> str:
        """The query changed as the request says."""
        return self._over(self._full).update(update_request)

    def _over(self, part: GraphPart) -> QueryHandler:
        return QueryHandler(self.query, self.query_lang, self.question, part, self._model)
