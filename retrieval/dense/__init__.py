"""Encoders, vector and token stores, index files, the dense stages."""

from retrieval.dense.encoder import SentenceEncoder, packaged_weights
from retrieval.dense.export import exported
from retrieval.dense.folder import IndexFolder, IndexMeta, Stored
from retrieval.dense.inverted import LARGE, FileStore, InvertedStore, store_for
from retrieval.dense.journal import SHARD, Journal, clear_journals
from retrieval.dense.loading import Loading
from retrieval.dense.nearness import MeaningSignal, NeighbourSignal
from retrieval.dense.onnx_encoder import EIGHT_BIT, OnnxEncoder
from retrieval.dense.phrases import PhraseSignal
from retrieval.dense.quantise import eight_bit
from retrieval.dense.refresh import Changes, Told, changes, refreshed
from retrieval.dense.source import DenseScorer, DenseSource
from retrieval.dense.stores import FaissStore, NumpyStore
from retrieval.dense.templates import TEMPLATES, template_text
from retrieval.dense.tokens import LateInteraction, TokenFile, token_file, token_folder
from retrieval.dense.vector_index import VectorIndex

__all__ = [
    "EIGHT_BIT",
    "LARGE",
    "SHARD",
    "TEMPLATES",
    "Changes",
    "DenseScorer",
    "DenseSource",
    "FaissStore",
    "FileStore",
    "IndexFolder",
    "IndexMeta",
    "InvertedStore",
    "Journal",
    "LateInteraction",
    "Loading",
    "MeaningSignal",
    "NeighbourSignal",
    "NumpyStore",
    "OnnxEncoder",
    "PhraseSignal",
    "SentenceEncoder",
    "Stored",
    "TokenFile",
    "Told",
    "VectorIndex",
    "changes",
    "clear_journals",
    "eight_bit",
    "exported",
    "packaged_weights",
    "refreshed",
    "store_for",
    "template_text",
    "token_file",
    "token_folder",
]
