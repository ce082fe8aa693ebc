"""Amounts of data, whose units are also abbreviations of the field: "several TB of scans"."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

_WORDS = json.loads(files("retrieval.catalog").joinpath("words.json").read_text("utf-8"))["amounts"]

UNITS = frozenset(_WORDS["units"].split())
"""Units of data that abbreviate something else: a terabyte is written as tuberculosis is."""

AMOUNTS = frozenset(" ".join(_WORDS["before"]).split())
"""Words before a unit that say how many; a number does as well."""

OF = frozenset(_WORDS["of"].split())
"""Words between an amount and what there is of it."""

CONTENTS = frozenset(" ".join(_WORDS["after"]).split())
"""Words that may follow an amount of data; "12 TB patients" have the disease."""


def is_size(words: Sequence[str], first: int, last: int) -> bool:
    """Whether the folded words from first to last (not included) are the unit of an amount."""
    if last != first + 1 or words[first] not in UNITS or not first:
        return False
    before, after = words[first - 1], words[last] if last < len(words) else ""
    if before in OF and first > 1:  # "hundreds of TB"
        before = words[first - 2]
    is_amount = before in AMOUNTS or before.replace(".", "").isdigit()
    return is_amount and (not after or after in CONTENTS)
