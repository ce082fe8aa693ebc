"""The last word on order: a language model, a cross-encoder, or the order there is."""

from retrieval.rerank.cross_encoder import CrossEncoderRerank, LazyScorer, SentencePairScorer
from retrieval.rerank.keep import KeepOrder, by_score
from retrieval.rerank.language_model import LanguageModelRerank
from retrieval.rerank.language_retrieve import LanguageModelRetrieve
from retrieval.rerank.learned import Before, Earlier, LearnedRank, Signal, read_weights
from retrieval.rerank.overlap import (
    ConceptOverlap,
    ConceptTable,
    everything,
    operations,
    wider,
)
from retrieval.rerank.switch import RerankSwitch
from retrieval.rerank.taste import TASTE_MOVED, Taste
from retrieval.rerank.words import KnownWords, LentWords, WordTable

__all__ = [
    "TASTE_MOVED",
    "Before",
    "ConceptOverlap",
    "ConceptTable",
    "CrossEncoderRerank",
    "Earlier",
    "KeepOrder",
    "KnownWords",
    "LanguageModelRerank",
    "LanguageModelRetrieve",
    "LazyScorer",
    "LearnedRank",
    "LentWords",
    "RerankSwitch",
    "SentencePairScorer",
    "Signal",
    "Taste",
    "WordTable",
    "by_score",
    "everything",
    "operations",
    "read_weights",
    "wider",
]
