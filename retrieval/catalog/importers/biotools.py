"""bio.tools entries (biotoolsSchema 3): functions, data and topics as EDAM concepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.values import (
    Draft,
    Row,
    canonical,
    codes,
    first,
    shown,
    slug,
    spellings,
    texts,
)

_MARKS = {"biotoolsID", "biotoolsCURIE", "toolType"}


def owns(row: Row) -> bool:
    """Whether the row has a key that only bio.tools uses."""
    return row.fields is not None and not _MARKS.isdisjoint(row.fields)


def draft(entry: Mapping[str, Any]) -> Draft:
    """The record of an entry; EDAM formats and topics become closed codes where possible.

    Formats without a code are left out and noted; other topics become keywords.
    """
    record = Draft()
    name = first(entry.get("name")) or ""
    functions = _dicts(entry.get("function"))
    topics = list(_concepts(_dicts(entry.get("topic"))))
    operations = [concept for f in functions for concept in _concepts(_dicts(f.get("operation")))]
    tasks = (spellings("edam_task").get(edam) or term.casefold() for edam, term in operations)
    modalities = (spellings("edam_modality").get(edam) for edam, _ in topics)
    links = (d for d in _dicts(entry.get("link")) if "Repository" in texts(d.get("type")))
    # Tool types are interfaces or something else (Suite, Ontology), which becomes a keyword.
    types = [k.casefold() for k in texts(entry.get("toolType"))]
    interfaces = [spellings("interface").get(k) or k for k in types if k in spellings("interface")]
    others = [k for k in types if k not in spellings("interface")]
    record.fields = {
        "id": first(entry.get("biotoolsID")) or slug(name),
        "name": name,
        "description": first(entry.get("description")),
        "url": first(entry.get("homepage")),
        "repo": first([link.get("url") for link in links]),
        "docs_url": first([d.get("url") for d in _dicts(entry.get("documentation"))]),
        "keywords": [term for _, term in topics if term] + list(dict.fromkeys(others)),
        "domain": next((d for i, _ in topics if (d := spellings("domain").get(i))), None),
        "tasks": list(dict.fromkeys(task for task in tasks if task)),
        "modalities": list(dict.fromkeys(code for code in modalities if code)),
        "formats_in": _formats(record, "formats_in", functions, "input"),
        "formats_out": _formats(record, "formats_out", functions, "output"),
        "languages": canonical("language", texts(entry.get("language"))),
        "interfaces": list(dict.fromkeys(interfaces)),
        "platforms": canonical("platform", texts(entry.get("operatingSystem"))),
        "license": licence_of(record, entry.get("license")),
        "citation": first([p.get("doi") for p in _dicts(entry.get("publication"))]),
        "suite": first(entry.get("collectionID")),
        "install": [
            {"kind": "download", "line": line}
            for line in texts([d.get("url") for d in _dicts(entry.get("download"))])
        ],
    }
    return record


def _dicts(value: object) -> list[dict[str, Any]]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, dict)]


def _concepts(items: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """EDAM id and term of each concept."""
    for item in items:
        yield (first(item.get("uri")) or "").rpartition("/")[2], first(item.get("term")) or ""


def _formats(record: Draft, name: str, functions: list[dict[str, Any]], side: str) -> list[str]:
    ports = [port for function in functions for port in _dicts(function.get(side))]
    formats: dict[str, None] = {}
    for edam, term in (c for port in ports for c in _concepts(_dicts(port.get("format")))):
        table = spellings("edam_format")
        if edam not in table:
            formats.update(dict.fromkeys(codes(record, name, term)))
        elif (code := table[edam]) is not None:
            formats[code] = None
        else:
            record.note(f"{name}: {shown(term)!r} is no known format and is left out")
    return list(formats)
