"""Preferences: wishes that a tool for the task may leave unmet."""

from __future__ import annotations

import re

from retrieval.core import Wish

_SOFT = re.compile(
    r"\b(?:prefer\w*|ideal(?:ly|erweise|ement|mente)?|would be (?:nice|great|good|best|a plus)"
    r"|nice to have|if (?:at all )?possible|where possible"
    r"|bevorzugt|vorzugsweise|am liebsten|wenn möglich|falls möglich|wär\w* (?:schön|gut|toll|nett)"
    r"|préférence|préférablement|idéalement|si possible|serait (?:bien|idéal|un plus)"
    r"|preferib\w+|preferentemente|si es posible|a ser posible|(?:estaría|sería) (?:bien|ideal)"
    r"|possibilmente|se possibile|sarebbe (?:bello|ideale)"
    r"|de preferência|preferencialmente|se possível|seria (?:bom|ideal))\b|最好",
    re.IGNORECASE,
)
"""Words of a wish that its writer can do without."""


def is_soft(wish: Wish) -> bool:
    """Whether a wish is a preference by its own words: "ideally in R", "R would be nice"."""
    return wish.strength != "required" and bool(_SOFT.search(wish.text))
