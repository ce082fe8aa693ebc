"""What a text sets aside is not searched, as long as something of its kind remains."""

import json

import pytest

from retrieval.query import without_asides, without_denied
from retrieval.settings import ROOT
from retrieval.wiring.concepts import lexicon


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("stitching, not registration of modalities", "stitching of modalities"),
        ("segment the liver, not the spleen or kidney, on CT", "segment the liver on CT"),
        ("viewer for MRI but not CT", "viewer for MRI"),
        ("segmentation instead of registration", "segmentation"),
        ("segment neurons rather than nuclei in 3D", "segment neurons in 3D"),
        ("segmentare i polmoni, non il cuore", "segmentare i polmoni"),
        ("Segmentierung der Leber, nicht der Niere", "Segmentierung der Leber"),
        ("pancreas in CT, neither liver nor spleen", "pancreas in CT"),
        ("outline the lungs, I don't mean the airways or the vessels", "outline the lungs"),
        ("segment the kidney on CT; ignore the liver", "segment the kidney on CT"),
        ("register brains, I am not interested in segmentation", "register brains"),
        ("only the liver, never mind the spleen", "only the liver"),
        ("not the skull but the brain inside it", "the brain inside it"),
        ("kein Tumor, sondern Schlaganfall im MRT", "Schlaganfall im MRT"),
        ("segmentar el hígado, nada de bazo", "segmentar el hígado"),
        ("segment the liver (no tumours)", "segment the liver"),
        (
            "how thick is the cortex; I do not need volumes of subcortical nuclei",
            "how thick is the cortex",
        ),
        ("count cells; tracking isn't needed", "count cells"),
        ("segment the liver in CT, vessels are not required", "segment the liver in CT"),
        ("Leber im CT segmentieren, Gefäße sind nicht nötig", "Leber im CT segmentieren"),
        (
            "mesurer l'épaisseur corticale, la segmentation n'est pas nécessaire",
            "mesurer l'épaisseur corticale",
        ),
        ("segment lungs, not the airways of the mouse", "segment lungs"),
    ],
)
def test_a_contrast_is_searched_without_what_it_sets_aside(typed, searched):
    assert without_denied(typed, lexicon().annotator) == searched


@pytest.mark.parametrize(
    "text",
    [
        "brain without the skull",
        "not segmentation",
        "count cells, no GPU",
        "remove everything except the liver",
        "not only segmentation of the liver",
        "segment lungs on CT",
        "U-Net with skip connections for lungs and liver",
        "we do not need segmentation",
        "detect cells that do not express GFP",
        "is registration not needed for subtraction of CT angiography?",
        "regions with no perfusion in the myocardium",
        "",
    ],
)
def test_a_text_without_such_a_contrast_stays(text):
    assert without_denied(text, lexicon().annotator) == text


def test_the_search_tells_it_and_ranks_as_without_the_words(engine):
    typed = engine.run("stitching, not registration, of microscopy tiles")
    note = next(s.note for s in typed.result.children if s.name == "enrich")
    assert note.startswith("searched as: stitching of microscopy tiles; ")
    meant = engine.run("stitching of microscopy tiles")
    assert [c.tool.id for c in typed.candidates[:3]] == [c.tool.id for c in meant.candidates[:3]]


@pytest.mark.parametrize(("half", "least"), [("tuning", 29), ("kept", 21)])
def test_ways_of_saying_no_by_somebody_who_had_not_read_the_rules(half, least):
    lines = (ROOT / "tests" / "data" / f"denied_{half}.jsonl").read_text("utf-8").splitlines()
    left_out = 0
    for row in map(json.loads, lines):
        rest = without_denied(without_asides(row["query"]), lexicon().annotator)
        assert all(words in rest for words in row["kept"]), rest
        if row["denied"]:
            left_out += not any(words in rest for words in row["denied"])
        else:
            assert rest == row["query"]
    # Of 51 and 49: 7 and 14 before the words of the first half were added.
    assert left_out >= least
