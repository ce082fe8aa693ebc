"""Which of Gradio's scripts and style sheets a page loads at its start.

Gradio's front end is some 900 small ES modules, of which a page of these components fetches about
45, in four waves that wait for each other. The names are read from the modules themselves: what
one imports, and the table that names a module for each type of component.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import gradio

FRONTEND = Path(gradio.__file__).parent / "templates" / "frontend"
ASSETS = FRONTEND / "assets"

ENTRY = re.compile(r'<script type="module" crossorigin src="\./assets/([\w.-]+\.js)"></script>')
SHEET = re.compile(r'<link rel="stylesheet" crossorigin href="\./assets/[\w.-]+\.css">')
_IMPORT = re.compile(r"""\b(?:from|import)\s*(["'`])\./([\w.-]+\.js)\1""")
_DEFERRED = re.compile(r"import\(`\./([\w.-]+\.js)`\).{0,40}?__vite__mapDeps\(\[([\d,]*)\]\)")
_NEEDED = re.compile(r"m\.f=(\[[^\]]*\])")
_COMPONENT = r"[{{,]{}:\{{.*?component:\(\)=>(.*?\]\))"
PAGE = "Blocks-"
"""The module that shows a page of components, by the beginning of its name."""


@dataclass(frozen=True, slots=True)
class Modules:
    """File names below ``ASSETS``: the first script, all scripts with it, and style sheets.

    Style sheets stand in the order in which Gradio adds them, which decides between equal rules:
    those of the application, then those of its components. The first of all is not among them:
    Gradio looks for its link in the page and would add it again, after the others.
    """

    entry: str
    scripts: tuple[str, ...]
    application: tuple[str, ...]
    components: tuple[str, ...]

    @property
    def sheets(self) -> tuple[str, ...]:
        """All style sheets."""
        return (*self.application, *self.components)


def read(name: str) -> str:
    """The text of a module or style sheet."""
    return (ASSETS / name).read_text(encoding="utf-8")


def modules(types: Iterable[str]) -> Modules | None:
    """What a page with components of these types loads; none where Gradio is laid out otherwise."""
    html = (FRONTEND / "index.html").read_text(encoding="utf-8")
    entry = ENTRY.search(html)
    if entry is None or not SHEET.search(html):
        return None
    first = list(_calls(read(entry[1])))
    rest = [call for name, _ in first for call in _calls(read(name)) if call[0].startswith(PAGE)]
    own = [call for name, _ in first for call in _of_components(read(name), types)]
    scripts = _closure([entry[1], *(name for name, _ in [*first, *rest, *own])])
    application = dict.fromkeys(n for _, names in [*first, *rest] for n in names)
    components = dict.fromkeys(n for _, names in own for n in names if n not in application)
    return Modules(entry[1], tuple(scripts), tuple(application), tuple(components))


def _closure(names: Iterable[str]) -> Iterator[str]:
    """Modules and all that they import, directly or not, each once."""
    rest = list(names)
    reached_names = set(rest)
    while rest:
        one = rest.pop()
        yield one
        new = {other for _, other in _IMPORT.findall(read(one))} - reached_names
        reached_names |= new
        rest += sorted(new)


def _of_components(text: str, types: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """What the table of components in a module names for these types."""
    for kind in sorted(types):
        row = re.search(_COMPONENT.format(kind), text)
        if row:
            yield from _calls(text, row[1])


def _calls(text: str, part: str | None = None) -> Iterator[tuple[str, list[str]]]:
    """Imports in a module, or in a part of it, that name the style sheets to load first."""
    needed = _NEEDED.search(text)
    names = json.loads(needed[1]) if needed else []
    for name, places in _DEFERRED.findall(part if part is not None else text):
        files = [names[int(place)].removeprefix("./") for place in places.split(",") if place]
        yield name, [file for file in files if file.endswith(".css")]
