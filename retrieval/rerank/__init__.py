"""The last word on order: a language model, a cross-encoder, or the order there is."""

from retrieval.rerank.cross_encoder import CrossEncoderRerank, LazyScorer, SentencePairScorer
from retrieval.rerank.keep import KeepOrder, by_score
from retrieval.rerank.language_model import LanguageModelRerank
from retrieval.rerank.switch import RerankSwitch

__all__ = [
    "CrossEncoderRerank",
    "KeepOrder",
    "LanguageModelRerank",
    "LazyScorer",
    "RerankSwitch",
    "SentencePairScorer",
    "by_score",
]
