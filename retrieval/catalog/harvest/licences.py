"""Licences from texts, matched by spdx-matcher, and from what metadata files state."""

from __future__ import annotations

import re

from retrieval.catalog.harvest.findings import Findings
from retrieval.catalog.harvest.folder import SourceFolder, SourceText
from retrieval.catalog.importers import Draft, licence_of
from retrieval.core import StageUnavailable

MAX_TEXT = 60_000
_COMPLETE = 0.98  # the matcher is rough: below it lie other licences or clauses in the file
_FILES = r"(UN)?LICEN[CS]E([-_.].*)?|COPYING([-_.].*)?"
_OF_A_PART = "not at the top: it may be the licence of a part"
_ENDING = re.compile(r"-(only|or-later)$")
_R_LICENCE = re.compile(r"(?P<name>A?GPL|LGPL) ?\(>= ?(?P<version>\d(?:\.\d)?)\)")


def read_licences(folder: SourceFolder, findings: Findings) -> None:
    """Propose every licence whose text is in a licence file.

    A hint is a text that fits several licences (GPL-3.0-only and -or-later have one), that holds
    more than the licence, or that only refers to it. Raises StageUnavailable without spdx-matcher.
    """
    try:
        from spdx_matcher import analyse_license_text
    except ImportError:
        message = "licence texts need spdx-matcher: pip install 'scanscout[harvest]'"
        raise StageUnavailable(message) from None
    for source in folder.nearest(_FILES):
        # The matcher takes seconds for thousands of blank lines, which mean nothing to it.
        text = re.sub(r"\n\s*\n+", "\n\n", source.text[:MAX_TEXT])
        matches, share = analyse_license_text(text, include_header_match=False)
        is_full_text = bool(matches["licenses"])
        if not is_full_text:
            matches, share = analyse_license_text(text, include_header_match=True)
        _propose(source, sorted(matches["licenses"]), share if is_full_text else None, findings)


def _propose(source: SourceText, names: list[str], share: float | None, findings: Findings) -> None:
    """Propose matched licences; ``share`` of the text was matched, None for a mere reference."""
    # The GNU licences have one text for both endings; a notice elsewhere decides between them.
    twins = {_ENDING.sub(end, n) for n in names for end in ("-only", "-or-later")}
    names = sorted({*names, *twins}) if share is not None else names
    notes = [f"fits {', '.join(names)}"] if len(names) > 1 else []
    notes += ["refers to the licence without its text"] if share is None else []
    if share is not None and share < _COMPLETE:
        notes.append(f"{share:.0%} of the text is matched: read the rest")
    notes += [_OF_A_PART] if "/" in source.path else []
    for name in names:
        line = source.line_of(r"\S")
        findings.add("license", name, source, line, hint=bool(notes), note="; ".join(notes))
    if not names and source.text.strip():
        findings.problem(source, "no text of the SPDX list matches; read it")


def add_stated_licence(findings: Findings, source: SourceText, text: object, line: int) -> None:
    """Propose the licence that a metadata file names; one that SPDX lacks is left out."""
    if not isinstance(text, str) or not 0 < len(text) < 200:
        return
    plain = re.sub(r"\s*[+|]\s*file LICEN[CS]E$", "", text.strip())
    plain = plain.removeprefix("License :: ").removeprefix("OSI Approved :: ")
    # A classifier has its short name in brackets: "... Public License v3 (GPLv3)".
    plain = re.sub(r".*\((\w+\+?)\)$", r"\1", plain)
    if match := _R_LICENCE.fullmatch(plain):
        version = match["version"] if "." in match["version"] else f"{match['version']}.0"
        plain = f"{match['name']}-{version}-or-later"
    # "BSD" and "GNU GPL" name a family: the text of the licence decides.
    licence = licence_of(Draft(), plain)
    if licence and not licence.startswith("LicenseRef-"):
        part = _OF_A_PART if "/" in source.path else ""
        findings.add("license", licence, source, line, hint=bool(part), note=part)
