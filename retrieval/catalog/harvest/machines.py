"""Facts on machines: containers, the systems that are tested, programming languages."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath

from retrieval.catalog.harvest.findings import Findings
from retrieval.catalog.harvest.folder import SourceFolder, SourceText
from retrieval.catalog.harvest.releases import git_facts

_LANGUAGES = {
    **dict.fromkeys((".py", ".pyx"), "Python"),
    **dict.fromkeys((".cpp", ".cxx", ".cc", ".hxx", ".hpp", ".txx"), "C++"),
    **dict.fromkeys((".js", ".jsx", ".mjs"), "JavaScript"),
    **dict.fromkeys((".ts", ".tsx"), "TypeScript"),
    **{".m": "MATLAB", ".c": "C", ".java": "Java", ".r": "R", ".jl": "Julia", ".rs": "Rust"},
    **{".go": "Go", ".cs": "C#", ".groovy": "Groovy", ".nf": "Nextflow", ".cu": "CUDA"},
    **{".kt": "Kotlin", ".scala": "Scala", ".wl": "Mathematica"},
    **dict.fromkeys((".f90", ".f", ".for"), "Fortran"),
    **{".sh": "Bash", ".bash": "Bash"},
    **{".lua": "Lua", ".rb": "Ruby", ".pas": "Pascal", ".swift": "Swift", ".tcl": "Tcl"},
}
_MIN_SHARE = 0.15  # below it lie bindings, build scripts and vendored files
_RUNNERS = {"ubuntu": "Linux", "macos": "macOS", "windows": "Windows"}
_CUDA = re.compile(
    r"nvidia/cuda|cuda\d|-cuda|pytorch/pytorch|tensorflow-gpu|nvcr\.io", re.IGNORECASE
)


def read_machines(folder: SourceFolder, findings: Findings) -> None:
    """Propose languages by size, containers, and systems that the workflows run on."""
    _languages(folder, findings)
    for source in folder.nearest(r"(Dockerfile([-_.].*)?|.*\.dockerfile|Singularity(\..*)?)"):
        _container(source, findings)
    for source in folder.below(r"\.github/workflows/[^/]+\.ya?ml"):
        for runner, system in _RUNNERS.items():
            if match := re.search(rf"^[^#\n]*\b{runner}-(latest|\d)", source.text, re.M):
                line = source.line_at(match.end())
                note = "a runner of the workflows; see what it does there"
                findings.add("platforms", system, source, line, hint=True, note=note)
    notebooks = [f.path for f in folder.files if f.path.endswith(".ipynb") and f.depth <= 1]
    if notebooks:
        source = SourceText(path=notebooks[0], text="")
        findings.add("interfaces", "notebook", source, 1, hint=True, note="a notebook is there")


def _languages(folder: SourceFolder, findings: Findings) -> None:
    """Propose the languages with a share of the source bytes, from the largest on.

    The file named is the largest of the language; the share of bytes is in the note.
    """
    sizes: Counter[str] = Counter()
    largest: dict[str, SourceText] = {}
    for path, size in _sizes(folder):
        if language := _LANGUAGES.get(PurePosixPath(path).suffix.lower()):
            sizes[language] += size
            largest.setdefault(language, SourceText(path=path, text=""))
    total = sum(sizes.values())
    for language, size in sizes.most_common(4):
        if size and size >= _MIN_SHARE * total:
            note = f"{100 * size // total} % of the source bytes"
            findings.add("languages", language, largest[language], 1, note=note)


def _sizes(folder: SourceFolder) -> list[tuple[str, int]]:
    """Paths and sizes, the largest first; ``facts.json`` may give them by file ending."""
    if endings := git_facts(folder).sizes():
        return [(f"facts.json#{ending}", size) for ending, size in endings]
    return sorted(((f.path, f.size) for f in folder.files), key=lambda row: (-row[1], row[0]))


def _container(source: SourceText, findings: Findings) -> None:
    """Propose a container; its base image with CUDA is a hint on the GPU, never a decision."""
    match = re.search(r"^\s*(FROM|From:|Bootstrap:)\s*\S+", source.text, re.MULTILINE)
    if not match:
        return
    findings.add("interfaces", "container", source, source.line_at(match.start()))
    for number, line in source.lines():
        if re.match(r"FROM|From:", line) and _CUDA.search(line):
            note = "a base image with CUDA; the documentation decides"
            findings.add("gpu", "undecided", source, number, hint=True, note=note)
