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
from retrieval.catalog.importers.values import (
    Draft,
    Row,
    canonical,
    codes,
    first,
    listed,
    shown,
    slug,
    texts,
)
from retrieval.catalog.record import MAX_DESCRIPTION

_MARKS = {
    *("@context", "@type", "@graph", "@id", "supportingData", "codeRepository"),
    *("programmingLanguage", "imagingModality", "featureList", "applicationCategory"),
    *("softwareHelp", "operatingSystem", "requiresGPU", "isPluginModuleOf", "runnableExample"),
    *("modality", "dims", "input_formats", "gpu_required", "hf_space"),
}
_PREFIX = re.compile(r"^(?:https?://schema\.org/|https?://\S+[/#]|[A-Za-z][\w-]*:)(?=\w)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>?#]+")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_SOFTWARE = re.compile(r"Software|Application|Code|Tool|Workflow", re.IGNORECASE)
_SPACES = "https://huggingface.co/spaces/"
_CODE_KEYS = {
    "modalities": ("imagingModality", "modality", "modalities"),
    "dimensions": ("hasDimensionality", "dimensions", "dims"),
    "anatomy": ("bodySite", "anatomy"),
    "formats_in": ("datasetFormat", "formats", "fileFormat", "input_formats"),
    "formats_out": ("output_formats",),
}
"""Keys of a node, and of its supporting data, by the closed field that they fill."""


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
    record, node = Draft(), _Node(entry)
    kinds = texts(node.get("@type", "type"))
    if kinds and not any(_SOFTWARE.search(kind) for kind in kinds):
        record.note(f"@type: {shown(kinds[0])!r} is no software")
        return record
    names = texts(node.get("name"))
    categories = listed(node.get("applicationCategory"))
    keywords = (*listed(node.get("keywords")), *names[1:], *categories[1:])
    repo = first(node.get("codeRepository", "repo_url"))
    description = first(node.get("description"))
    if description and len(description) > MAX_DESCRIPTION:
        record.note(f"description: longer than {MAX_DESCRIPTION:,} characters, cut there")
        description = description[:MAX_DESCRIPTION]
    gpu = node.get("requiresGPU", "gpu_required")
    needs_gpu = gpu is True or (first(gpu) or "").casefold() in {"true", "yes", "1", "on"}
    record.fields = {
        "id": slug(names[0] if names else ""),
        "name": names[0] if names else None,
        "description": description,
        "url": first(node.get("url")),
        "repo": repo.removeprefix("git+").removesuffix(".git") if repo else None,
        "docs_url": first([node.get("documentation"), node.get("softwareHelp")]),
        "demo_url": node.demo(),
        "keywords": list(dict.fromkeys(keywords)),
        "domain": categories[0].casefold() if categories else None,
        "tasks": listed([node.get("featureList"), *node.all("tasks")]),
        **{name: codes(record, name, node.all(*keys)) for name, keys in _CODE_KEYS.items()},
        "languages": canonical(
            "language", listed([node.get("programmingLanguage"), node.get("language")])
        ),
        "platforms": canonical("platform", listed(node.get("operatingSystem"))),
        "gpu": "required" if needs_gpu else None,
        "license": licence_of(record, node.get("license")),
        "citation": node.doi(),
        "install": [
            {"kind": "download", "line": line}
            for line in texts([node.get("installUrl"), node.get("downloadUrl")])
        ],
        "last_release": node.day("datePublished"),
        "requires_tool": [slug(n) for n in texts(node.get("isPluginModuleOf"))],
    }
    return record


class _Node:
    """The values of a node by local key, and those of its supportingData."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self._own = {_local(key): value for key, value in entry.items()}
        # One object or a list of them; equal keys are gathered.
        self._data: dict[str, list[Any]] = {}
        supporting = self._own.get("supportingData")
        for item in supporting if isinstance(supporting, list) else [supporting]:
            for key, value in item.items() if isinstance(item, dict) else ():
                self._data.setdefault(_local(key), []).append(value)

    def get(self, key: str, instead: str = "") -> Any:  # noqa: ANN401 - any JSON value
        """The node's value of a key, of the second one where the node lacks the first."""
        return self._own.get(key, self._own.get(instead))

    def all(self, *keys: str) -> list[Any]:
        """The values of these keys, those of the node first."""
        return [side.get(key) for side in (self._own, self._data) for key in keys]

    def demo(self) -> str | None:
        """The address of a demo; a Hugging Face Space may be named as ``owner/name``."""
        space = first(self.get("hf_space")) or ""
        address = f"{_SPACES}{space}" if re.fullmatch(r"[\w.-]+/[\w.-]+", space) else None
        return first(self.all("demo_url", "runnableExample", "hasExecutableNotebook")) or address

    def day(self, key: str) -> str | None:
        """The date that the value of a key begins with, as YYYY-MM-DD."""
        match = _DAY.match(first(self.get(key)) or "")
        return match[0] if match else None

    def doi(self) -> str | None:
        """The first DOI in the fields that cite a publication."""
        cited = self.all("citation", "referencePublication", "paper_url", "identifier")
        matches = (_DOI.search(text) for text in texts(cited))
        return next((match[0].rstrip(".,;)") for match in matches if match), None)


def _local(key: str) -> str:
    return key if key.startswith("@") else _PREFIX.sub("", key)
