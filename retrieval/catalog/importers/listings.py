"""Listings of other projects: CITATION.cff, Galaxy tools and napari-hub plugins."""

from __future__ import annotations

import re
from collections.abc import Mapping
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

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_SHED = "https://toolshed.g2.bx.psu.edu/view"
_SYSTEM = re.compile(r"Operating System :: (?:\w+ :: )?(\w+)")


def owns_citation(row: Row) -> bool:
    """Whether a row is a citation file, which states the version of its format."""
    return row.fields is not None and "cff-version" in row.fields


def citation(entry: Mapping[str, Any]) -> Draft:
    """The record of a CITATION.cff; one of a data set gives no fields and says so."""
    record = Draft()
    if (kind := first(entry.get("type")) or "software") != "software":
        record.note(f"type: {shown(kind)!r} is no software")
        return record
    title = first(entry.get("title")) or ""
    preferred = entry.get("preferred-citation")
    paper = preferred if isinstance(preferred, Mapping) else {}
    identifiers = [i for i in _rows(entry.get("identifiers")) if i.get("type") == "doi"]
    dois = [paper.get("doi"), entry.get("doi"), *(i.get("value") for i in identifiers)]
    record.fields = {
        "id": slug(title),
        "name": title,
        "description": first([entry.get("abstract"), title]),
        "url": first(entry.get("url")),
        "repo": first([entry.get("repository-code"), entry.get("repository")]),
        "keywords": texts(entry.get("keywords")),
        "license": licence_of(record, entry.get("license")),
        "citation": _doi(first(dois)),
        "last_release": _day(entry.get("date-released")),
        "install": _install("download", first(entry.get("repository-artifact"))),
    }
    return record


def owns_galaxy(row: Row) -> bool:
    """Whether a row is a tool as a Galaxy server lists it."""
    return row.fields is not None and (
        "tool_shed_repository" in row.fields or "is_workflow_compatible" in row.fields
    )


def galaxy(entry: Mapping[str, Any]) -> Draft:
    """The record of a Galaxy tool: it runs on the web, and its wrapper lies in a tool shed."""
    record = Draft()
    name = first(entry.get("name")) or ""
    shed = entry.get("tool_shed_repository")
    place = shed if isinstance(shed, Mapping) else {}
    owner, package = first(place.get("owner")), first(place.get("name"))
    operations = [text.rpartition("/")[2] for text in texts(entry.get("edam_operations"))]
    tasks = (spellings("edam_task").get(one) for one in operations)
    inputs = texts([entry.get("input_formats"), entry.get("inputs_format")])
    record.fields = {
        "id": slug(f"galaxy {package or name}"),
        "name": name,
        "description": first([entry.get("description"), name]),
        "url": first(entry.get("homepage")) or (f"{_SHED}/{owner}/{package}" if package else None),
        "repo": first(entry.get("repo")),
        "keywords": texts(entry.get("panel_section_name")),
        "tasks": list(dict.fromkeys(task for task in tasks if task)),
        "formats_in": codes(record, "formats_in", inputs),
        "formats_out": codes(record, "formats_out", entry.get("output_formats")),
        "interfaces": ["web"],
        "platforms": ["Galaxy"],
        "license": licence_of(record, entry.get("license")),
        "citation": _doi(first(entry.get("citation"))),
    }
    return record


def owns_napari(row: Row) -> bool:
    """Whether a row is a plugin as the napari hub lists it."""
    return row.fields is not None and (
        "first_released" in row.fields or "reader_file_extensions" in row.fields
    )


def napari(entry: Mapping[str, Any]) -> Draft:
    """The record of a plugin of napari; it is in Python and installed by pip."""
    record = Draft()
    name = first(entry.get("name")) or ""
    systems = [m[1] for one in texts(entry.get("operating_system")) if (m := _SYSTEM.search(one))]
    cited = next(iter(_rows(entry.get("citations"))), {})
    python = first(entry.get("python_version"))
    category = entry.get("category")
    categories = list(category.values()) if isinstance(category, Mapping) else category
    record.fields = {
        "id": slug(name),
        "name": first(entry.get("display_name")) or name,
        "description": first([entry.get("summary"), entry.get("description_text")]),
        "url": first([entry.get("project_site"), entry.get("home")]),
        "repo": first(entry.get("code_repository")),
        "docs_url": first(entry.get("documentation")),
        "keywords": texts([entry.get("labels"), texts(categories)]),
        "formats_in": codes(record, "formats_in", _endings(entry.get("reader_file_extensions"))),
        "formats_out": codes(record, "formats_out", _endings(entry.get("writer_file_extensions"))),
        "languages": ["Python"],
        "interfaces": ["plugin"],
        "platforms": ["napari", *canonical("platform", (s for s in systems if s != "OS"))],
        "python_version": python,
        "license": licence_of(record, entry.get("license")),
        "citation": _doi(first(cited.get("doi"))),
        "install": _install("pip", f"pip install {name}" if name else None),
        "requires_tool": ["napari"],
        "last_release": _day(entry.get("release_date")),
    }
    return record


def _rows(value: object) -> list[Mapping[str, Any]]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, Mapping)]


def _endings(value: object) -> list[str]:
    """Patterns of file names as endings: ``*.tif`` is ``.tif``; a bare star names no format."""
    return [ending for text in texts(value) if (ending := text.removeprefix("*"))]


def _doi(text: str | None) -> str | None:
    match = re.search(r"10\.\d{4,9}/[^\s\"'<>?#]+", text or "")
    return match[0].rstrip(".,;)") if match else None


def _day(value: object) -> str | None:
    """The day of a date or a time, as YYYY-MM-DD."""
    match = _DAY.match(str(value))
    return match[0] if match else None


def _install(kind: str, line: str | None) -> list[dict[str, str]]:
    return [{"kind": kind, "line": line}] if line else []
