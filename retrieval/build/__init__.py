"""The composition root: the one place that knows every concrete class."""

from retrieval.build.opening import Preparation, open_engine
from retrieval.build.sync import sync

__all__ = ["Preparation", "open_engine", "sync"]
