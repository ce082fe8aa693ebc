"""One prompt for several tasks over a graph, and the reading of its reply."""

from __future__ import annotations

from typing import Any

from retrieval.ask import ANSWERS, ENTITIES, PATHS, TaskLinker
from retrieval.compat.byokg_rag.llm import GeneratedModel

MAX_INPUT_TOKENS = 32_000
CHARACTERS_A_TOKEN = 3
"""Cautious: English text has about four characters per token, names and numbers have fewer."""


class KGLinker(TaskLinker):
    """Entity and path extraction, a query, and a draft answer in one reply."""

    def __init__(
        self,
        llm_generator: Any,  # noqa: ANN401 - any generator
        graph_store: Any = None,  # noqa: ANN401 - any graph store
        max_input_tokens: int = MAX_INPUT_TOKENS,
        tasks: tuple[str, ...] | None = None,
    ) -> None:
        task_names = tasks or (ENTITIES, PATHS, "opencypher", ANSWERS)
        if not tasks and hasattr(graph_store, "get_linker_tasks"):
            task_names = tuple(graph_store.get_linker_tasks())
        model = GeneratedModel(llm_generator)
        most = max_input_tokens * CHARACTERS_A_TOKEN
        # The context is bounded before this, so that only a very large schema is cut here.
        super().__init__(lambda prompt: model.complete(prompt[:most]), task_names)


class CypherKGLinker(KGLinker):
    """The query alone."""

    def __init__(self, llm_generator: Any, graph_store: Any = None) -> None:  # noqa: ANN401
        super().__init__(llm_generator, graph_store, tasks=("opencypher",))
