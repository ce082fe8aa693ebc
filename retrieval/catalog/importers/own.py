"""Our own record shape, with spellings and ids made good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.row import Row
from retrieval.catalog.importers.values import CLOSED_FIELDS, LICENCES, Draft, codes, slug


def owns(row: Row) -> bool:
    """Whatever no other format claims; the check of the fields says what is amiss."""
    return True


def draft(found: Mapping[str, Any]) -> Draft:
    """The record as it stands; values of a wrong type are left for the check to refuse."""
    made = Draft(fields=dict(found))
    for name in CLOSED_FIELDS:
        if _words(found.get(name)):
            made.fields[name] = codes(made, name, found[name])
    for name in LICENCES:
        if found.get(name) and _words(found[name]):
            made.fields[name] = licence_of(made, found[name], name)
    if found.get("id") is None and isinstance(found.get("name"), str):
        made.fields["id"] = slug(found["name"])
    return made


def _words(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(i, str | int) and not isinstance(i, bool) for i in items)
