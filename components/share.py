"""A search as a query string and back. Never a scan's value beyond its tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol
from urllib.parse import parse_qsl, urlencode

from components.data import FACETS, NO_PROFILE, SIZE_NAMES, Data, Form, before_remarks

KEYS: Mapping[str, str] = dict(zip(FACETS, ("lic", "mod", "fmt", "dim", "ifc", "gpu"), strict=True))
SIZE_KEYS: Mapping[str, str] = dict(zip(SIZE_NAMES, ("k", "cand", "hops", "nodes"), strict=True))
LONGEST, MOST = 2_000, 40
FEWER: Mapping[str, int] = {"r": 10}
"""Keys of which a link holds fewer values: each remark is read again when the page opens."""

MANY: Mapping[str, str] = {
    "t": "facts of scans",
    "w": "wishes that are searched as words",
    "ex": "excluded tools",
    "r": "remarks",
    "lic": "licences",
    "mod": "modalities",
    "fmt": "formats",
    "dim": "dimensions",
    "ifc": "interfaces",
}
"""What the values of a key are, for those of which a link holds the first ones."""


class Parameters(Protocol):
    """Query parameters that may repeat."""

    def getlist(self, key: str) -> list[str]:
        """Every value of a key."""
        ...


def query_string(form: Form, data: Data) -> str:
    """``?q=...``: what restores this search, in a fixed order; defaults are left out.

    Fixed order, so that equal searches give equal links. Text is cut at ``LONGEST`` characters;
    scan tokens are included, files, sizes and names are not. Remarks that are in force stand as
    they were typed (``r``), on the form without them, which is shorter than their effects.
    """
    before = before_remarks(form, data.remarks)
    if before is not None:
        typed, muted = data.remarks[0].state
        bare = replace(data, remarks=(), typed=typed, muted=muted)
        remarks = urlencode([("r", one.text) for one in data.remarks])
        link = query_string(before, bare)
        return f"{link}&{remarks}" if link else f"?{remarks}"
    pairs: list[tuple[str, str]] = [("q", form.text[:LONGEST])] if form.text else []
    pairs += [("t", token) for token in data.tokens]
    pairs += [("w", name) for name in sorted(data.words)]
    pairs += [("nr", "1")] if not form.rerank else []
    pairs += [("rf", "1")] if form.refine else []
    pairs += [("ex", name) for name in form.excluded]
    for facet, key in KEYS.items():
        pairs += [(key, value) for value in sorted(getattr(form.filters, facet))]
    pairs += [("mode", form.mode)] if form.mode != "hybrid" else []
    pairs += [("off", name) for name in sorted(form.off)]
    pairs += [(SIZE_KEYS[name], str(size)) for name, size in form.sizes]
    return f"?{urlencode(pairs)}" if pairs else ""


def not_carried(form: Form, data: Data) -> str:
    """What of a search its link leaves out, in words; empty where it holds all.

    With everything in it the link gives the same tools in the same order with the same marks, on
    the same catalog and settings.
    """
    lost = []
    if data.upload is not None:
        lost.append("your files: by the facts in the chips alone, order and verdicts can differ")
    if data.taste.on and (data.taste.liked or data.taste.disliked):
        lost.append("your taste, which weighs in the order")
    if data.profile != NO_PROFILE:
        lost.append("your purpose and machine, so the marks for your terms are missing")
    if len(form.text) > LONGEST:
        lost.append(f"your words beyond the first {LONGEST:,} characters")
    key_counts = Counter(key for key, _ in parse_qsl(query_string(form, data).removeprefix("?")))
    lost += [
        f"{key_counts[key] - most} of your {key_counts[key]} {words}"
        for key, words in MANY.items()
        if key_counts[key] > (most := FEWER.get(key, MOST))
    ]
    return "; nor ".join(lost)


def values(parameters: Parameters, key: str, allowed: Iterable[str] | None = None) -> list[str]:
    """The values of a key, bounded, each once, only allowed ones where a set is given.

    At most ``MOST`` values (``FEWER`` for some keys) of ``LONGEST`` characters, in their order.
    """
    # Cut before the check, so that a hostile link costs nothing.
    most = FEWER.get(key, MOST)
    texts = [value[:LONGEST] for value in parameters.getlist(key)[:most] if value]
    if allowed is not None:
        accepted = set(allowed)
        texts = [value for value in texts if value in accepted]
    return list(dict.fromkeys(texts))


def sizes_in(parameters: Parameters) -> tuple[tuple[str, int], ...]:
    """The sizes of a link that are whole numbers of a few digits; others are ignored."""
    sizes = []
    for name, key in SIZE_KEYS.items():
        # The search itself refuses one that is out of range, with the range.
        numbers = [one for one in values(parameters, key) if re.fullmatch("[0-9]{1,5}", one)]
        sizes += [(name, int(one)) for one in numbers[:1]]
    return tuple(sizes)
