"""Explanations of a search: fate of a tool, what-if, scope of the catalog, gaps, similar tools."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
