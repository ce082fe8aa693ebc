"""Files of assets/ and of pyvis that the page needs."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "assets"
MOUNT = "scanscout"
VIS = "vis-network.min.js"


@cache
def script(name: str) -> str:
    """The text of a script that runs inside a component."""
    return (ROOT / "js" / name).read_text(encoding="utf-8")


@cache
def sheet(name: str) -> str:
    """The text of a style sheet that stands in the page itself."""
    return (ROOT / "css" / name).read_text(encoding="utf-8")


def vis_network() -> Path:
    """The vis-network script that ships with pyvis; located without importing pyvis."""
    spec = find_spec("pyvis")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("pyvis is not installed; pip install pyvis")
    # The version is part of the path: another pyvis fails here and not in a browser.
    return Path(spec.origin).parent / "templates" / "lib" / "vis-9.1.2" / VIS


def served() -> dict[str, tuple[Path, str]]:
    """What is served under MOUNT: name to file and media type; nothing else is."""
    kinds = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
    own = {
        p.name: (p, kinds[kind]) for kind in kinds for p in sorted((ROOT / kind).glob(f"*.{kind}"))
    }
    return {**own, VIS: (vis_network(), kinds["js"])}
