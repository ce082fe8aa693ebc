"""The numbers of agentic retrieval, under the names of the system they come from."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import partial

from retrieval.core import BadInput
from retrieval.llm import prompt_file

MOST_QUERIES = 3
"""Upper limit of the queries of a second round; no setting and no model can raise it."""

_COUNTED = ("_top_n", "_total")
_POSITIVE = ("llm_max_tokens", "num_queries", "reranker_batch_size", "reranker_timeout", "timeout")


PROMPT_FIELDS = {
    "judge": ("tools", "data", "task"),
    "refine": ("wanted", "missing", "tools", "data", "task"),
}
"""What the template of each call may name in braces."""


def default_instruction() -> str:
    """The default instruction of a reranker."""
    return prompt_file("rerank", "agentic").strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePrompts:
    """The templates of the two calls: ``judge`` asks for a verdict, ``refine`` for queries.

    Raises BadInput for a template that names a field which its call does not have.
    """

    judge: str = field(default_factory=partial(prompt_file, "judge", "agentic"))
    refine: str = field(default_factory=partial(prompt_file, "refine", "agentic"))

    def __post_init__(self) -> None:
        for name, placeholders in PROMPT_FIELDS.items():
            try:
                getattr(self, name).format(**dict.fromkeys(placeholders, ""))
            except (KeyError, IndexError, ValueError) as exc:
                raise BadInput(
                    f"the prompt {name!r} cannot be filled in ({exc}); its fields are "
                    f"{', '.join(placeholders)}, and a brace of the text is written twice"
                ) from exc


@dataclass(frozen=True, slots=True, kw_only=True)
class AgenticConfig:
    """Lengths of the lists, parameters of the model, and time limits in seconds.

    Raises BadInput naming the field when a number is below 1 (a temperature: below 0).
    """

    round1_emb_top_n: int = 50
    round1_bm25_top_n: int = 50
    round1_top_n: int = 20
    round1_rerank_top_n: int = 5
    llm_temperature: float = 0.0
    llm_max_tokens: int = 500
    enable_multi_query: bool = True
    num_queries: int = 3
    round2_per_query_top_n: int = 50
    combined_total: int = 40
    final_top_n: int = 20
    use_reranker: bool = True
    reranker_instruction: str = field(default_factory=default_instruction)
    reranker_batch_size: int = 10
    reranker_timeout: float = 30
    fallback_on_error: bool = True
    timeout: float = 60

    def __post_init__(self) -> None:
        for name in (f.name for f in fields(self)):
            value = getattr(self, name)
            if (name.endswith(_COUNTED) and value < 1) or (name in _POSITIVE and value <= 0):
                raise BadInput(f"{name}: {value} is too small; give a number above 0")
        if self.llm_temperature < 0:
            raise BadInput(f"llm_temperature: {self.llm_temperature} is below 0")

    @property
    def queries(self) -> int:
        """Number of queries of a second round, at most MOST_QUERIES; 1 without multi-query."""
        return min(self.num_queries, MOST_QUERIES) if self.enable_multi_query else 1
