"""What a record states in one field for a wish that another field names."""

from __future__ import annotations

import pytest

from retrieval.core import State, Wish
from retrieval.fit import WishStage, wish_fit
from tests.fakes import make_candidate, make_query, make_tool


def wish(kind, value, strength="wanted"):
    return Wish(kind=kind, value=value, text=value, strength=strength)


@pytest.mark.parametrize(
    ("facts", "verdict", "stated"),
    [
        ({"install": (("docker", "docker pull x", "https://x"),)}, "pass", "install: docker"),
        ({"install": (("pip", "pip install x", "https://x"),)}, "fail", "interfaces: Python"),
        ({}, "fail", "interfaces: Python"),
    ],
)
def test_who_installs_a_tool_as_a_container_has_one(facts, verdict, stated):
    tool = make_tool("one", interfaces=("Python",), **facts)
    fit = wish_fit(tool, wish("interface", "container"))
    assert (fit.verdict, fit.tool) == (verdict, stated)


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"compatible_with": ("fiji",), "platforms": ("Linux",)}, "pass"),
        ({"compatible_with": ("fiji",)}, "pass"),
        ({"compatible_with": ("fiji",), "platforms": ("MATLAB",)}, "unknown"),
        ({"compatible_with": ("ohif",)}, "unknown"),
    ],
)
def test_a_plugin_of_a_program_with_windows_is_graphical(facts, verdict):
    tool = make_tool("one", interfaces=("plugin",), **facts)
    assert wish_fit(tool, wish("interface", "graphical")).verdict == verdict


@pytest.mark.parametrize(
    ("platform", "verdict"), [("3D Slicer", "pass"), ("napari", "pass"), ("Neurodesk", "fail")]
)
def test_what_runs_in_a_program_with_windows_is_used_in_them(platform, verdict):
    tool = make_tool("one", interfaces=("command line",), platforms=("Linux", platform))
    fit = wish_fit(tool, wish("interface", "graphical"))
    said = "interfaces: command line" if verdict == "fail" else f"platforms: {platform}"
    assert (fit.verdict, fit.tool) == (verdict, said)


@pytest.mark.parametrize(
    ("languages", "interfaces", "verdict"),
    [
        (("Java",), ("plugin", "Python"), "pass"),
        (("C++",), ("command line", "Python"), "pass"),
        (("C++",), ("Python",), "fail"),
        (("C++",), ("Python", "notebook"), "fail"),
        (("C++", "Python"), ("command line",), "fail"),
        ((), ("Python", "desktop"), "fail"),
    ],
)
def test_what_can_be_called_from_a_language_too_serves_who_rules_it_out(
    languages, interfaces, verdict
):
    tool = make_tool("one", languages=languages, interfaces=interfaces)
    assert wish_fit(tool, wish("language", "Python", "unwanted")).verdict == verdict


def test_the_row_of_a_language_names_the_field_that_states_it():
    tool = make_tool("one", languages=("C++",), interfaces=("Python", "desktop"))
    assert wish_fit(tool, wish("language", "Python")).tool == "languages: C++; interfaces: Python"


@pytest.mark.parametrize(
    ("likely", "stated", "asked"),
    [
        ({"platforms": ("3D Slicer",)}, {"platforms": ("Windows",)}, wish("system", "Windows")),
        ({"compatible_with": ("napari",)}, {"platforms": ("napari",)}, wish("host", "napari")),
    ],
)
def test_what_a_record_leaves_open_costs_less_where_it_is_likely(likely, stated, asked):
    candidates = (
        make_candidate("silent", 0.9),
        make_candidate("likely", 0.8, **likely),
        make_candidate("stated", 0.7, **stated),
        make_candidate("last", 0.0),
    )
    state = State(query=make_query(wishes=(asked,)), candidates=candidates)
    judged = WishStage({asked.kind: 1.0}).run(state).state.candidates
    assert [c.tool.id for c in judged] == ["stated", "likely", "silent", "last"]
    assert [f.verdict for c in judged for f in c.fit] == ["pass", *["unknown"] * 3]
