"""One script and one style sheet that hold all a page loads at its start.

About 80 requests of 150 ms each, six at a time, are what a phone waits for otherwise. The modules
stay modules: `assets/js/unpack.js` gives each an address of its own and an import map that leads
to it, whether a module of the pack or one that is loaded later asks for it.
"""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from hashlib import sha256

from components.server.assets import script, sheet
from components.server.frontend.modules import Modules, read

SCRIPTS = ("rooms.js", "page.js", "view.js", "paths.js", "toolbar.js", "drawers.js", "cues.js")
SHEETS = ("ask", "base", "board", "cards", "graph", "query", "recipe", "view", "web")
_SPECIFIER = re.compile(r"""(\b(?:from|import)\s*\(?\s*)(["'`])\./([\w.-]+\.js)\2""")
_IMPORTED = re.compile(r"""["'`]scanscout:([\w.-]+\.js)["'`]""")
_SOURCE_MAP = re.compile(r"\n//# sourceMappingURL=\S+\s*$")


@dataclass(frozen=True, slots=True)
class Packed:
    """A file in memory: its name, which changes with its text, and its bytes by encoding."""

    name: str
    kind: str
    bodies: dict[str, bytes]


def packed(ending: str, kind: str, text: str) -> Packed:
    """A text as a file that may be kept for ever by whoever fetched it."""
    raw = text.encode()
    bodies = {"gzip": gzip.compress(raw, 9), "": raw}
    return Packed(f"pack-{sha256(raw).hexdigest()[:16]}.{ending}", kind, bodies)


def script_pack(modules: Modules) -> Packed:
    """The page's own scripts, and Gradio's with what starts them."""
    # Imports have names of the import map in place of relative addresses.
    sources = {
        name: _SPECIFIER.sub(r"\1\2scanscout:\3\2", _SOURCE_MAP.sub("", read(name)))
        for name in modules.scripts
    }
    imported = {name for text in sources.values() for name in _IMPORTED.findall(text)}
    others = sorted(imported - sources.keys())
    parts = [script(name) for name in (*SCRIPTS, "unpack.js")]
    parts.append(_call("scanscoutPresent", modules.scripts, modules.sheets))
    parts.append(_call("scanscoutUnpack", modules.entry, sources, others))
    return packed("js", "text/javascript; charset=utf-8", "\n".join(parts))


def sheet_pack(modules: Modules) -> Packed:
    """Gradio's style sheets, and the page's own where Gradio would put them."""
    own = [sheet(f"{name}.css") for name in SHEETS]
    texts = [*map(read, modules.application), *own, *map(read, modules.components)]
    return packed("css", "text/css; charset=utf-8", "\n".join(texts))


def _call(name: str, *values: object) -> str:
    return f"{name}({', '.join(map(json.dumps, values))});"
