"""Dates of the last release and commit, and the Git facts beside a folder of files.

A checkout's own Git database is not opened: Git runs programs that its configuration names.
``facts.json`` at the top of the folder, which a person writes with Git, gives the same::

    {"commit": "7d25184...", "date": "2026-07-31",
     "tags": [{"name": "v2.6.2", "date": "2026-01-15"}], "languages": {".py": {"bytes": 81230}}}
"""

from __future__ import annotations

import re

from pydantic import BaseModel, ValidationError

from retrieval.catalog.harvest.findings import Findings
from retrieval.catalog.harvest.folder import SourceFolder

_DATE = re.compile(r"\b(20\d{2})[-/.](0[1-9]|1[0-2])[-/.](0[1-9]|[12]\d|3[01])\b")
_CHANGES = r"(CHANGE(S|LOG)|NEWS|HISTORY|RELEASE([-_]?NOTES)?)(\.(md|rst|txt))?"
_VERSION = re.compile(r"v?\d+(\.\d+)+")


def read_releases(folder: SourceFolder, findings: Findings) -> None:
    """Propose dates of the newest release and of the last commit."""
    _git_dates(folder, findings)
    for source in folder.nearest(_CHANGES, limit=1):
        for number, line in source.lines():
            date = _DATE.search(line)
            if date and _VERSION.search(line.replace(date[0], "")):
                released = "-".join(date.groups())
                findings.add("last_release", released, source, number)
                break


class _Tag(BaseModel):
    name: str
    date: str = ""


class GitFacts(BaseModel):
    """The content of ``facts.json``; every field may be absent and others are ignored."""

    date: str = ""
    tags: list[_Tag] = []
    languages: dict[str, dict[str, int]] = {}

    def sizes(self) -> list[tuple[str, int]]:
        """File endings and their bytes, the largest first."""
        return sorted(
            ((e, v.get("bytes", 0)) for e, v in self.languages.items()), key=lambda r: -r[1]
        )


def git_facts(folder: SourceFolder) -> GitFacts:
    """The Git facts of a folder; empty ones where the file is absent or of another shape."""
    try:
        text = folder.read("facts.json").text if "facts.json" in folder.paths else "{}"
        return GitFacts.model_validate_json(text)
    except ValidationError:
        return GitFacts()


def _git_dates(folder: SourceFolder, findings: Findings) -> None:
    facts = git_facts(folder)
    source = folder.read("facts.json")
    if _DATE.fullmatch(facts.date[:10]):
        line = source.line_of(r"^ ?\s*\{?\"date\"")
        findings.add("last_commit", facts.date[:10], source, line)
    for tag in facts.tags:
        # Tags such as "nightly" or "docs" are no releases.
        if re.search(r"\d+\.\d+", tag.name) and _DATE.fullmatch(tag.date):
            line = source.line_of(re.escape(f'"{tag.name}"'))
            findings.add("last_release", tag.date, source, line, note=f"tag {tag.name}")
            break
