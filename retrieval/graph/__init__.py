"""The knowledge graph: build, store, scored expansion."""

from retrieval.graph.array_store import ArrayStore
from retrieval.graph.arrays import GraphArrays
from retrieval.graph.bridge import FormatBridge
from retrieval.graph.build import EDGE_WEIGHTS, Lexicon, build_graph
from retrieval.graph.expand import GraphExpand
from retrieval.graph.store import NetworkxStore

__all__ = [
    "EDGE_WEIGHTS",
    "ArrayStore",
    "FormatBridge",
    "GraphArrays",
    "GraphExpand",
    "Lexicon",
    "NetworkxStore",
    "build_graph",
]
