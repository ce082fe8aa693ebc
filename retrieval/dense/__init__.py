"""Encoders, vector and token stores, index files, the dense stages."""

from retrieval.dense.encoder import SentenceEncoder, packaged_weights
from retrieval.dense.export import exported
from retrieval.dense.folder import IndexFolder, IndexMeta, Stored
from retrieval.dense.loading import Loading
from retrieval.dense.onnx_encoder import OnnxEncoder
from retrieval.dense.refresh import Changes, changes, refreshed
from retrieval.dense.source import DenseScorer, DenseSource
from retrieval.dense.stores import FaissStore, NumpyStore
from retrieval.dense.templates import TEMPLATES, template_text
from retrieval.dense.tokens import LateInteraction, TokenFile, token_file
from retrieval.dense.vector_index import VectorIndex

__all__ = [
    "TEMPLATES",
    "Changes",
    "DenseScorer",
    "DenseSource",
    "FaissStore",
    "IndexFolder",
    "IndexMeta",
    "LateInteraction",
    "Loading",
    "NumpyStore",
    "OnnxEncoder",
    "SentenceEncoder",
    "Stored",
    "TokenFile",
    "VectorIndex",
    "changes",
    "exported",
    "packaged_weights",
    "refreshed",
    "template_text",
    "token_file",
]
