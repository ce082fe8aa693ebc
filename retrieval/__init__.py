"""ScanScout's library: the front door that the page and scripts use.

``__init__.pyi`` lists what it gives; a name is imported when it is first used.
"""

from retrieval.offline import switch_off

switch_off()  # before any library is imported that reports or looks up

import lazy_loader  # noqa: E402

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
