"""Every acceptance check of the page has a browser test by its number, at both sizes."""

import ast
import re
from pathlib import Path

E2E = Path(__file__).parents[1] / "e2e"
CHECKS, STARRED = set(range(1, 26)), {4, 5}
NUMBERED = re.compile(r"test_check_(\d\d)(?:_and_(\d\d))?_")


def numbered():
    """Check number and argument names of every browser test that bears one."""
    for path in sorted(E2E.glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (found := NUMBERED.match(node.name)):
                names = {one.arg for one in node.args.args}
                yield from ((int(number), names) for number in found.groups() if number)


def test_every_check_has_a_browser_test_at_two_sizes():
    assert {number for number, _ in numbered()} == CHECKS
    assert {number for number, names in numbered() if names & {"visit", "size"}} == CHECKS


def test_starred_checks_run_in_dark_as_well():
    assert {number for number, names in numbered() if "dark" in names} >= STARRED
