"""Facts of MATLAB's own packaging files: toolbox projects, packages, ``Contents.m``."""

from __future__ import annotations

import re
from datetime import datetime
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from retrieval.catalog.harvest.citations import json_object
from retrieval.catalog.harvest.findings import Findings
from retrieval.catalog.harvest.folder import SourceFolder, SourceText

SYSTEMS = {"windows": "Windows", "macos": "macOS", "linux": "Linux"}
"""Systems as toolbox projects name them, in elements that MATLAB spells ``compatiblity``."""

_DATED = re.compile(r"^%\s*Version\b.*?\b(\d{1,2}-[A-Za-z]{3}-\d{4})\s*$", re.MULTILINE)
"""The second line of ``Contents.m`` as MATLAB's ``ver`` reads it: version, release, date."""


def read_matlab(folder: SourceFolder, findings: Findings) -> None:
    """Propose language, interface, systems and last release that MATLAB's files state."""
    for source in folder.nearest(r".*\.prj", limit=2):
        _toolbox_project(source, findings)
    for source in folder.nearest(r"mpackage\.json", limit=1):
        if isinstance(name := json_object(source, findings).get("name"), str):
            _add_matlab(findings, source, source.line_of(r"\"name\""), name)
    for source in folder.nearest(r"Contents\.m", limit=1):
        match = _DATED.search(source.text)
        # A folder of another library, deeper down, has a Contents.m of its own.
        if match and "/" not in source.path:
            _add_release(findings, source, match)


def _toolbox_project(source: SourceText, findings: Findings) -> None:
    """A project that packages a toolbox; other tools write files that end in .prj too."""
    if "<deployment-project" not in source.text:
        return
    try:
        project: Element = fromstring(source.text)
    except (ParseError, DefusedXmlException, ValueError) as exc:
        findings.problem(source, f"not XML ({exc})")
        return
    toolbox = project.find("configuration[@target='target.toolbox']")
    if toolbox is None:
        return
    name = toolbox.findtext("param.appname") or ""
    _add_matlab(findings, source, source.line_of(r"<param\.appname>"), name)
    for element, system in SYSTEMS.items():
        if toolbox.findtext(f"param.compatiblity.{element}") == "true":
            line = source.line_of(rf"<param\.compatiblity\.{element}>")
            findings.add("platforms", system, source, line)


def _add_matlab(findings: Findings, source: SourceText, line: int, name: str) -> None:
    findings.name(name)
    findings.add("languages", "MATLAB", source, line)
    findings.add("interfaces", "MATLAB", source, line)
    findings.add("platforms", "MATLAB", source, line)


def _add_release(findings: Findings, source: SourceText, match: re.Match[str]) -> None:
    try:
        released = datetime.strptime(match[1], "%d-%b-%Y").date()
    except ValueError:  # a month that is none
        return
    line = source.line_at(match.start())
    findings.add("last_release", released.isoformat(), source, line)
