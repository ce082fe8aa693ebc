"""Verbs that ask for one operation are searched as the verb that records use."""

from itertools import combinations

import pytest

from retrieval.core import Query, State
from retrieval.query import Enrich, UsualVerbs
from retrieval.wiring.concepts import english, lexicon, usual_verbs

REWORD = UsualVerbs(usual_verbs(), english(), lexicon().parents).reworded


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("visualise DICOM CT", "view DICOM CT"),
        ("How can I delineate the liver on MRI?", "How can I segment the liver on MRI?"),
        ("delineation of the liver", "segmentation of the liver"),
        ("clean up fluorescence images", "denoise fluorescence images"),
        ("coregistering brain MRI", "registering brain MRI"),
        ("quantify lung volume", "measure lung volume"),
        ("how big is the liver on CT", "measure the liver on CT"),
        ("How many cells are in my pictures?", "count cells are in my pictures?"),
        ("stick my microscope pictures together", "stitch my microscope pictures"),
        ("cut the liver out of a CT", "segment the liver of a CT"),
        ("take the skull off a brain scan", "skull strip a brain scan"),
        ("squash microscopy images", "compress microscopy images"),
        ("unblur fluorescence images", "deconvolve fluorescence images"),
        ("unblur brain MRI", "deblur brain MRI"),
        ("inspect PET images", "view PET images"),
        ("following single molecules", "tracking single molecules"),
        ("colony enumeration on agar plates", "colony counting on agar plates"),
        ("noise reduction for cryo-EM", "denoising for cryo-EM"),
        ("upsampling of brain MRI", "super-resolution of brain MRI"),
        ("realign fMRI time series", "motion correct fMRI time series"),
        ("realign CT and MRI", "realign CT and MRI"),
        ("partition the hippocampus in MRI", "segment the hippocampus in MRI"),
        ("calculate cortical thickness", "measure cortical thickness"),
        ("align mouse brains to an atlas", "register mouse brains to an atlas"),
        ("label images for deep learning", "annotate images for deep learning"),
        ("contour organs at risk", "segment organs at risk"),
    ],
)
def test_a_verb_of_the_same_kind_is_searched_as_the_usual_one(typed, searched):
    assert REWORD(typed) == searched


@pytest.mark.parametrize(
    "text",
    [
        "align reads to a genome",
        "align protein structures",
        "clean DICOM headers",
        "show differential expression",
        "display the overlap of a segmentation with CT",
        "contour lines of terrain",
        "partition graphs",
        "a display for the clinic",
        "segment lungs",
        "show me tools to segment lungs",
        "a number of MRI scans",
        "look for papers about MRI",
        "stick together as a team",
        "cut costs and let tasks time out",
        "find a tool for brain MRI",
        "spot detection for FISH",
        "spots per cell in FISH images",
        "extract features of the brain from MRI",
        "extract frames from angiography DICOM",
        "fibre alignment in ultrasound",
        "cell tracking in phase contrast, not TrackMate",
        "label brain regions on MRI",
        "standardise MRI protocols",
        "",
    ],
)
def test_a_verb_that_may_mean_something_else_stays(text):
    assert REWORD(text) == text


def test_the_stage_tells_what_was_searched():
    state = State(query=Query(raw="outline cells", text="outline cells"))
    result = Enrich(reworded=REWORD).run(state)
    assert result.state.query.text == "segment cells"
    assert result.note.startswith("searched as: segment cells; ")


@pytest.mark.parametrize("mode", ["hybrid", "biocortex", "keyword", "vector", "agentic"])
def test_lists_of_synonyms_agree_and_the_text_stays_as_typed(engine, mode):
    verbs = ("outline", "delineate", "contour", "partition", "segment")
    answers = {v: engine.run(f"{v} the liver on CT", mode) for v in verbs}
    assert {v: a.query.text for v, a in answers.items()} == {
        v: f"{v} the liver on CT" for v in verbs
    }
    first = {v: {c.tool.id for c in a.candidates[:5]} for v, a in answers.items()}
    assert all(len(first[a] & first[b]) >= 4 for a, b in combinations(verbs, 2))
