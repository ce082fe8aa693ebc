"""The answer as files a visitor can keep, made in memory: CSV, JSON, BibTeX, CITATION.cff."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
import yaml

from components.render.markup import safe_url
from components.render.words import stage_label
from retrieval import Answer, Tool, to_json

FORMULA = ("=", "+", "-", "@")
BEFORE = ("Cc", "Cf", "Zl", "Zp", "Zs")
"""What a spreadsheet may drop in front: controls, marks without width, blanks."""
FIXED = ("rank", "id", "name", "url", "license", "retrieval_score", "description")


def cell(value: object) -> str:
    """A cell that no spreadsheet takes for a formula (OWASP ASVS 1.2.10).

    A text gets an apostrophe in front where a control character comes first, or, after what
    a spreadsheet may drop, a sign that begins a formula (full-width ones included: NFKC).
    """
    text = "" if value is None else str(value)
    if isinstance(value, int | float) or not text:
        return text
    first = next((c for c in text if unicodedata.category(c) not in BEFORE), "")
    is_formula = unicodedata.normalize("NFKC", first).startswith(FORMULA)
    return f"'{text}" if is_formula or unicodedata.category(text[0]) == "Cc" else text


def as_csv(answer: Answer) -> str:
    """One row per tool: rank, facts, scores and its rank in the list of every stage.

    In the order of the answer, with a header; lines end with CRLF (RFC 4180). A rank is empty where
    a stage does not list the tool.
    """
    data = to_json(answer)
    stages = [s for s in data["stages"] if s["candidates"]]
    # The page's names of stages; where two have one name, their paths tell them apart.
    label_counts = Counter(stage_label(s["name"]) for s in stages)
    label = {s["name"]: stage_label(s["name"]) for s in stages}
    label = {
        name: one if label_counts[one] == 1 else f"{one} ({name})" for name, one in label.items()
    }
    ranks = {label[s["name"]]: {c["id"]: c["rank"] for c in s["candidates"]} for s in stages}
    rows = []
    for one in data["candidates"]:
        fit = "; ".join(f"{f['fact']}: {f['verdict']}" for f in one["fit"] or ())
        ranks_of_tool = {f"rank: {name}": rank.get(one["id"]) for name, rank in ranks.items()}
        rows.append({**{key: one[key] for key in FIXED}, "fit": fit, **ranks_of_tool})
    columns = [*FIXED, "fit", *(f"rank: {name}" for name in ranks)]
    table = pd.DataFrame(rows, columns=columns, dtype=object).map(cell)
    table.columns = pd.Index([cell(column) for column in columns])
    return table.to_csv(index=False, lineterminator="\r\n")


def as_json(answer: Answer) -> str:
    """The contract's JSON, indented."""
    return json.dumps(to_json(answer), ensure_ascii=False, indent=2)


DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}\\]+")
SPECIAL = re.compile(r"([&%$#_])")
SEARCHER = "ScanScout"


def doi_of(tool: Tool) -> str | None:
    """The DOI in a tool's citation, without the resolver's address.

    Trailing punctuation of the sentence around it is cut off.
    """
    match = DOI.search(tool.citation or "")
    return match.group().rstrip(".,;") if match else None


ARCHIVED = "10.5281/zenodo."
"""Begin of a DOI of Zenodo, where versions of software are kept; others name papers."""


def _dois(tool: Tool) -> tuple[str | None, str | None]:
    """The DOI of the software itself, and that of the work it asks to cite; one of them at most."""
    doi = doi_of(tool)
    return (doi, None) if doi and doi.startswith(ARCHIVED) else (None, doi)


def work_of(tool: Tool) -> str:
    """What stands for the title of a cited work: no record states one."""
    return f"Work that {tool.name} asks to cite; title and authors stand at its DOI"


def year_of(tool: Tool) -> str | None:
    """The year of the last release, when a source states one."""
    match = re.match(r"(\d{4})", tool.last_release or "")
    return match.group(1) if match else None


def key_of(tool: Tool) -> str:
    """A citation key: letters, digits and underscores of the id."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", tool.id).strip("_") or "tool"


def _tex(text: str) -> str:
    # A backslash in front does not escape these in every BibTeX style.
    plain = re.sub(r"[\\{}~^]", " ", text)
    return SPECIAL.sub(r"\\\1", " ".join(plain.split()))


def _entry(tool: Tool) -> str:
    """A BibTeX entry of the type ``@software``, and one of the work to cite where it has a DOI.

    A field that no record states is left out.
    """
    facts = {"Licence": tool.license, "last release": tool.last_release}
    address = safe_url(tool.url) or safe_url(tool.repo)
    own, cited = _dois(tool)
    fields = {
        "author": f"{{The authors of {_tex(tool.name)}}}",
        "title": f"{{{_tex(tool.name)}}}",
        "doi": own,
        "url": None if address is None else re.sub(r"[{}\\\s]", "", address),
        "year": year_of(tool),
        "note": "; ".join(f"{name}: {_tex(value)}" for name, value in facts.items() if value),
    }
    entry = _bibtex("software", key_of(tool), fields)
    if cited:
        work = {"title": f"{{{_tex(work_of(tool))}}}", "doi": cited}
        entry += "\n" + _bibtex("misc", f"{key_of(tool)}_work", work)
    return entry


def _bibtex(kind: str, key: str, fields: Mapping[str, str | None]) -> str:
    rows = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{kind}{{{key},\n{rows}}}\n"


def as_bibtex(tools: Iterable[Tool]) -> str:
    """One entry per tool, in the given order; only facts that the record states.

    Braces keep the capitals of a name. No record of the catalog states an author by name.
    """
    return "\n".join(_entry(tool) for tool in tools)


def _references(tool: Tool) -> list[dict[str, object]]:
    """The entries of a tool under ``references`` of a CITATION.cff file: itself, then its work."""
    # The format takes a single SPDX id as a licence and nothing else.
    is_spdx = re.fullmatch(r"[A-Za-z0-9.+-]+", tool.license or "")
    year, (own, cited) = year_of(tool), _dois(tool)
    authors = [{"name": f"The authors of {tool.name}"}]
    fields = {
        "type": "software",
        "title": tool.name,
        "authors": authors,
        "doi": own,
        "url": safe_url(tool.url),
        "repository-code": safe_url(tool.repo),
        "license": tool.license if is_spdx and "LicenseRef" not in is_spdx[0] else None,
        "year": int(year) if year else None,
    }
    entries: list[dict[str, object]] = [{k: v for k, v in fields.items() if v is not None}]
    if cited:
        entries.append(
            {"type": "generic", "title": work_of(tool), "authors": authors, "doi": cited}
        )
    return entries


def as_cff(tools: Sequence[Tool]) -> str:
    """A CITATION.cff (version 1.2.0) whose references are the tools, in the given order.

    YAML with the keys of the Citation File Format 1.2.0; no author of a tool is on record.
    """
    document = {
        "cff-version": "1.2.0",
        "message": "Please cite the software listed under references.",
        "title": f"Software found with {SEARCHER}",
        "type": "software",
        "authors": [{"name": "The authors of this work"}],
        "references": [one for tool in tools for one in _references(tool)],
    }
    text: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
    return text
