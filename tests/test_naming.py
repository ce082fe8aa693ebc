"""Names say what a value is: participles that say only what happened to it stay below 1 %."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

import pytest

from retrieval.settings import ROOT

VAGUE = frozenset(
    {
        *("told", "held", "asked", "said", "meant", "made"),
        *("whole", "taken", "given", "kept", "found", "known"),
    }
)
"""Banned with and without underscores at their ends, whatever their case."""

LARGEST_SHARE = 0.01
"""Of all bound names; six well-kept libraries have 0 to .25 %."""

WORST = 10
"""Files that a failure lists."""


def bound_names(tree: ast.AST) -> Iterator[str]:
    """Every name that a module binds: variables, parameters, functions, classes, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def is_vague(name: str) -> bool:
    return name.strip("_").casefold() in VAGUE


def test_fewer_than_one_bound_name_in_a_hundred_is_vague():
    total, vague = 0, Counter()
    for file in (f for name in ("retrieval", "components") for f in (ROOT / name).rglob("*.py")):
        names = list(bound_names(ast.parse(file.read_text("utf-8"))))
        total += len(names)
        vague[str(file.relative_to(ROOT))] = sum(map(is_vague, names))
    share = vague.total() / total
    worst = "\n".join(f"{count:4} {path}" for path, count in vague.most_common(WORST))
    assert share < LARGEST_SHARE, f"{share:.2%} of {total} names are vague:\n{worst}"


@pytest.mark.parametrize(
    ("code", "vague"),
    [
        ("told = 1", ["told"]),
        ("def _asked(found, text): pass", ["_asked", "found"]),
        ("class Known: pass", ["Known"]),
        ("self.kept = query", ["kept"]),
        ("text = told.held", []),
        ("told_apart = [row for row in rows]", []),
    ],
)
def test_every_kind_of_binding_is_counted(code, vague):
    assert sorted(filter(is_vague, bound_names(ast.parse(code)))) == sorted(vague)
