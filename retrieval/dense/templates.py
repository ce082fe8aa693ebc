"""The text of a record that an encoder sees; named, so that an index can say which it holds."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.core import Tool

TEMPLATES: dict[str, Callable[[Tool], str]] = {
    "biocortex": lambda tool: f"{tool.name}: {tool.description} (domain: {tool.domain or ''})",
    "asked": lambda tool: ". ".join((template_text("biocortex", tool), *tool.asked_as)),
    "plaza": lambda tool: f"{tool.name} {tool.description} {' '.join(tool.keywords)}".strip(),
}
"""``biocortex``: S0-04; ``plaza``: S1-16; ``asked``: with the words in which people ask for it."""


def template_text(template: str, tool: Tool) -> str:
    """The text of one record under a named template."""
    return TEMPLATES[template](tool)
