"""How much of the program's own log is written."""

from __future__ import annotations

import logging
import sys

from retrieval.settings.model import Settings

OWN = ("retrieval", "retriever", "components")
"""Names above the program's own loggers; libraries stay at WARNING."""


def apply_log_level(settings: Settings) -> None:
    """Write the program's own lines from the level of the setting on, to stderr.

    A handler is added where the process has none and more than warnings are wanted.
    """
    if settings.log_level == "warning":
        return
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    for name in OWN:
        logging.getLogger(name).setLevel(settings.log_level.upper())
