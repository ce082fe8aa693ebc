"""Words of catalog records: BM25, pieces of words, names."""

from retrieval.lexical.bm25 import Bm25Index, Bm25Scorer, Bm25Signal, Bm25Source
from retrieval.lexical.grams import GramIndex, GramSignal
from retrieval.lexical.mentions import MentionTable, NamedByOthers, WellKnown
from retrieval.lexical.name_match import NameMatch
from retrieval.lexical.names import Named, NameIndex
from retrieval.lexical.tokenise import tokenise

__all__ = [
    "Bm25Index",
    "Bm25Scorer",
    "Bm25Signal",
    "Bm25Source",
    "GramIndex",
    "GramSignal",
    "MentionTable",
    "NameIndex",
    "NameMatch",
    "Named",
    "NamedByOthers",
    "WellKnown",
    "tokenise",
]
