"""The flags of a recipe: options of a command; functions and keywords of a notebook cell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

PLACEHOLDER = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")
"""A placeholder of a template; other braces are left alone."""

_OPTION = re.compile(r"(?:^|(?<=\s))--?\d*[A-Za-z][\w-]*")
_BUILTINS = frozenset({"print", "len", "range", "int", "float", "str", "sorted", "list"})


def flags_of(kind: str, template: str, pieces: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Every flag of a template and of the texts that may fill its placeholders.

    Raises ValueError when a notebook cell is not valid Python.
    """
    if kind != "notebook":
        texts = (template, *(text for many in pieces.values() for text in many))
        return {flag for text in texts for flag in _OPTION.findall(PLACEHOLDER.sub(" ", text))}
    names: set[str] = set()
    for number in range(max((len(texts) for texts in pieces.values()), default=1)):
        chosen = {name: texts[number % len(texts)] for name, texts in pieces.items() if texts}
        # A cell is only read as Python, so any number does for a placeholder without a text.
        # The pattern has one group, so every second part is the name of a placeholder.
        parts = enumerate(PLACEHOLDER.split(template))
        names.update(_names("".join(chosen.get(p, "0") if n % 2 else p for n, p in parts)))
    return names


def _names(cell: str) -> Iterator[str]:
    """The functions that a cell calls and their keywords: ``slic``, ``slic(spacing)``."""
    try:
        tree = ast.parse(cell)
    except SyntaxError as exc:
        raise ValueError(f"the cell is no Python, line {exc.lineno}: {exc.msg}") from exc
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in _BUILTINS:
            continue
        yield name
        yield from (f"{name}({key.arg})" for key in node.keywords)
