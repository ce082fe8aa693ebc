"""What a record says of citing, installing, selling and needing a tool, as further triples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.core import Step, Tool
from retrieval.fit import commercial_use, input_needs, is_kept_up
from retrieval.graph import FactBase, licence_class

MARKDOWN_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
FULL_STOP = re.compile(r"(?<=[\w)])\.$")

Statement = tuple[str, str, str]
"""Relation, kind of node and label."""

PLAIN_KINDS = frozenset(
    {
        "change",
        "citation",
        "command",
        "page",
        "permission",
        "memory",
        "input",
        "python version",
        "species",
        "maintenance",
    }
)
"""Kinds whose labels are values to read; a question names none of them."""

INSTEAD = {
    "cite_as": ("has_page",),
    "installs_with": ("has_page",),
    "last_released": ("last_changed", "has_page"),
    "weights_license": ("has_license",),
    "weights_commercial_use": ("has_license",),
}
"""What is stated in place of a relation of which a record states nothing."""

KEPT_UP = "kept up"
"""The one value of ``maintenance_is``; that a tool is not looked after, no record states."""

ANY_SPECIES = "any species"
SPECIES = {
    "any": ANY_SPECIES,
    "animal": "animals of a kind that is not named",
    "fly": "fruit fly",
    "worm": "nematode",
}
"""The names of codes of species that differ from the concept of the same animal."""

OWN_INSTALLERS = frozenset({"R", "Julia", "MATLAB"})
"""Ways to install that only programs in the language of the same name have."""

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
    "weights_license_is": "license_weights",
    "for_species": "species",
    "maintenance_is": "last_release",
    "needs_program": "python_version",
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
    if is_kept_up(tool)[0]:
        yield "maintenance_is", "maintenance", KEPT_UP
    yield from (("for_species", "species", SPECIES.get(code, code)) for code in tool.species)
    yield from _licences(tool)
    yield from _needs(tool)


def _licences(tool: Tool) -> Iterator[Statement]:
    for relation, licence in (
        ("commercial_use", tool.license),
        ("weights_commercial_use", tool.license_weights),
    ):
        if licence:
            yield relation, "permission", commercial_use(licence)
    if tool.license_weights:
        kind, _, label = licence_class(tool.license_weights).partition(":")
        yield "weights_license_is", kind, label


def suite_citation(base: FactBase, tool: str) -> Iterator[Step]:
    """The suite of a tool and how the tool of the suite's own name is cited."""
    for suite in base.tails(tool, "part_of", stated=True):
        name = base.label(suite)
        owners = [i.id for i in base.items.values() if i.kind == "tool" and i.label == name]
        for owner in owners:
            for citation in base.tails(owner, "cite_as", stated=True):
                yield tool, "part_of", suite
                yield owner, "cite_as", citation


def _languages_needed(tool: Tool) -> Iterator[str]:
    """Languages without which the tool cannot run, as far as its record states any.

    A stated version of Python is a need of it, and so is an installer of a language where the
    record names no other way.
    """
    if tool.python_version:
        yield "Python"
    kinds = {kind for kind, _, _ in tool.install}
    if len(kinds) == 1 and kinds <= OWN_INSTALLERS:
        yield from kinds


def _needs(tool: Tool) -> Iterator[Statement]:
    needs = tool.needs
    if tool.python_version:
        yield "needs_python", "python version", tool.python_version
    yield from (("needs_program", "language", language) for language in _languages_needed(tool))
    if needs.ram_gb:
        yield "needs_memory", "memory", f"{needs.ram_gb:g} GB"
    if needs.gpu_gb:
        yield "needs_gpu_memory", "memory", f"{needs.gpu_gb:g} GB"
    for need in input_needs(needs):
        yield "needs_input", "input", need
