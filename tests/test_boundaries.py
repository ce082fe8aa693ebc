"""Few places catch every failure, and few touch the environment: each is listed with its reason."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retrieval.offline import TELEMETRY_OFF, child_environment
from retrieval.settings import ROOT

BROAD = {
    "components/boundary.py": "a defect in a handler must not leave the page without an answer",
    "retrieval/core/deadline.py": "a failure goes to the thread that waits for the result",
    "retrieval/core/stage.py": "a defect in a stage must not end the search",
    "retrieval/scans/reader/boundary.py": "hostile bytes make a library raise anything",
}

ENVIRONMENT = {
    "components/serve.py": "sets what Gradio reads when it starts",
    "components/server/files/run_folder.py": "sets where Gradio stores uploads",
    "retrieval/dense/server/milvus_link.py": "takes out what pymilvus copied from a .env file",
    "retrieval/offline.py": "sets what libraries read at import; passes on what Python needs",
    "retrieval/settings/model.py": "reads the settings",
    "retrieval/wiring/weights.py": "gives the child that downloads a model the whole of it",
}


def is_broad(node: ast.AST) -> bool:
    """Whether this is a handler of every exception."""
    if not isinstance(node, ast.ExceptHandler):
        return False
    names = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(
        name is None or (isinstance(name, ast.Name) and name.id in {"Exception", "BaseException"})
        for name in names
    )


def is_environment(node: ast.AST) -> bool:
    """Whether this names the environment: ``os.environ``, ``getenv``, or an import of one."""
    names = {"environ", "environb", "getenv", "putenv"}
    if isinstance(node, ast.Attribute):
        return node.attr in names
    return isinstance(node, ast.alias) and node.name in names


def files_with(matches: Callable[[ast.AST], bool]) -> Iterator[str]:
    for file in (f for name in ("retrieval", "components") for f in (ROOT / name).rglob("*.py")):
        if any(map(matches, ast.walk(ast.parse(file.read_text("utf-8"))))):
            yield Path(file.relative_to(ROOT)).as_posix()


def test_every_failure_is_caught_at_the_listed_boundaries_alone():
    assert sorted(files_with(is_broad)) == sorted(BROAD)


def test_the_environment_is_touched_in_the_listed_files_alone():
    assert sorted(files_with(is_environment)) == sorted(ENVIRONMENT)


@pytest.mark.parametrize(
    ("code", "broad", "environment"),
    [
        ("try: pass\nexcept Exception: pass", True, False),
        ("try: pass\nexcept: pass", True, False),
        ("try: pass\nexcept (OSError, BaseException): pass", True, False),
        ("try: pass\nexcept (OSError, ValueError): pass", False, False),
        ("os.environ['A']", False, True),
        ("from os import getenv", False, True),
        ("'os.environ'", False, False),
    ],
)
def test_both_are_recognised_in_code(code, broad, environment):
    nodes = list(ast.walk(ast.parse(code)))
    assert any(map(is_broad, nodes)) is broad
    assert any(map(is_environment, nodes)) is environment


def test_a_child_gets_what_python_needs_what_is_named_and_no_key(monkeypatch):
    monkeypatch.setenv("SCANSCOUT_LLM_API_KEY", "canary")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/lib")
    monkeypatch.setenv("EXTRA", "1")
    assert child_environment("EXTRA", "ABSENT").items() >= {
        ("LD_LIBRARY_PATH", "/lib"),
        ("EXTRA", "1"),
        *TELEMETRY_OFF.items(),
    }
    assert "canary" not in child_environment("EXTRA").values()
    assert "ABSENT" not in child_environment("ABSENT")
