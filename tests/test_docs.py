"""The README tells every mode, stage, tag, setting and command there is."""

from __future__ import annotations

import re

import pytest

from retrieval.settings import ROOT, Settings, variable
from tests.fakes import small_engine

README = "\n".join(
    path.read_text("utf-8") for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
)
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
ENGINE = small_engine()


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_in_the_readme(name):
    assert f"`{variable(name)}`" in README


@pytest.mark.parametrize("mode", ENGINE.modes)
def test_every_mode_is_in_the_readme(mode):
    assert f"`{mode}`" in README


@pytest.mark.parametrize("tag", ["[EXCLUDE:", "[NO_RERANK]", "[REFINE]"])
def test_every_control_tag_is_in_the_readme(tag):
    assert tag in README


@pytest.mark.parametrize("target", re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
def test_every_make_target_is_told_in_the_readme_or_the_makefiles_head(target):
    assert f"make {target}" in README or target == "clean"


@pytest.mark.parametrize(
    "command",
    ["search", "scan", "cohort", "ask", "web", "explain", "replay", "sync", "evaluate"],
)
def test_every_command_is_in_the_readme(command):
    assert f"retrieval {command}" in README


@pytest.mark.parametrize(
    "stage", ["dense", "bm25", "late interaction", "fused", "graph", "fit", "rerank"]
)
def test_every_stage_of_the_default_mode_is_in_the_readme(stage):
    shown = [n.name.rsplit("/", 1)[-1] for n in ENGINE.run("segment lungs").result.stages()]
    assert stage in shown
    assert stage in README.casefold()


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
