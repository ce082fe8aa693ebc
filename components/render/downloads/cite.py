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
    """The DOI in a tool's citation, without the resolver's address.

    Trailing punctuation of the sentence around it is cut off.
    """
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
    # A backslash in front does not escape these in every BibTeX style.
    plain = re.sub(r"[\\{}~^]", " ", text)
    return SPECIAL.sub(r"\\\1", " ".join(plain.split()))


def _entry(tool: Tool) -> str:
    """One BibTeX entry of the type ``@software``; a field that no record states is left out."""
    facts = {"Licence": tool.license, "last release": tool.last_release}
    address = safe_url(tool.url) or safe_url(tool.repo)
    fields = {
        "title": f"{{{_tex(tool.name)}}}",
        "doi": doi_of(tool),
        "url": None if address is None else re.sub(r"[{}\\\s]", "", address),
        "year": year_of(tool),
        "note": "; ".join(f"{name}: {_tex(value)}" for name, value in facts.items() if value),
    }
    rows = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@software{{{key_of(tool)},\n{rows}}}\n"


def as_bibtex(tools: Iterable[Tool]) -> str:
    """One entry per tool, in the given order; only facts that the record states.

    Braces keep the capitals of a name. No author is given: no record of the catalog states one.
    """
    return "\n".join(_entry(tool) for tool in tools)


def _reference(tool: Tool) -> dict[str, object]:
    """One entry under ``references`` of a CITATION.cff file."""
    # The format takes a single SPDX id as a licence and nothing else.
    is_spdx = re.fullmatch(r"[A-Za-z0-9.+-]+", tool.license or "")
    year = year_of(tool)
    fields = {
        "type": "software",
        "title": tool.name,
        "authors": [{"name": f"The authors of {tool.name}"}],
        "doi": doi_of(tool),
        "url": safe_url(tool.url),
        "repository-code": safe_url(tool.repo),
        "license": tool.license if is_spdx and "LicenseRef" not in is_spdx[0] else None,
        "year": int(year) if year else None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def as_cff(tools: Sequence[Tool]) -> str:
    """A CITATION.cff (version 1.2.0) whose references are the tools, in the given order.

    YAML with the keys of the Citation File Format 1.2.0; no author of a tool is on record.
    """
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
