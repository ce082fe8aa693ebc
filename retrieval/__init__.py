"""ScanScout's library: the front door that the page and scripts use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.cohort import Cohort, cohort_json, cohort_of, stream_cohort
    from retrieval.core.errors import BadInput, RetrievalError, StageUnavailable
    from retrieval.core.stage import Edge, Graph, Node, StageResult
    from retrieval.core.types import Candidate, Filters, Fit, Query, ScanInfo, Tool, Why
    from retrieval.engine import Answer, Engine
    from retrieval.scans import read_cohort
    from retrieval.serialise import drawn, scan_json, to_json
    from retrieval.settings import Settings, read_settings

__all__ = [
    "Answer",
    "BadInput",
    "Candidate",
    "Cohort",
    "Edge",
    "Engine",
    "Filters",
    "Fit",
    "Graph",
    "Node",
    "Query",
    "RetrievalError",
    "ScanInfo",
    "Settings",
    "StageResult",
    "StageUnavailable",
    "Tool",
    "Why",
    "cohort_json",
    "cohort_of",
    "drawn",
    "open_engine",
    "read_cohort",
    "read_settings",
    "scan_json",
    "stream_cohort",
    "to_json",
]

_PLACES = {
    "retrieval.cohort": ("Cohort", "cohort_json", "cohort_of", "stream_cohort"),
    "retrieval.scans": ("read_cohort",),
    "retrieval.core.errors": ("BadInput", "RetrievalError", "StageUnavailable"),
    "retrieval.core.stage": ("Edge", "Graph", "Node", "StageResult"),
    "retrieval.core.types": ("Candidate", "Filters", "Fit", "Query", "ScanInfo", "Tool", "Why"),
    "retrieval.engine": ("Answer", "Engine"),
    "retrieval.serialise": ("drawn", "scan_json", "to_json"),
    "retrieval.settings": ("Settings", "read_settings"),
}


def __getattr__(name: str) -> object:
    """Names are looked up when they are first used, so that a reader process starts at once."""
    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(place), name)
    raise AttributeError(f"module 'retrieval' has no attribute {name!r}")


def open_engine(settings: Settings | None = None) -> Engine:
    """An engine over the configured catalog; its adapters are imported here, not before."""
    from retrieval.build import open_engine as opened

    return opened(settings)
