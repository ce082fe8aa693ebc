"""``KGQueryReflexionAgent``: a query improved by looking at what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.compat.biochatter.conversing import Factory
from retrieval.compat.biochatter.database_agent import DatabaseAgent
from retrieval.compat.langchain.document import Document


class KGQueryReflexionAgent:
    """A DatabaseAgent that always reflects."""

    def __init__(
        self,
        conversation_factory: Factory,
        connection_args: Mapping[str, Any],
        schema_config_or_info_dict: Mapping[str, Any] | None = None,
    ) -> None:
        self.agent = DatabaseAgent(
            connection_args=connection_args,
            schema_config_or_info_dict=schema_config_or_info_dict,
            conversation_factory=conversation_factory,
            use_reflexion=True,
        )

    def execute(self, question: str, k: int = 20) -> list[Document]:
        """The rows of the last query; ``agent.steps`` tells what led to it."""
        return self.agent.get_query_results(question, k)
