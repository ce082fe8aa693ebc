"""A tool's stated facts against the scan's, the user's machine and the user's purpose."""

from retrieval.fit.check import FACTS, HARD, fit_of
from retrieval.fit.freshness import freshness
from retrieval.fit.licence import PURPOSES, Purpose, licence_fit
from retrieval.fit.machine import SYSTEMS, Machine, machine_fit
from retrieval.fit.stage import FitStage, fit_of_upload
from retrieval.fit.tokens import TokenStage, apart

__all__ = [
    "FACTS",
    "HARD",
    "PURPOSES",
    "SYSTEMS",
    "FitStage",
    "Machine",
    "Purpose",
    "TokenStage",
    "apart",
    "fit_of",
    "fit_of_upload",
    "freshness",
    "licence_fit",
    "machine_fit",
]
