"""Works to cite, the software and its paper told apart."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import yaml

from retrieval.catalog.harvest.findings import Citation, Findings
from retrieval.catalog.harvest.folder import SourceFolder, SourceText
from retrieval.catalog.harvest.licences import add_stated_licence

MAX_AUTHORS = 200
MAX_YAML = 100_000
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>`)\]},;]+")
_SOFTWARE = {"software", "software-code", "software-container", "software-executable"}
_BIBTEX = re.compile(r"@(?P<kind>\w{3,20})\s*\{(?P<body>.{0,4000}?)\n\s*\}", re.DOTALL)
_BIBTEX_FIELD = re.compile(
    r"^\s*(?P<name>author|title|year|doi)\s*=\s*[{\"]+(?P<value>.*?)[}\"]*,?\s*$",
    re.MULTILINE | re.IGNORECASE,
)


def read_citations(folder: SourceFolder, findings: Findings) -> None:
    """Propose citations of CITATION.cff, codemeta.json, .zenodo.json and the README."""
    # Below the top lie citations of bundled software, hence paths without a folder.
    for source in folder.below(r"CITATION\.cff", limit=1):
        try:
            data = yaml.safe_load(source.text[:MAX_YAML])
        except (yaml.YAMLError, ValueError, RecursionError) as exc:
            findings.problem(source, f"not YAML ({exc})")
            continue
        if isinstance(data, dict):
            _citation_file(source, data, findings)
    for name in (r"codemeta\.json", r"\.zenodo\.json"):
        for source in folder.below(name, limit=1):
            if data := json_object(source, findings):
                _deposit(source, data, findings)
    for source in folder.nearest(r"(README|CITATION|CITING)(\.(md|rst|txt|bib))?"):
        _bibtex(source, findings)
        _doi_lines(source, findings)


def json_object(source: SourceText, findings: Findings) -> Mapping[str, object]:
    """The object in a JSON file; empty, and a problem noted, for anything else."""
    try:
        data = json.loads(source.text)
    except (ValueError, RecursionError) as exc:
        findings.problem(source, f"not JSON ({exc})")
        return {}
    return data if isinstance(data, dict) else {}


def _citation_file(source: SourceText, data: Mapping[str, object], findings: Findings) -> None:
    """Propose the citations of a CITATION.cff, by its schema 1.2."""
    software = _work(data)
    if software.title:
        findings.add("software_citation", software, source, source.line_of(r"^title:"))
    paper = data.get("preferred-citation")
    if isinstance(paper, dict):
        line = source.line_of(r"^preferred-citation:")
        kind = "software_citation" if paper.get("type") in _SOFTWARE else "paper_citation"
        work = _work(paper)
        findings.add(kind, work, source, line)
        if kind == "paper_citation" and work.doi:
            findings.add("citation", work.doi, source, source.line_of(re.escape(work.doi)))
    if software.doi:
        line = source.line_of(re.escape(software.doi))
        note = "DOI of the software, not of a paper"
        findings.add("citation", software.doi, source, line, hint=True, note=note)
    add_stated_licence(findings, source, data.get("license"), source.line_of(r"^license:"))
    if released := str(data.get("date-released") or ""):
        findings.add("last_release", released[:10], source, source.line_of(r"^date-released:"))


def _work(data: Mapping[str, object]) -> Citation:
    """A reference of CITATION.cff; its year is that of the release where none is stated."""
    people = data.get("authors")
    year = re.match(r"\d{4}", str(data.get("year") or data.get("date-released") or ""))
    doi = _DOI.search(str(data.get("doi") or ""))
    for other in _mappings(data.get("identifiers")):
        if not doi and other.get("type") == "doi":
            doi = _DOI.search(str(other.get("value")))
    return Citation(
        authors=tuple(n for person in _mappings(people) if (n := _person(person))),
        year=int(year[0]) if year else None,
        title=" ".join(str(data.get("title") or "").split())[:300],
        doi=doi[0].rstrip(".") if doi else "",
    )


def _mappings(value: object) -> list[Mapping[str, object]]:
    items = value if isinstance(value, list) else []
    return [item for item in items[:MAX_AUTHORS] if isinstance(item, dict)]


def _person(person: Mapping[str, object]) -> str:
    """Family name and initials; an organisation keeps its name."""
    family = str(person.get("family-names") or person.get("familyName") or "").strip()
    given_names = str(person.get("given-names") or person.get("givenName") or "")
    initials = "".join(part[0] for part in re.split(r"[\s.-]+", given_names) if part)
    return f"{family} {initials}".strip() or str(person.get("name") or "").strip()[:100]


def _deposit(source: SourceText, data: Mapping[str, object], findings: Findings) -> None:
    """Propose what codemeta.json or .zenodo.json states of the software."""
    people = data.get("author") or data.get("creators")
    date = str(data.get("datePublished") or data.get("publication_date") or "")
    doi = _DOI.search(str(data.get("identifier") or data.get("doi") or ""))
    title = data.get("name") or data.get("title")
    work = Citation(
        authors=tuple(n for person in _mappings(people) if (n := _person(person))),
        year=int(date[:4]) if re.match(r"\d{4}", date) else None,
        title=" ".join(str(title or "").split())[:300],
        doi=doi[0] if doi else "",
    )
    if work.title and work.authors:
        line = source.line_of(r"\"(title|name)\"")
        findings.add("software_citation", work, source, line)
    add_stated_licence(findings, source, data.get("license"), source.line_of(r"\"license\""))
    # "dateModified" is the day of any change, a release or not.
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        line = source.line_of(r"\"(datePublished|publication_date)\"")
        findings.add("last_release", date, source, line)


def _bibtex(source: SourceText, findings: Findings) -> None:
    """Propose the BibTeX entries of a text as hints: it may cite other works too."""
    for entry in list(_BIBTEX.finditer(source.text))[:10]:
        fields = {m["name"].lower(): m["value"] for m in _BIBTEX_FIELD.finditer(entry["body"])}
        authors = re.split(r"\s+and\s+", fields.get("author", ""))
        year = re.search(r"\d{4}", fields.get("year", ""))
        doi = _DOI.search(fields.get("doi", "")) or _DOI.search(_arxiv_doi(entry["body"]))
        work = Citation(
            authors=tuple(" ".join(a.split()) for a in authors[:MAX_AUTHORS] if a.strip()),
            year=int(year[0]) if year else None,
            title=" ".join(re.sub(r"[{}]", "", fields.get("title", "")).split()),
            doi=doi[0] if doi else "",
        )
        if not work.title:
            continue
        software = entry["kind"].lower() in {"software", "misc"}
        kind = "software_citation" if software else "paper_citation"
        findings.add(kind, work, source, source.line_at(entry.start()), hint=True)
        if work.doi and not software:
            line = source.line_at(entry.start() + max(entry[0].find(work.doi), 0))
            findings.add("citation", work.doi, source, line, hint=True)


def _arxiv_doi(text: str) -> str:
    """The DOI that arXiv registers for the first of its identifiers in a text, or nothing."""
    match = re.search(r"arxiv\W{1,4}(?:preprint\s+arxiv\W)?(\d{4}\.\d{4,5})", text, re.IGNORECASE)
    return f"10.48550/arXiv.{match[1]}" if match else ""


def _doi_lines(source: SourceText, findings: Findings) -> None:
    """Propose the first DOIs that a word of citing precedes by at most four lines.

    DOIs of training data and of other people's methods stand in the same texts, hence the limit.
    """
    cited_at, count = -100, 0
    for number, line in source.lines():
        if re.search(r"\b(cit(e|ed|ing|ation)|publication)\b", line, re.IGNORECASE):
            cited_at = number
        for match in _DOI.finditer(line) if number - cited_at <= 4 and count < 3 else ():
            doi = re.sub(r"(\.svg|[.*_])+$", "", match[0])
            if re.search(r"dataset|download|license", line[: match.start()], re.IGNORECASE):
                continue
            note = "Zenodo: software or data, no paper" if doi.startswith("10.5281/") else ""
            count += 1
            findings.add("citation", doi, source, number, hint=True, note=note)
