"""Facts that Python packaging files state: pyproject.toml, setup.cfg and setup.py.

``setup.py`` is parsed, never run: only values written in it as literals are read.
"""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from retrieval.catalog.harvest.findings import Findings
from retrieval.catalog.harvest.folder import SourceFolder, SourceText
from retrieval.catalog.harvest.licences import add_stated_licence

_SYSTEMS = {
    "Operating System :: POSIX :: Linux": ("Linux",),
    "Operating System :: Unix": ("Linux",),
    "Operating System :: POSIX": ("Linux",),
    "Operating System :: MacOS": ("macOS",),
    "Operating System :: MacOS :: MacOS X": ("macOS",),
    "Operating System :: Microsoft :: Windows": ("Windows",),
    "Operating System :: OS Independent": ("Linux", "macOS", "Windows"),
}
_LEARNING = re.compile(
    r"(torch|pytorch|tensorflow|tensorflow-gpu|jax|keras|monai|cupy.*|nvidia-.*)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonPackage:
    """What one packaging file states of its package."""

    name: str = ""
    requires: str = ""
    licence: str = ""
    classifiers: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    entry_groups: tuple[str, ...] = ()


def read_python(folder: SourceFolder, findings: Findings) -> None:
    """Propose the facts of the topmost packaging files of each kind."""
    readers: dict[str, Callable[[str], PythonPackage]] = {
        r"pyproject\.toml": _pyproject,
        r"setup\.cfg": _setup_cfg,
        r"setup\.py": _setup_py,
    }
    for name, reader in readers.items():
        for source in folder.nearest(name, limit=2):
            try:
                package = reader(source.text)
            except (ValueError, SyntaxError, configparser.Error) as exc:
                findings.problem(source, exc)
                continue
            except (RecursionError, MemoryError):
                # Python's parser says MemoryError for an expression that is nested too deeply.
                findings.problem(source, "nested too deeply")
                continue
            _propose(source, package, findings)


def _propose(source: SourceText, package: PythonPackage, findings: Findings) -> None:
    if package.name:
        findings.name(package.name)
        line = source.line_of(rf"^\s*name\s*=\s*['\"]?{re.escape(package.name)}")
        findings.add("languages", "Python", source, line)
        note = "an installable package; see whether its documentation shows imports"
        findings.add("interfaces", "Python", source, line, hint=True, note=note)
    line = source.line_of(r"requires-python|python_requires|^python\s*=")
    findings.add("python_version", package.requires, source, line)
    add_stated_licence(findings, source, package.licence, source.line_of(r"^\s*license"))
    for classifier in package.classifiers:
        line = source.line_of(re.escape(classifier))
        if classifier.startswith("License :: "):
            add_stated_licence(findings, source, classifier, line)
        systems = _SYSTEMS.get(classifier, ())
        note = "OS Independent is a default of templates" if len(systems) > 1 else ""
        for system in systems:
            findings.add("platforms", system, source, line, hint=bool(note), note=note)
    _entry_points(source, package, findings)
    for need in package.dependencies:
        name = re.split(r"[^\w-]", need.strip(), maxsplit=1)[0].lower().replace("_", "-")
        if _LEARNING.fullmatch(name):
            note = f"depends on {name}; read the documentation for whether a GPU is needed"
            line = source.line_of(rf"\b{re.escape(name)}\b")
            findings.add("gpu", "undecided", source, line, hint=True, note=note)


def _entry_points(source: SourceText, package: PythonPackage, findings: Findings) -> None:
    interfaces = {
        "console_scripts": ("command line", r"console_scripts|^\[.*\bscripts\]|^scripts\s*="),
        "gui_scripts": ("desktop", r"gui[-_]scripts"),
        "napari.manifest": ("plugin", r"napari\.manifest"),
        "napari.plugin": ("plugin", r"napari\.plugin"),
    }
    for group in package.entry_groups:
        if group in interfaces:
            value, words = interfaces[group]
            findings.add("interfaces", value, source, source.line_of(words))
        if group.startswith("napari."):
            findings.add("platforms", "napari", source, source.line_of(re.escape(group)))


def _pyproject(text: str) -> PythonPackage:
    data = tomllib.loads(text)
    project, poetry = _table(data, "project"), _table(_table(data, "tool"), "poetry")
    stated = project or poetry
    licence = stated.get("license")
    if isinstance(licence, Mapping):
        licence = licence.get("text")
    needs = project.get("dependencies") or list(_table(poetry, "dependencies"))
    groups = [*_table(stated, "entry-points"), *_table(poetry, "plugins")]
    groups += ["console_scripts"] if stated.get("scripts") else []
    groups += ["gui_scripts"] if stated.get("gui-scripts") else []
    python = project.get("requires-python") or _table(poetry, "dependencies").get("python")
    return PythonPackage(
        name=_text(stated.get("name")),
        requires=_text(python),
        licence=_text(licence),
        classifiers=_texts(stated.get("classifiers")),
        dependencies=_texts(needs),
        entry_groups=tuple(groups),
    )


def _setup_cfg(text: str) -> PythonPackage:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    get = parser.get
    entries = dict(parser["options.entry_points"]) if "options.entry_points" in parser else {}
    return PythonPackage(
        name=get("metadata", "name", fallback=""),
        requires=get("options", "python_requires", fallback=""),
        licence=get("metadata", "license", fallback=""),
        classifiers=_lines(get("metadata", "classifiers", fallback="")),
        dependencies=_lines(get("options", "install_requires", fallback="")),
        entry_groups=tuple(entries),
    )


def _setup_py(text: str) -> PythonPackage:
    """The literals among the arguments of ``setup``; computed ones are left out."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    stated: dict[str, object] = {}
    for call in calls:
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        for word in call.keywords if name == "setup" else ():
            try:
                stated[word.arg or ""] = ast.literal_eval(word.value)
            except (ValueError, TypeError, MemoryError):
                continue
    entries = stated.get("entry_points")
    return PythonPackage(
        name=_text(stated.get("name")),
        requires=_text(stated.get("python_requires")),
        licence=_text(stated.get("license")),
        classifiers=_texts(stated.get("classifiers")),
        dependencies=_texts(stated.get("install_requires")),
        entry_groups=tuple(map(str, entries)) if isinstance(entries, dict) else (),
    )


def _table(data: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    values: Iterable[object] = value if isinstance(value, list | tuple) else ()
    return tuple(v for v in values if isinstance(v, str))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())
