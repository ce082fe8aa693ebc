"""Everything a request to the outside needs: permission, checked addresses, bounds, secrets."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
