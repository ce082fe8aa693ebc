"""Names of settings that nothing reads: a misspelt one would leave the default unnoticed."""

from __future__ import annotations

import logging
import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path

logger = logging.getLogger(__name__)

OF_TESTS = "SCANSCOUT_TEST_"
"""What the names begin with that the tests of this project read."""

_ASSIGNED = re.compile(r"^\s*(?:export\s+)?(\w+)\s*=", re.MULTILINE)


def names_in(file: Path | None) -> list[str]:
    """The names that a file of settings gives values to; none without a file."""
    return _ASSIGNED.findall(file.read_text("utf-8")) if file and file.is_file() else []


@cache
def warn_of_unknown_name(name: str, known: frozenset[str]) -> None:
    """Log once that a name is none of the known ones, with the nearest of them."""
    if name in known or name.startswith(OF_TESTS):
        return
    near = get_close_matches(name, sorted(known), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    logger.warning("%s is no setting and is not read%s", name[:80], hint)
