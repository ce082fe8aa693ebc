"""What a record says of citing, installing, selling and needing a tool, as further triples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.core import Needs, Tool
from retrieval.fit import commercial_use, input_needs

MARKDOWN_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
FULL_STOP = re.compile(r"(?<=[\w)])\.$")

Statement = tuple[str, str, str]
"""Relation, kind of node and label."""

PLAIN_KINDS = frozenset(
    {"change", "citation", "command", "page", "permission", "memory", "input", "python version"}
)
"""Kinds whose labels are values to read; a question names none of them."""

INSTEAD = {
    "cite_as": ("has_page",),
    "installs_with": ("has_page",),
    "last_released": ("last_changed", "has_page"),
}
"""What is stated in place of a relation of which a record states nothing."""

NEEDED = (
    "requires_tool",
    "needs_python",
    "gpu_is",
    "needs_memory",
    "needs_gpu_memory",
    "needs_input",
    "runs_on",
)
"""The relations that "what does X need" asks for."""

FIELDS = {
    "cite_as": "citation",
    "installs_with": "install",
    "last_changed": "last_commit",
    "commercial_use": "license",
    "weights_commercial_use": "license_weights",
    "license_is": "license",
    "needs_python": "python_version",
    "needs_memory": "requirements",
    "needs_gpu_memory": "requirements",
    "needs_input": "requirements",
    "converts_from": "converts",
    "converts_to": "converts",
    "converts": "converts",
    "requires_tool": "requires_tool",
    "compatible_with": "compatible_with",
    "co_used_with": "co_used_with",
}
"""The field of a record behind a relation, beside those that the graph names."""


def record_statements(tool: Tool) -> Iterator[Statement]:
    """The statements in a fixed order; nothing for what the record leaves empty."""
    if tool.citation:
        yield "cite_as", "citation", tool.citation
    for _, line, _ in tool.install:
        # Without Markdown; a sentence loses its full stop, a path none.
        plain = MARKDOWN_LINK.sub(r"\1 (\2)", line).replace("**", "")
        yield "installs_with", "command", FULL_STOP.sub("", plain)
    if tool.last_commit:
        yield "last_changed", "change", tool.last_commit.isoformat()
    if page := tool.docs_url or tool.url or tool.repo:
        yield "has_page", "page", page
    for relation, licence in (
        ("commercial_use", tool.license),
        ("weights_commercial_use", tool.license_weights),
    ):
        if licence:
            yield relation, "permission", commercial_use(licence)
    if tool.python_version:
        yield "needs_python", "python version", tool.python_version
    yield from _needs(tool.needs)


def _needs(needs: Needs) -> Iterator[Statement]:
    if needs.ram_gb:
        yield "needs_memory", "memory", f"{needs.ram_gb:g} GB"
    if needs.gpu_gb:
        yield "needs_gpu_memory", "memory", f"{needs.gpu_gb:g} GB"
    for need in input_needs(needs):
        yield "needs_input", "input", need
