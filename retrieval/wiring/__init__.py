"""Opens, prepares and syncs; the one place that knows every concrete class."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
