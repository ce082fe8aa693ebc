"""Whose body a tool is for is held against whose the text names, with and without a scan."""

from __future__ import annotations

import pytest

from retrieval.core import Modality, StageUnavailable
from retrieval.fit import FitStage, summary_of
from retrieval.fit.species import species_fit, species_in
from tests.fakes import ids, make_candidate, make_state, make_tool

MRI = (Modality.MRI,)
MICE = {"description": "Atlas pipeline for mouse brain MRI."}
PATIENTS = {"description": "Analyses human brain MRI."}
SILENT = {"description": "Segments the brain."}


def fit(facts, text):
    return species_fit(make_tool("t", modalities=MRI, **facts), text)


@pytest.mark.parametrize(
    ("facts", "text", "verdict"),
    [
        (MICE, "segment mouse brain MRI", "pass"),
        (MICE, "Gehirn von Mäusen", "pass"),
        (MICE, "rodent brain", "pass"),
        (MICE, "brains of patients", "fail"),
        (MICE, "dog brain", "fail"),
        (MICE, "segment brain MRI", "unknown"),
        (PATIENTS, "segment mouse brain MRI", "fail"),
        (PATIENTS, "brains of patients", "pass"),
        (SILENT, "segment mouse brain MRI", "unknown"),
        ({"description": "Reads scans.", "domain": "preclinical"}, "mouse brain", "pass"),
        ({"description": "Brains of non-human primates."}, "macaque brain", "pass"),
        ({**SILENT, "species": ("human",)}, "segment mouse brain MRI", "fail"),
        ({**SILENT, "species": ("human",)}, "brains of patients", "pass"),
        ({**SILENT, "species": ("any",)}, "segment mouse brain MRI", "pass"),
        ({**SILENT, "species": ("any",)}, "brains of patients", "pass"),
        ({**MICE, "species": ("any",)}, "dog brain", "pass"),
        ({**SILENT, "species": ("mouse", "rat")}, "rodent brain", "pass"),
        ({**SILENT, "species": ("mouse", "rat")}, "segment brain MRI", "unknown"),
        ({**SILENT, "species": ("mouse", "rat")}, "brains of patients", "fail"),
        ({**SILENT, "species": ("primate",)}, "macaque brain", "pass"),
        ({**SILENT, "species": ("animal",)}, "dog brain", "pass"),
        ({**MICE, "species": ("animal",)}, "dog brain", "fail"),
        ({**SILENT, "species": ("human", "animal")}, "mouse brain", "pass"),
    ],
)
def test_a_species_is_judged_by_what_record_and_text_name(facts, text, verdict):
    assert fit(facts, text).verdict == verdict


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (PATIENTS, "segment brain MRI"),
        (SILENT, "brains of patients"),
        ({**SILENT, "species": ("any",)}, "segment brain MRI"),
        ({**SILENT, "species": ("human",)}, "segment the liver by mouse click"),
    ],
)
def test_where_people_are_meant_nothing_is_said(facts, text):
    assert fit(facts, text) is None


def test_without_a_scan_a_tool_for_people_stands_last_where_mice_are_named():
    tools = [
        make_candidate("people", 0.9, modalities=MRI, **PATIENTS),
        make_candidate("silent", 0.85, modalities=MRI, **SILENT),
        make_candidate("mice", 0.84, modalities=MRI, **MICE),
    ]
    result = FitStage().run(make_state("segment mouse brain MRI", *tools, path="fit"))
    assert ids(result) == ["mice", "silent", "people"]
    words = [c.fit and summary_of(c.fit).text for c in result.state.candidates]
    assert words == [None, "Species not stated", "Made for people"]


@pytest.mark.parametrize("text", ["ASL of patients", "brain MRI of a child", "mouse brain MRI"])
def test_without_a_file_nothing_fits_by_a_word_for_a_species(text):
    tools = [
        make_candidate("people", 0.9, modalities=MRI, **PATIENTS),
        make_candidate("mice", 0.8, modalities=MRI, **MICE),
    ]
    listed = FitStage().run(make_state(text, *tools, path="fit")).state.candidates
    assert all(fit.verdict != "pass" for c in listed for fit in c.fit or ())


def test_a_quiet_stage_with_nothing_to_compare_is_no_stage_of_the_list():
    state = make_state("segment lungs", make_candidate("a", 1.0), path="fit")
    assert not FitStage(quiet=True).run(state).listed
    with pytest.raises(StageUnavailable, match="no scan"):
        FitStage().run(state)


@pytest.mark.parametrize(
    ("text", "species"),
    [
        ("segment my cat's teeth", {"cats"}),
        ("Cat brain MRI", {"cats"}),
        ("CAT scan of the head", set()),
        ("a cat scan", set()),
        ("CAT12 for brains", set()),
        ("CoW segmentation", set()),
        ("udder of a cow", {"cattle"}),
        ("guinea pig cochlea", {"guinea pigs"}),
        ("pig heart", {"pigs"}),
        ("ferret brain", {"ferrets"}),
        ("a chicken embryo", {"birds"}),
        ("C. elegans embryos", {"nematodes"}),
        ("goat spine", {"goats"}),
        ("remove the skull by mouse click", set()),
        ("correct a mask with the mouse, no coding", set()),
        ("draw with a mouse or a pen", set()),
        ("with a mouse atlas", {"mice"}),
        ("register mouse and rat brains", {"mice", "rats"}),
    ],
)
def test_each_animal_is_its_own_species(text, species):
    assert set(species_in(text)) == species
