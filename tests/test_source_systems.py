"""The table of the source systems names tests and commands that exist."""

from __future__ import annotations

import re

from retrieval.cli.program import build_parser
from retrieval.settings import ROOT, Settings

PAGE = (ROOT / "docs" / "source-systems.md").read_text("utf-8")


def test_every_row_names_a_test_file_that_is_there() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and "`tests/" in line]
    named = [re.findall(r"`(tests/[\w/]+\.py)`", row) for row in rows]
    assert rows
    assert all(names and all((ROOT / name).is_file() for name in names) for names in named)


def test_every_command_and_setting_of_the_table_exists() -> None:
    usage = build_parser().format_help()
    commands = re.findall(r"`python -m retrieval (\w+)", PAGE)
    settings = re.findall(r"SCANSCOUT_(\w+)", PAGE)
    assert commands
    assert all(re.search(rf"\b{command}\b", usage) for command in commands)
    assert {name.lower() for name in settings} <= set(Settings.model_fields)
