"""Graph queries in a process of their own, which is ended when it breaks a limit."""

from retrieval.graph.query_process.parent import (
    ANSWER_BYTES,
    MEMORY_MB,
    ProcessAnswer,
    ProcessLimits,
    answer_in_process,
    fill_in_process,
)

__all__ = [
    "ANSWER_BYTES",
    "MEMORY_MB",
    "ProcessAnswer",
    "ProcessLimits",
    "answer_in_process",
    "fill_in_process",
]
