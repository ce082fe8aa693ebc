"""Licence expressions and the SPDX list, which is not read for the usual ones."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from license_expression import (
    Licensing,
    get_spdx_licensing,
    vendored_scancode_licensedb_index_location,
)

_USUAL = frozenset(files("retrieval.catalog").joinpath("spdx_usual.txt").read_text("utf-8").split())
"""Licences that most tools have, spelled as SPDX spells them."""

_PARTS = re.compile(r" (AND|OR) ")


@cache
def licensing() -> Licensing:
    """The parser of the full SPDX list, built once, since building it takes much of a second."""
    return get_spdx_licensing()


def is_plain(expression: str) -> bool:
    """Whether an expression has only usual licences, joined by a single kind of operator.

    Such an expression is valid and in normal form, so that the parser need not be built.
    """
    first, *rest = _PARTS.split(expression)
    return len(set(rest[::2])) <= 1 and {first, *rest[1::2]} <= _USUAL


@cache
def _licence_index() -> str:
    return Path(vendored_scancode_licensedb_index_location).read_text("utf-8").casefold()


def is_listed(name: str) -> bool:
    """Whether the SPDX list may contain a licence of this name, ignoring case.

    A text search of the index: fast, but it also finds names that are not keys of licences.
    """
    return f'"{name.casefold()}"' in _licence_index()
