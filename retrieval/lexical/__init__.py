"""BM25 over catalog records."""

from retrieval.lexical.bm25 import Bm25Index, Bm25Scorer, Bm25Source
from retrieval.lexical.tokenise import tokenise

__all__ = ["Bm25Index", "Bm25Scorer", "Bm25Source", "tokenise"]
