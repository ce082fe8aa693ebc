"""Citations of chosen tools: BibTeX entries and a CITATION.cff file with references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import yaml

from components.render.markup import safe_url
from retrieval import Tool

DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}\\]+")
SPECIAL = re.compile(r"([&%$#_])")
SEARCHER = "ScanScout"


def doi_of(tool: Tool) -> str | None:
    """The DOI in a tool's citation, without an address in front."""
    match = DOI.search(tool.citation or "")
    return match.group().rstrip(".,;") if match else None


def year_of(tool: Tool) -> str | None:
    """The year of the last release, when a source states one.

    None beside a DOI: that names a paper, whose year no record of the catalog states.
    """
    match = None if doi_of(tool) else re.match(r"(\d{4})", tool.last_release or "")
    return match.group(1) if match else None


def key_of(tool: Tool) -> str:
    """A citation key: letters, digits and underscores of the id."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", tool.id).strip("_") or "tool"


def _tex(text: str) -> str:
    plain = re.sub(r"[\\{}~^]", " ", text)
    return SPECIAL.sub(r"\\\1", " ".join(plain.split()))


def _entry(tool: Tool) -> str:
    doi, year = doi_of(tool), year_of(tool)
    address = safe_url(tool.url) or safe_url(tool.repo)
    fields = {
        "title": f"{{{_tex(tool.name)}}}",
        "doi": doi,
        "url": None if address is None else re.sub(r"[{}\\\s]", "", address),
        "year": year,
        "note": _note(tool),
    }
    rows = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@software{{{key_of(tool)},\n{rows}}}\n"


def _note(tool: Tool) -> str | None:
    facts = {"Licence": tool.license, "last release": tool.last_release}
    return "; ".join(f"{name}: {_tex(value)}" for name, value in facts.items() if value) or None


def as_bibtex(tools: Iterable[Tool]) -> str:
    """One entry a tool, in the order given; only facts that the record states."""
    return "\n".join(_entry(tool) for tool in tools)


def _reference(tool: Tool) -> dict[str, object]:
    fields = {
        "type": "software",
        "title": tool.name,
        "authors": [{"name": f"The authors of {tool.name}"}],
        "doi": doi_of(tool),
        "url": safe_url(tool.url),
        "repository-code": safe_url(tool.repo),
        "license": _spdx(tool.license),
        "year": int(year) if (year := year_of(tool)) else None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _spdx(licence: str | None) -> str | None:
    """The licence where the citation format takes it: a single SPDX id."""
    good = licence and re.fullmatch(r"[A-Za-z0-9.+-]+", licence) and "LicenseRef" not in licence
    return licence if good else None


def as_cff(tools: Sequence[Tool]) -> str:
    """A CITATION.cff (version 1.2.0) whose references are the tools, in the order given."""
    document = {
        "cff-version": "1.2.0",
        "message": "Please cite the software listed under references.",
        "title": f"Software chosen with {SEARCHER}",
        "type": "software",
        "authors": [{"name": "The authors of this work"}],
        "references": [_reference(tool) for tool in tools],
    }
    text: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
    return text
