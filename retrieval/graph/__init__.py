"""The knowledge graph: build, store, scored expansion."""

from retrieval.graph.array_store import ArrayStore
from retrieval.graph.arrays import GraphArrays
from retrieval.graph.biology import Entity, EntityNames, load_biology, merged
from retrieval.graph.bridge import FormatBridge
from retrieval.graph.build import EDGE_WEIGHTS, Lexicon, build_graph
from retrieval.graph.expand import GraphExpand
from retrieval.graph.loaders import LoadedBiology, load_go, load_pathways, load_uniprot
from retrieval.graph.saved import GraphFolder, graph_key
from retrieval.graph.store import NetworkxStore

__all__ = [
    "EDGE_WEIGHTS",
    "ArrayStore",
    "Entity",
    "EntityNames",
    "FormatBridge",
    "GraphArrays",
    "GraphExpand",
    "GraphFolder",
    "Lexicon",
    "LoadedBiology",
    "NetworkxStore",
    "build_graph",
    "graph_key",
    "load_biology",
    "load_go",
    "load_pathways",
    "load_uniprot",
    "merged",
]
