"""The licence of a tool as badges: of its code, and of its weights where they have their own."""

from __future__ import annotations

import re

from components.render.codes import code_name
from components.render.markup import badge
from retrieval import Tool

LONGEST_LICENCE = 22
"""Letters of a licence on a card: two of them beside a reason keep to one line at 1,024 pixels."""

OWN_TERMS = "(own terms)"

NO_COMMERCE = re.compile(r"non-?commercial", re.IGNORECASE)


def licence(tool: Tool, *, is_short: bool = False) -> str:
    """The licence as a badge; one for the weights when they have their own.

    ``LicenseRef-`` ids are terms of the tool itself and are marked so (SPDX 2.3, 10.1). A long name
    is short by what it allows (``is_short``), so that the rows of a list are of one height.
    """
    if not tool.license:
        return badge("Licence not stated", "unknown", title="No source we read states a licence")
    licence_name = code_name(tool.license)
    words = _shortened(licence_name, "non-commercial") if is_short else licence_name
    badges = badge(words, "licence", title=f"Licence: {licence_name}")
    if tool.license_weights and tool.license_weights != tool.license:
        of_weights = code_name(tool.license_weights)
        words = _shortened(of_weights, "NC") if is_short else of_weights
        title = f"Licence of the weights: {of_weights}"
        badges += badge(f"Weights: {words}", "warn", title=title)
    return badges


def _shortened(licence_name: str, no_commerce: str) -> str:
    """Own terms of a long name as such, or as non-commercial; other licences by their name."""
    if len(licence_name) <= LONGEST_LICENCE or OWN_TERMS not in licence_name:
        return licence_name
    return no_commerce if NO_COMMERCE.search(licence_name) else "own terms"
