"""The table of the source systems: a row for every line that states something, with its test."""

from __future__ import annotations

import re

import pytest

from retrieval.cli.program import build_parser
from retrieval.settings import ROOT, Settings

PAGE = (ROOT / "docs" / "source-systems.md").read_text("utf-8")
SEEDS = ROOT.parent / "shared" / "seeds"
PARTS = re.findall(r"^`(\d{3}-[\w-]+)`$(.*?)(?=^### |\Z)", PAGE, re.DOTALL | re.MULTILINE)
TEST = r"`tests/[\w/]+\.py`"
ROW = re.compile(rf"^\| ([\d ,-]+) \| (.+) \| (.+) \| ({TEST}(?:, {TEST})*) \|$")
BLOCKS = {
    "000-biocortex-hybrid-retrieval": "tests/compat/test_block_runs.py",
    "001-imaging-agent-retrieval": "tests/compat/retriever/test_imaging_blocks.py",
    "002-biochatter-rag": "tests/compat/biochatter/test_seed_examples.py",
    "003-byokg-multi-strategy": "tests/compat/test_block_runs.py",
    "004-agentic-retrieval": "tests/compat/test_agentic_examples.py",
}
"""Where the code blocks of each text are run."""
PLAIN = 25
"""Letters from which a line is a statement; a shorter one is a heading, a list mark or a figure."""
AROUND = 3
"""Lines of a heading, its underline and empty lines that may stand between two rows."""

beside = pytest.mark.skipif(
    not SEEDS.is_dir(), reason="the source texts are not beside this repository: ../shared/seeds"
)


def rows(part: str) -> list[tuple[str, str, str, str]]:
    lines = [line for line in part.splitlines() if line.startswith("| ")][1:]
    matches = [ROW.fullmatch(line) for line in lines]
    assert all(matches), [line for line, match in zip(lines, matches, strict=True) if not match]
    return [match.groups() for match in matches if match]  # type: ignore[misc]


def lines_of(row: str) -> set[int]:
    spans = (part.strip().split("-") for part in row.split(","))
    return {n for span in spans for n in range(int(span[0]), int(span[-1]) + 1)}


def test_there_is_a_table_for_each_text_and_the_count_is_told() -> None:
    assert [name for name, _ in PARTS] == sorted(BLOCKS)
    total = sum(len(rows(part)) for _, part in PARTS)
    assert f"{total} rows in all" in PAGE
    assert f"{total} statements" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize(("name", "part"), PARTS, ids=[name for name, _ in PARTS])
def test_every_row_names_a_test_file_that_holds_a_test(name: str, part: str) -> None:
    for line, _, _, tests in rows(part):
        for test in tests.replace("`", "").split(", "):
            path = ROOT / test
            assert path.is_file(), (name, line, test)
            assert re.search(r"^(async )?def test_", path.read_text("utf-8"), re.MULTILINE), test


@beside
@pytest.mark.parametrize(("name", "part"), PARTS, ids=[name for name, _ in PARTS])
def test_every_statement_of_a_text_stands_in_a_row(name: str, part: str) -> None:
    text = (SEEDS / f"{name}.txt").read_text("utf-8").splitlines()
    covered = set[int]().union(*(lines_of(row[0]) for row in rows(part)))
    assert max(covered) <= len(text)
    near = {n + d for n in covered for d in range(-AROUND, AROUND + 1)}
    # The first lines say what the page is; the last ones lead to other pages.
    first, last = min(covered), max(covered)
    bare = {
        n: line
        for n, line in enumerate(text, 1)
        if first <= n <= last and n not in near and len(re.findall(r"\w", line)) >= PLAIN
    }
    assert not bare


@pytest.mark.parametrize("name", BLOCKS)
def test_the_code_blocks_of_each_text_are_run_by_a_test(name: str) -> None:
    file = ROOT / BLOCKS[name]
    assert "exec(" in file.read_text("utf-8")


@beside
@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("001-imaging-agent-retrieval", "retriever/seed"),
        ("002-biochatter-rag", "biochatter/seed"),
        ("004-agentic-retrieval", "agentic"),
    ],
)
def test_a_block_that_is_run_has_the_words_of_its_text(name: str, folder: str) -> None:
    text = "".join((SEEDS / f"{name}.txt").read_text("utf-8").split())
    files = sorted((ROOT / "tests" / "compat" / folder).glob("*.txt"))
    assert files
    for file in files:
        lines = ["".join(line.split()) for line in file.read_text("utf-8").splitlines()]
        strange = [line for line in lines if line and line not in text]
        # A comment, an import without the brackets that no Python takes, and no more.
        assert len(strange) <= 1, (file.name, strange)


def test_every_command_and_setting_of_the_table_exists() -> None:
    usage = build_parser().format_help()
    commands = re.findall(r"`python -m retrieval (\w+)", PAGE)
    settings = re.findall(r"SCANSCOUT_(\w+)", PAGE)
    assert commands
    assert all(re.search(rf"\b{command}\b", usage) for command in commands)
    assert {name.lower() for name in settings} <= set(Settings.model_fields)
