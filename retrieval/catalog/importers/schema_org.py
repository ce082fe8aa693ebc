"""schema.org and CodeMeta JSON-LD, in both spellings of the imaging-agent catalogs.

Their documentation writes ``supportingData.formats, modalities, dimensions``; their loader
reads ``supportingData[].datasetFormat, hasDimensionality, imagingModality, bodySite`` and the
flat ``modality, dims, anatomy, input_formats``. All of it is taken (W11).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.row import Row
from retrieval.catalog.importers.values import (
    Draft,
    canonical,
    codes,
    first,
    listed,
    shown,
    slug,
    texts,
)

_MARKS = {
    *("@context", "@type", "@graph", "@id", "supportingData", "codeRepository"),
    *("programmingLanguage", "imagingModality", "featureList", "applicationCategory"),
    *("softwareHelp", "operatingSystem", "requiresGPU", "isPluginModuleOf", "runnableExample"),
    *("modality", "dims", "input_formats", "gpu_required", "hf_space"),
}
_PREFIX = re.compile(r"^(?:https?://schema\.org/|https?://\S+[/#]|[A-Za-z][\w-]*:)(?=\w)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>?#]+")
_SOFTWARE = re.compile(r"Software|Application|Code|Tool|Workflow", re.IGNORECASE)
_SPACES = "https://huggingface.co/spaces/"
_FORMAT_KEYS = ("datasetFormat", "formats", "fileFormat", "input_formats")


def owns(row: Row) -> bool:
    """Whether the keys are schema.org's, CodeMeta's or the imaging agent's."""
    if row.fields is None:
        return False
    keys = {_local(key) for key in row.fields}
    linked = any(key.startswith("@") or ":" in key for key in row.fields)
    return linked or ("id" not in keys and not keys.isdisjoint(_MARKS))


def draft(entry: Mapping[str, Any]) -> Draft:
    """The record of a node; linked nodes are not followed.

    A node whose type is no software gives a draft without fields and one note, which refuses it.
    """
    record = Draft()
    node = {_local(key): value for key, value in entry.items()}
    kinds = texts(node.get("@type", node.get("type")))
    if kinds and not any(_SOFTWARE.search(kind) for kind in kinds):
        record.note(f"@type: {shown(kinds[0])!r} is no software")
        return record
    data = _data(node)
    names = texts(node.get("name"))
    categories = listed(node.get("applicationCategory"))
    repo = first(node.get("codeRepository", node.get("repo_url")))
    record.fields = {
        "id": slug(names[0] if names else ""),
        "name": names[0] if names else None,
        "description": _description(record, node),
        "url": first(node.get("url")),
        "repo": repo.removeprefix("git+").removesuffix(".git") if repo else None,
        "docs_url": first([node.get(k) for k in ("documentation", "softwareHelp")]),
        "demo_url": _demo(node, data),
        "keywords": list(
            dict.fromkeys([*listed(node.get("keywords")), *names[1:], *categories[1:]])
        ),
        "domain": categories[0].casefold() if categories else None,
        "tasks": listed([node.get("featureList"), node.get("tasks"), data.get("tasks")]),
        "modalities": codes(
            record, "modalities", _all(node, data, "imagingModality", "modality", "modalities")
        ),
        "dimensions": codes(
            record, "dimensions", _all(node, data, "hasDimensionality", "dimensions", "dims")
        ),
        "anatomy": codes(record, "anatomy", _all(node, data, "bodySite", "anatomy")),
        "formats_in": codes(record, "formats_in", _all(node, data, *_FORMAT_KEYS)),
        "formats_out": codes(record, "formats_out", _all(node, data, "output_formats")),
        "languages": canonical(
            "language", listed([node.get("programmingLanguage"), node.get("language")])
        ),
        "platforms": canonical("platform", listed(node.get("operatingSystem"))),
        "gpu": "required" if _yes(node.get("requiresGPU", node.get("gpu_required"))) else None,
        "license": licence_of(record, node.get("license")),
        "citation": _doi(node, data),
        "requires_tool": [slug(n) for n in texts(node.get("isPluginModuleOf"))],
    }
    return record


def _local(key: str) -> str:
    return key if key.startswith("@") else _PREFIX.sub("", key)


def _data(node: Mapping[str, Any]) -> dict[str, Any]:
    """supportingData, one object or a list of them, as one; equal keys are gathered."""
    supporting = node.get("supportingData")
    gathered: dict[str, Any] = {}
    for item in supporting if isinstance(supporting, list) else [supporting]:
        for key, value in item.items() if isinstance(item, dict) else ():
            gathered.setdefault(_local(key), []).append(value)
    return gathered


def _all(node: Mapping[str, Any], data: Mapping[str, Any], *keys: str) -> list[Any]:
    return [side.get(key) for side in (node, data) for key in keys]


def _description(record: Draft, node: Mapping[str, Any]) -> str | None:
    text = first(node.get("description"))
    if text and len(text) > 4000:
        record.note("description: longer than 4,000 characters, cut there")
        return text[:4000]
    return text


def _demo(node: Mapping[str, Any], data: Mapping[str, Any]) -> str | None:
    keys = ("demo_url", "runnableExample", "hasExecutableNotebook")
    address = first(_all(node, data, *keys))
    space = first(node.get("hf_space"))
    return address or (
        f"{_SPACES}{space}" if space and re.fullmatch(r"[\w.-]+/[\w.-]+", space) else None
    )


def _yes(value: object) -> bool:
    return value is True or (first(value) or "").casefold() in {"true", "yes", "1", "on"}


def _doi(node: Mapping[str, Any], data: Mapping[str, Any]) -> str | None:
    keys = ("citation", "referencePublication", "paper_url", "identifier")
    matches = (_DOI.search(text) for text in texts(_all(node, data, *keys)))
    return next((match[0].rstrip(".,;)") for match in matches if match), None)
