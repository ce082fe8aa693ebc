"""Concepts that stood for two things, each with what a text means by either."""

from __future__ import annotations

import pytest

from retrieval.catalog.annotate import ConceptAnnotator
from retrieval.catalog.concepts import load_concepts
from retrieval.settings import ROOT

ANNOTATOR = ConceptAnnotator(load_concepts(ROOT / "assets" / "concepts" / "concepts.jsonl"))


def concepts(text):
    return set(ANNOTATOR.concepts(text))


@pytest.mark.parametrize(
    ("text", "concept", "other"),
    [
        ("infant brain", "anatomy:infant", "anatomy:neonate"),
        ("rat brain", "anatomy:rat", "anatomy:mouse"),
        ("PD-L1 scoring", "operation:histological scoring", "operation:HER2 scoring"),
        ("HL7 messages", "operation:HL7 messaging", "operation:electronic data capture"),
        (
            "flat-field correction",
            "operation:illumination correction",
            "operation:bias field correction",
        ),
        ("portal venous CT", "data:contrast phase", "anatomy:vessel"),
        ("DVH", "operation:dose-volume histogram", "operation:dose calculation"),
        ("剂量体积直方图", "operation:dose-volume histogram", "operation:dose calculation"),
        ("Dosis-Volumen-Histogramm", "operation:dose-volume histogram", "data:volume"),
        ("fotos de la retina", "modality:OP", "modality:XC"),
        ("3D printing of bones", "operation:volumetric printing model", "operation:3D rendering"),
        ("winston-lutz", "operation:radiotherapy quality assurance", "operation:quality control"),
    ],
)
def test_two_things_that_were_one_concept_are_told_apart(text, concept, other):
    assert concept in concepts(text)
    assert other not in concepts(text)
