"""Typed text, tags and toggles to a Query, and the stages that reword it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
