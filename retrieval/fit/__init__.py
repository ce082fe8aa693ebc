"""A tool's stated facts against the scan's, the user's machine and the user's purpose."""

from retrieval.fit.check import FACTS, HARD, best, fit_of
from retrieval.fit.freshness import freshness
from retrieval.fit.licence import PURPOSES, Purpose, licence_fit
from retrieval.fit.machine import SYSTEMS, Machine, machine_fit
from retrieval.fit.series import ALONE, MOST_KINDS, Beside, Kinds, kinds_of
from retrieval.fit.stage import KINDS_LEFT_OUT, UNCHECKED, FitStage, fit_of_upload
from retrieval.fit.tokens import TokenStage, apart

__all__ = [
    "ALONE",
    "FACTS",
    "HARD",
    "KINDS_LEFT_OUT",
    "MOST_KINDS",
    "PURPOSES",
    "SYSTEMS",
    "UNCHECKED",
    "Beside",
    "FitStage",
    "Kinds",
    "Machine",
    "Purpose",
    "TokenStage",
    "apart",
    "best",
    "fit_of",
    "fit_of_upload",
    "freshness",
    "kinds_of",
    "licence_fit",
    "machine_fit",
]
