"""A tool's stated facts against the scan's."""

from retrieval.fit.check import fit_of
from retrieval.fit.stage import FitStage

__all__ = ["FitStage", "fit_of"]
