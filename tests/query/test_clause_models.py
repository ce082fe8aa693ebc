"""The linear models of clauses: what they give, and how much of unseen wordings they read."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks.wishes import requests_of
from retrieval.query import WishReader
from retrieval.query.clauses.model import NO_WISH, clause_model
from retrieval.query.clauses.windows import OF_WISHES, WORD, stretches
from tests.fakes import make_query, make_tool

DATA = Path(__file__).parents[1] / "data"
TOOLS = tuple(
    make_tool(name.lower().replace(" ", "_"), name=name)
    for name in ("FreeSurfer", "Cellpose", "FSL", "SPM12", "TotalSegmentator")
)
READER = WishReader(TOOLS, {})


@pytest.mark.parametrize(
    "text",
    [
        "Software für Knorpelsegmentierung im MRT, sie darf keine GPU brauchen",
        "Lunge im CT segmentieren, wir dürfen keine GPU brauchen",
    ],
)
def test_a_denial_in_another_language_stays_one(text):
    [gpu] = [m.wish for m in READER.mentions(text) if m.wish.kind == "gpu"]
    assert gpu.strength == "unwanted"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("convert the masks from ITK-SNAP into RTSTRUCT", []),
        ("convert my labels drawn in ITK-SNAP into RTSTRUCT", []),
        ("convert DICOM to NIfTI in 3D Slicer", ["3D Slicer"]),
        ("outline the tumour in ITK-SNAP", ["ITK-SNAP"]),
    ],
)
def test_the_program_that_made_what_is_converted_is_no_wish(text, named):
    wishes = [mention.wish for mention in READER.mentions(text)]
    assert [w.value for w in wishes if w.kind in ("host", "tool")] == named


PLAIN_KINDS = frozenset({"interface", "gpu", "offline", "purpose", "licence", "since"})
NAMED_KINDS = frozenset({"language", "host", "system"})


def read(path, kinds):
    """Wishes labelled, read and made up, and requests without a wish in which one is read."""
    counts = Counter()
    for request in requests_of(path):
        labelled = {_side(w) for w in request.wishes if w.kind in kinds}
        got = {_side(m.wish) for m in READER.mentions(request.query) if m.wish.kind in kinds}
        counts["labelled"] += len(labelled)
        counts["read"] += len(labelled & got)
        counts["without"] += not labelled
        counts["made up"] += bool(got) and not labelled
    return counts


def _side(wish):
    return wish.kind, wish.value, wish.strength == "unwanted"


@pytest.mark.parametrize("name", ["wishes", "names"])
def test_a_model_gives_a_probability_of_every_class_for_every_stretch(name):
    model = clause_model(name)
    text = "segment nuclei, but our machines have no graphics card; free, please"
    spans = list(stretches(text))
    chances = model.chances(text, spans)
    assert chances.shape == (len(spans), len(model.classes))
    assert np.allclose(chances.sum(axis=1), 1)
    assert NO_WISH in model.classes
    assert np.array_equal(chances, model.chances(text, spans))


def test_a_stretch_is_read_alike_wherever_it_stands():
    model, clause = clause_model("wishes"), "our machines have no graphics card"
    alone = model.chances(clause, [(0, len(clause))])
    text = f"segment the liver, {clause}, thank you"
    start = text.index(clause)
    assert np.allclose(alone, model.chances(text, [(start, start + len(clause))]))


@pytest.mark.parametrize("text", ["", " ,;. ", "()", "!?", "CT"])
def test_texts_without_clauses_wish_nothing(text):
    assert READER.mentions(text) == ()


def test_stretches_are_short_and_within_their_sentence():
    text = "One, two and three. " + "word " * 40 + ". Four with five"
    for start, end in stretches(text):
        assert len(WORD.findall(text[start:end])) <= OF_WISHES.words
        assert "." not in text[start:end].strip()


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (
            "segment nuclei; no pixel may leave the hospital network",
            ("offline", "offline", "wanted"),
        ),
        (
            "count cells. None of us ever learned to program",
            ("interface", "graphical", "wanted"),
        ),
        ("cortical thickness; Docker is forbidden here", ("interface", "container", "unwanted")),
    ],
)
def test_a_clause_in_words_of_its_own_states_a_wish(text, wish):
    assert wish in [(w.kind, w.value, w.strength) for w in (m.wish for m in READER.mentions(text))]


@pytest.mark.parametrize(
    "text",
    [
        "the window width for bone in head CT",
        "patients free of disease at the second visit",
        "segment the container of the sample in micro-CT",
        "free-breathing cardiac cine, motion correction",
    ],
)
def test_words_of_wishes_in_clauses_about_images_wish_nothing(text):
    assert READER.mentions(text) == ()


def test_a_name_in_a_clause_about_data_is_no_wish():
    masks = READER.mentions("the masks came out of 3D Slicer, smooth them")
    assert [m.wish.kind for m in masks] == []


def test_most_wishes_of_a_writer_that_nothing_was_learned_from_are_read():
    counts = read(DATA / "wishes_twenty_kept.jsonl", PLAIN_KINDS)
    assert counts["labelled"] == 138
    assert counts["read"] >= 90
    assert counts["made up"] <= 2
    assert counts["without"] == 60


def test_wishes_said_in_idioms_are_mostly_read_as_meant():
    counts = read(DATA / "wishes_idioms_kept.jsonl", PLAIN_KINDS | NAMED_KINDS)
    assert counts["labelled"] == 379
    assert counts["read"] >= 300
    assert counts["made up"] <= 18


@pytest.mark.parametrize(
    "text",
    [
        "whole slide viewer; nothing web-based",
        "PET viewer, as long as I never have to open Firefox",
    ],
)
def test_no_denial_is_turned_into_a_wish(text):
    [wish] = [m.wish for m in READER.mentions(text) if m.wish.kind == "interface"]
    assert (wish.value, wish.strength) == ("browser", "unwanted")


def test_what_is_wished_of_names_is_read_from_their_clauses():
    counts = read(DATA / "wishes_named_kept.jsonl", NAMED_KINDS)
    assert counts["read"] / counts["labelled"] >= 0.6


def test_learning_rows_have_one_name_in_braces_and_a_known_strength():
    rows = (DATA.parents[1] / "benchmarks" / "named_clauses.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, rows):
        assert row["clause"].count("{") == row["clause"].count("}") == 1, row
        assert row["strength"] in {"wanted", "required", "unwanted", "none"}
        assert row["kind"] in {"language", "host", "system", "tool"}


@pytest.mark.parametrize("text", ["the 256-bit is broken for us"])
@pytest.mark.parametrize("users", [0, 3])
def test_a_tool_whose_name_other_records_use_as_a_word_is_not_left_out_by_a_guess(text, users):
    named = (make_tool("at", name="at"), make_tool("bit", name="bit"))
    others = (
        make_tool(f"other{n}", description="Looks at every bit of a file.") for n in range(users)
    )
    wishes = WishReader((*named, *others), {}).read(make_query(text)).wishes
    # Where no record uses the word, the clause alone is judged, and it is misread here.
    assert [wish.value for wish in wishes if wish.kind == "tool"] == ([] if users else ["bit"])
