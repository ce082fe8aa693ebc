"""README and docs/ together describe every command, setting, mode, stage, tag and make target.

The lists come from the argument parser, the settings, the engine and the Makefile, so that a new
one fails here until a page has it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest

from retrieval.cli import build_parser
from retrieval.query.parse import _TAG
from retrieval.settings import ROOT, Settings, variable
from tests.fakes import small_engine

README = (ROOT / "README.md").read_text("utf-8")
PAGES = "\n".join([README, *(page.read_text("utf-8") for page in sorted(ROOT.glob("docs/*.md")))])
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
ENGINE = small_engine()
MAKE_TARGETS = re.findall(r"^([a-z][a-z-]*):(?!=)", MAKEFILE, re.MULTILINE)
TAGS = sorted({name.upper() for name in _TAG.groupindex} - {"NAMES"})  # the names of EXCLUDE


def commands(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Every command without further ones below it: ``search``, ``catalog report``."""
    nested = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not nested:
        yield " ".join(path)
    for action in nested:
        for name, command in action.choices.items():
            yield from commands(command, (*path, name))


def stages() -> list[str]:
    """Names of the stages of every mode, the ones of rounds and repeated lists once."""
    results = (ENGINE.run("segment lungs", mode).result for mode in ENGINE.modes)
    names = {node.name.rsplit("/", 1)[-1] for result in results for node in result.stages()}
    return sorted({re.sub(r" \d+$", "", name) for name in names})


PLACES = sorted((ROOT / "docs").glob("*.md"))
COMMANDS = list(commands(build_parser()))


def test_the_lists_are_read_and_not_empty():
    assert {"search", "what-if", "catalog report"} <= set(COMMANDS)
    assert {"run", "benchmark-load"} <= set(MAKE_TARGETS)
    assert TAGS == ["EXCLUDE", "NO_RERANK", "REFINE", "REQUIRE", "WISH"]
    assert {"fused", "rerank"} <= set(stages())


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_described(name):
    assert f"`{variable(name)}`" in PAGES


@pytest.mark.parametrize("mode", ENGINE.modes)
def test_every_mode_is_described(mode):
    assert f"`{mode}`" in PAGES


@pytest.mark.parametrize("stage", stages())
def test_every_stage_is_described(stage):
    assert re.search(rf"\b{re.escape(stage)}", PAGES, re.IGNORECASE)


@pytest.mark.parametrize("tag", TAGS)
def test_every_control_tag_is_described(tag):
    assert re.search(rf"\[{tag}[:\]]", PAGES)


@pytest.mark.parametrize("target", MAKE_TARGETS)
def test_every_make_target_is_described(target):
    assert re.search(rf"make {target}(?![\w-])", PAGES)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_described(command):
    assert re.search(rf"(retrieval |`){re.escape(command)}(?![\w-])", PAGES)


def test_the_first_screen_says_the_two_commands():
    head = "\n".join(README.splitlines()[:40])
    assert "make run" in head
    assert "make test" in head


def test_the_readme_says_why_the_cpu_wheels_of_torch_can_be_named():
    assert "TORCH_INDEX" in README
    assert "CUDA" in README


@pytest.mark.requirement("W14")
def test_the_pins_are_few_without_urls_and_free_of_removed_modules():
    pins = (ROOT / "constraints.txt").read_text("utf-8").split()
    assert len(pins) < 209
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][\w.]*", pin) for pin in pins)
    for path in (*(ROOT / "retrieval").rglob("*.py"), *(ROOT / "components").rglob("*.py")):
        assert "imghdr" not in path.read_text("utf-8"), path


@pytest.mark.parametrize("page", PLACES, ids=lambda page: page.name)
def test_every_python_file_that_a_page_names_is_there(page):
    named = re.findall(r"`([\w./-]+\.py)`", page.read_text("utf-8"))
    folders = ("", "retrieval", "components", "components/render", "components/panels")
    missing = {n for n in named if not any((ROOT / folder / n).is_file() for folder in folders)}
    assert {name for name in missing if "/" in name} == set()
