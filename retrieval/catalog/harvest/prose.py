"""Install lines, GPU needs and systems that a README or an installation page states."""

from __future__ import annotations

import re

from retrieval.catalog.harvest.findings import Findings, plain_name
from retrieval.catalog.harvest.folder import SourceFolder, SourceText

_PAGES = r"(README|INSTALL)(\.(md|rst|txt|markdown|org))?"
_INSTALL_PAGES = r"(docs?|documentation|website|site)/(.*/)?(install|getting|quick|docker)[^/]*"
_COMMANDS = {
    "pip": r"(?:uv )?(?:python3? -m )?pip3? install|uv add|uv tool install|pipx install",
    "conda": r"(?:conda|mamba|micromamba) install|pixi add",
    "docker": r"docker (?:pull|run)|(?:singularity|apptainer) (?:pull|build|run|exec)",
    "apt": r"apt(?:-get)? install",
    "brew": r"brew (?:cask )?install",
    "R": r"install\.packages\(|BiocManager::install\(|\w+::install_github\(|pak::pak\(",
    "Julia": r"Pkg\.add\(|pkg> add|\] add",
    "npm": r"npm (?:install|i)|yarn add|npx",
    "source": r"git clone",
}
_LINES = {
    kind: re.compile(rf"(?:^|[\s`$>:(])(?P<line>(?:sudo )?(?:{start})[^`<|;]*)")
    for kind, start in _COMMANDS.items()
}
_MAX_PER_KIND = 2
_GPU = re.compile(r"\b(GPUs?|CUDA|VRAM)\b")
_GPU_LEVELS = (
    (
        "none",
        r"(no|without( a)?|does(n't| not) (need|require)( a)?) (dedicated )?GPU\b"
        r"|GPU is not (needed|required|necessary)",
    ),
    (
        "optional",
        r"optional|if (you have|available)|CPU or|or (on )?CPU|both CPU|CPU and GPU"
        r"|with or without|can (also )?(be )?(run|used?).{0,30}(GPU|CPU)|support",
    ),
    ("recommended", r"recommend|advis|highly|much faster|strongly|prefer"),
    (
        "required",
        r"\brequire[sd]?\b|\bneeds?\b|\bmust\b|\bnecessary|prerequisite|minimum"
        r"|only (work|run)s? (on|with)",
    ),
)
_MEMORY = re.compile(
    r"(\d{1,3})\s?(?:GB|GiB|G)\b[^.]{0,40}\b(?:VRAM|GPU)|\b(?:VRAM|GPU)[^.]{0,40}?\b(\d{1,3})\s?(?:GB|GiB)",
    re.IGNORECASE,
)
_SYSTEMS = {
    "Windows": r"\bWindows( \d+|\b)",
    "macOS": r"\b(mac ?OS|Mac OS X|OSX|OS X)\b",
    "Linux": r"\b(Linux|Ubuntu|Debian|CentOS)\b",
}
_SYSTEM_CONTEXT = re.compile(
    r"support|tested|runs? on|available|install|download|requirement|platform|compatib|works? on",
    re.IGNORECASE,
)


def read_prose(folder: SourceFolder, findings: Findings) -> None:
    """Propose what the README and installation pages state; every proposal quotes its line."""
    pages = [*folder.nearest(_PAGES, limit=2), *folder.below(_INSTALL_PAGES, limit=6)]
    if folder.root.name:
        findings.name(folder.root.resolve().name.rsplit("+", 1)[-1])
    for source in pages:
        _install_lines(source, findings)
        _gpu_lines(source, findings)
        _system_lines(source, findings)


def _install_lines(source: SourceText, findings: Findings) -> None:
    """Propose commands that install the tool itself, by one of the names of its packages."""
    counts = dict.fromkeys(_COMMANDS, 0)
    for number, line in source.lines():
        for kind, pattern in _LINES.items():
            match = pattern.search(line[:500])
            if not match or counts[kind] == _MAX_PER_KIND:
                continue
            command = match["line"].split("  ")[0].split(" #")[0].strip(" .,:*\\")
            if command.count("'") % 2:  # the quotation mark closes one before the command
                command = command.rstrip("'")
            if names_tool(command, findings.names):
                counts[kind] += 1
                # A run of a container is an example of use as well as an install line.
                prose = (
                    " run " in command
                    or not re.match(r"[`$>]|\w+ ", line)
                    or len(line) > len(command) + 30
                )
                findings.add("install", command, source, number, hint=prose, note=kind)


def names_tool(command: str, names: set[str]) -> bool:
    """Whether a command installs one of the names, not another tool or the current folder."""
    words = re.split(r"[\s\"'()\[\]{}=<>,/:@#&?]+", command.removesuffix(".git"))
    return any(plain_name(word.removesuffix(".git")) in names for word in words)


def _gpu_lines(source: SourceText, findings: Findings) -> None:
    """Propose a reading of the first sentences on a GPU; what they ask for, a person decides."""
    count = 0
    for number, line in source.lines():
        match = _GPU.search(line)
        if not match or count == 6 or line.startswith(("[!", "!", ".. |")):
            continue
        near = line[max(0, match.start() - 150) : match.end() + 150]
        levels = [n for n, words in _GPU_LEVELS if re.search(words, near, re.IGNORECASE)]
        if levels:
            count += 1
            findings.add("gpu", levels[0], source, number, hint=True)
        if memory := _MEMORY.search(near):
            amount = memory[1] or memory[2]
            findings.add("requirements.gpu_gb", amount, source, number, hint=True)


def _system_lines(source: SourceText, findings: Findings) -> None:
    for number, line in source.lines():
        if _SYSTEM_CONTEXT.search(line[:500]):
            for system, words in _SYSTEMS.items():
                if re.search(words, line[:500]):
                    findings.add("platforms", system, source, number, hint=True)
