"""Licences as people write them, to one SPDX expression."""

from __future__ import annotations

import re
from functools import lru_cache

from license_expression import ExpressionError

from retrieval.catalog.importers.values import Draft, shown, spellings, texts
from retrieval.catalog.spdx import is_listed, is_plain, licensing

_EXPRESSION = re.compile(r"[A-Za-z0-9.+\- ()]{1,200}")
_OWN = re.compile(r"LicenseRef-[A-Za-z0-9.\-]+")
_UNTOLD = {"other", "unknown", "none", "n/a", "noassertion", "see license", "custom"}
_PUBLISHERS = re.compile(
    r"https?://(?:www\.)?(?:spdx\.org/licenses|opensource\.org/licenses?|"
    r"creativecommons\.org/(?:licenses|publicdomain)|gnu\.org/licenses)/+([^?#]+)"
)


def licence_of(draft: Draft, value: object, name: str = "license") -> str | None:
    """One SPDX expression; several licences are a choice, in the order given (W10).

    What SPDX does not list becomes a LicenseRef of its own and is noted.
    """
    stated = texts(value)
    licences = [one for text in stated if (one := _one(text))]
    for text in stated:
        if not _one(text):
            draft.note(f"{name}: {shown(text)!r} names no licence and is left out")
    if not licences:
        return None
    parts = list(dict.fromkeys(spdx or _reference(text) for text, spdx in licences))
    for text, spdx in licences:
        if not spdx and not text.startswith("LicenseRef-"):
            draft.note(f"{name}: {shown(text)!r} is not in the SPDX list")
    if len(parts) == 1:
        return parts[0]
    if any("LicenseRef-" in part for part in parts):
        return _reference(" OR ".join(parts))
    return " OR ".join(f"({p})" if " AND " in p else p for p in parts)


def _one(text: str) -> tuple[str, str | None] | None:
    """A licence text and its SPDX spelling; None where it says nothing."""
    plain = " ".join(text.split())
    published = _PUBLISHERS.fullmatch(plain)
    if published:
        plain = published[1].rstrip("/").removesuffix(".html").removesuffix("/legalcode")
        plain = plain.removesuffix("/deed.en")
    if plain.casefold() in _UNTOLD:
        return None
    return plain, _spdx(plain)


@lru_cache(maxsize=4096)
def _spdx(text: str) -> str | None:
    """The normal SPDX spelling (``GPL-3.0`` is ``GPL-3.0-only``), or None."""
    spelling = spellings("licence").get(text.casefold())
    if spelling or is_plain(text):
        return spelling or text
    if not _EXPRESSION.fullmatch(text) or (_OWN.fullmatch(text) and not is_listed(text)):
        return None
    try:
        return str(licensing().parse(text, validate=True).render())
    except (ExpressionError, AttributeError):
        return _with_own(text)


def _with_own(text: str) -> str | None:
    """Licences and terms of a tool's own, joined without brackets; None for any other text.

    The parser knows listed licences alone.
    """
    pieces = re.split(r" (AND|OR) ", text)
    if len(pieces) == 1:
        return None
    names = [name if _OWN.fullmatch(name) else _spdx(name) for name in pieces[::2]]
    if None in names:
        return None
    pieces[::2] = map(str, names)
    return " ".join(pieces)


def _reference(text: str) -> str:
    words = re.findall(r"[A-Za-z0-9.]+", text.removeprefix("LicenseRef-"))
    return "LicenseRef-" + ("-".join(words)[:80].strip("-.") or "unnamed")
