"""The composition root: the one place that knows every concrete class."""

from retrieval.build.opening import open_engine
from retrieval.build.preparation import Preparation
from retrieval.build.sync import sync

__all__ = ["Preparation", "open_engine", "sync"]
