"""Why a tool stands where it stands: fate, what-if, scope, similar tools."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
