"""Facts of manifests beyond Python: R, Julia, JavaScript, Maven, napari and 3D Slicer."""

from __future__ import annotations

import re
import tomllib
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from retrieval.catalog.harvest.citations import json_object
from retrieval.catalog.harvest.findings import Findings
from retrieval.catalog.harvest.folder import SourceFolder, SourceText
from retrieval.catalog.harvest.licences import add_stated_licence

_POM = "{http://maven.apache.org/POM/4.0.0}"


def read_manifests(folder: SourceFolder, findings: Findings) -> None:
    """Propose languages, interfaces, platforms and licences of package manifests."""
    for source in folder.nearest(r"DESCRIPTION", limit=1):
        _r_package(source, findings)
    for source in folder.nearest(r"Project\.toml", limit=1):
        _julia_package(source, findings)
    for source in folder.nearest(r"package\.json", limit=1):
        _javascript_package(source, findings)
    for source in folder.nearest(r"pom\.xml", limit=1):
        _maven_project(source, findings)
    for source in folder.nearest(r"napari\.ya?ml", limit=1):
        findings.add("interfaces", "plugin", source, 1)
        findings.add("platforms", "napari", source, 1)
    for source in folder.nearest(r".*\.s4ext", limit=1):
        findings.add("interfaces", "plugin", source, 1)
        findings.add("platforms", "3D Slicer", source, 1)
    for source in folder.nearest(r"CMakeLists\.txt", limit=1):
        if match := re.search(r"find_package\(Slicer|slicerMacro", source.text):
            line = source.line_at(match.start())
            findings.add("interfaces", "plugin", source, line)
            findings.add("platforms", "3D Slicer", source, line)


def _r_package(source: SourceText, findings: Findings) -> None:
    """Fields of an R package's DESCRIPTION; another file of that name has no ``Package:``."""
    fields = dict(re.findall(r"^([A-Z]\w+):[ \t]*(.*)$", source.text, re.MULTILINE))
    if "Package" not in fields:
        return
    line = source.line_of(r"^Package:")
    findings.name(fields["Package"])
    findings.add("languages", "R", source, line)
    findings.add("interfaces", "R", source, line)
    add_stated_licence(findings, source, fields.get("License"), source.line_of(r"^License:"))
    released = fields.get("Date", "")
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", released):
        findings.add("last_release", released, source, source.line_of(r"^Date:"))


def _julia_package(source: SourceText, findings: Findings) -> None:
    try:
        data = tomllib.loads(source.text)
    except (ValueError, RecursionError) as exc:
        findings.problem(source, exc)
        return
    if isinstance(data.get("name"), str) and "uuid" in data:
        line = source.line_of(r"^name")
        findings.name(data["name"])
        findings.add("languages", "Julia", source, line)
        findings.add("interfaces", "Julia", source, line)


def _javascript_package(source: SourceText, findings: Findings) -> None:
    """A private package is an application or a workspace: it is nothing to import."""
    data = json_object(source, findings)
    name = data.get("name")
    if not isinstance(name, str):
        return
    line = source.line_of(r"\"name\"")
    findings.name(name)
    add_stated_licence(findings, source, data.get("license"), source.line_of(r"\"license\""))
    if data.get("bin"):
        findings.add("interfaces", "command line", source, source.line_of(r"\"bin\""))
    if not data.get("private") and (data.get("main") or data.get("exports") or data.get("module")):
        findings.add("interfaces", "JavaScript", source, line, hint=True)


def _maven_project(source: SourceText, findings: Findings) -> None:
    try:
        project: Element = fromstring(source.text)
    except (ParseError, DefusedXmlException, ValueError) as exc:
        findings.problem(source, f"not XML ({exc})")
        return
    line = source.line_of(r"<artifactId>")
    findings.name(project.findtext(f"{_POM}artifactId") or "")
    findings.add("languages", "Java", source, line, hint=True, note="or another of the JVM")
    licence = project.findtext(f"{_POM}licenses/{_POM}license/{_POM}name")
    add_stated_licence(findings, source, licence, source.line_of(r"<license>"))
    parent = project.findtext(f"{_POM}parent/{_POM}artifactId") or ""
    if parent in {"pom-scijava", "pom-fiji", "pom-imagej"}:
        line = source.line_of(re.escape(parent))
        findings.add("interfaces", "plugin", source, line, hint=True, note=f"built with {parent}")
        findings.add("platforms", "Fiji", source, line, hint=True, note=f"built with {parent}")
