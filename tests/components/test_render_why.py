"""Where a tool went, what a lever moves, and what is similar, as HTML."""

import pytest
from building import HOSTILE, answer, candidate, stage, tool

from components.panels.results.similar import wanted_of
from components.render.results.browse import similar_panel
from components.render.results.detail import detail
from components.render.results.why import FATES, fate_panel, what_if_panel
from retrieval import Alike, Difference, Explained, Fit, Move, Place, Similar, WhatIf, Why

PLACES = (
    Place(stage="fused", rank=61, score=0.2, length=50, cut_off=0.25),
    Place(stage="rerank", rank=None, score=None, length=15, cut_off=None),
)


@pytest.mark.parametrize("fate", FATES)
def test_every_fate_is_a_sentence_about_the_tool(fate):
    told = Explained(text="A", fate=fate, tool=tool("a"), stage="fit", rank=3, places=PLACES)
    html = fate_panel(told)
    assert "A" in html
    assert "{" not in html
    assert "rank 50, 0.250" in html
    assert "not listed" in html


def test_a_tool_cut_at_the_end_says_where_it_stood_and_how_many_are_shown():
    told = Explained(text="A", fate="cut_at_the_end", tool=tool("a"), places=PLACES)
    assert "it came to rank 61 (Combined), and 15 tools are shown" in fate_panel(told)


def test_a_mistyped_name_is_offered_and_hostile_words_are_text():
    told = Explained(text=HOSTILE, fate="not_in_catalog", did_you_mean=(HOSTILE,))
    html = fate_panel(told)
    assert "Did you mean" in html
    assert "<script" not in html
    assert "<img" not in html


def test_what_moved_is_told_with_its_direction():
    moves = (
        Move(id="a", name="A", before=1, after=3),
        Move(id="b", name="B", before=None, after=2),
        Move(id="c", name="C", before=2, after=None),
        Move(id="d", name="D", before=4, after=1),
        Move(id="e", name="E", before=5, after=5),
    )
    html = what_if_panel(WhatIf(lever="graph", mode="hybrid", moves=moves))
    assert "4 tools would have another rank" in html
    assert "▼ 2" in html
    assert "▲ 3" in html
    assert "comes in" in html
    assert "goes" in html
    assert 'data-tool="e"' not in html


def test_a_lever_that_moves_nothing_says_so():
    assert "stays as it is" in what_if_panel(WhatIf(lever="fit", mode="hybrid", moves=()))


def test_similar_tools_tell_what_they_share_and_in_what_they_differ():
    one = Alike(
        candidate=candidate(tool("b", name=HOSTILE)),
        shared=("segmentation",),
        same_suite=True,
        differences=(Difference(field="license_weights", this=("MIT",), other=()),),
    )
    html = similar_panel(Similar(tool=tool("a"), neighbours=(one,), notes=("a note",)))
    assert "Shares: segmentation" in html
    assert "same suite" in html
    assert "licence of the weights" in html
    assert "not stated" in html
    assert "<script" not in html


def test_no_similar_tool_says_what_to_do():
    assert "ask for less" in similar_panel(Similar(tool=tool("a"), neighbours=()))


def test_wishes_become_what_is_wanted():
    wanted = wanted_of(["open", "cpu", "fresh", "nonsense"])
    assert (wanted.open_license, wanted.cpu, wanted.since) == (True, True, "2024")
    assert wanted_of(None) == wanted_of([])


def test_what_speaks_against_a_tool_has_a_heading_of_its_own():
    whys = (
        Why(kind="states", stage="parts", text="States MRI"),
        Why(kind="parts", stage="parts", text="Does not state hippocampus", value=-0.1),
        Why(kind="fit", stage="fit", text="needs a conversion first", value=-0.1),
    )
    one = candidate(tool("a"), why=whys)
    html = detail(one.tool, answer(stage("fit", one)))
    order = ["Why it is here", "States MRI", "What speaks against it", "conversion", "hippocampus"]
    assert sorted(order, key=html.index) == order
    for alone, title in ((whys[:1], "What speaks against it"), (whys[1:], "Why it is here")):
        one = candidate(tool("a"), why=alone)
        assert title not in detail(one.tool, answer(stage("fit", one)))


def test_a_tool_that_sank_by_the_fit_is_told_with_both_values():
    fits = (
        Fit(fact="format", verdict="pass", scan="NIfTI", tool="formats_in: NIfTI"),
        Fit(fact="modality", verdict="fail", scan="MRI", tool="modalities: SM"),
        Fit(fact="species", verdict="fail", scan="mice", tool="description: people"),
    )
    sunk = Explained(text="a", fate="sunk_by_fit", tool=tool("a"), reasons=("modality", "species"))
    html = fate_panel(sunk, fits)
    assert "modality: your scan is MRI; the tool works on: slide microscopy" in html
    assert "species: you asked for mice" in html
    assert "<li class='why'>modality</li>" in fate_panel(sunk)
