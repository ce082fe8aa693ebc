"""Facts for a record, proposed from the files of a tool's repository for a person to accept."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
