"""What names something of the field is told as served or as a gap, never refused."""

from __future__ import annotations

import re

import pytest

from retrieval.catalog.concepts import load_concepts
from retrieval.explain.field_evidence import FIELD_WORDS, GeneralConcept, read_general
from retrieval.wiring.concepts import CONCEPTS, every_language
from retrieval.wiring.explaining import GENERAL, field_evidence
from tests.explain.conftest import rows_of

REFUSED, FALSE = 0.90, 0.02


@pytest.mark.parametrize(
    "text",
    [
        "Plaque der Halsschlagader im CT ausmessen",
        "liquide intrarétinien en OCT",
        "comprobar que mi carpeta cumple con BIDS",
        "segmentation of organs, no MRI please",
        "breast thermography",
    ],
)
def test_a_kind_of_image_a_format_or_a_finding_is_of_the_field(text):
    assert field_evidence().names_field(text)


@pytest.mark.parametrize(
    "text",
    [
        "return a parcel to the shop",
        "buy second-hand furniture",
        "segment customers for marketing",
        "edit a video",
        "deploy a container to Kubernetes",
        "how long do I boil an egg",
    ],
)
def test_words_that_other_fields_use_as_well_are_not_of_the_field(text):
    assert not field_evidence().names_field(text)


def test_a_general_word_of_a_concept_leaves_its_other_words_of_the_field():
    assert field_evidence().names_field("parcellation of my volunteers")
    assert not field_evidence().names_field("a parcel for my volunteers")


@pytest.mark.parametrize(
    ("own", "general"),
    [
        ("colony counting on agar plates", "counting the votes of a colony"),
        ("a DICOMweb proxy in Go", "a file transfer proxy in Go"),
        ("PACS for a small practice", "data archive for tax papers"),
        ("Dice coefficient of two raters", "benchmark of two phones"),
        ("co-registration of slices", "register a company"),
        ("autosegmentation", "segment customers"),
        ("panoramic radiograph", "panorama of a mountain"),
        ("measure the left ventricle", "a gift from the heart"),
    ],
)
def test_words_of_the_field_in_a_general_concept_are_evidence(own, general):
    assert field_evidence().names_field(own)
    assert not field_evidence().names_field(general)


def test_every_general_concept_is_one_of_the_shipped_ones_and_stands_once_in_order():
    rows = GENERAL.read_text("utf-8").splitlines()
    lines = [re.split(r"[|!]", row)[0].strip() for row in rows]
    assert lines == sorted(set(lines))
    assert {c.id for c in load_concepts(CONCEPTS)} >= set(lines)


def test_every_word_of_the_field_in_a_general_concept_names_that_concept():
    for row in GENERAL.read_text("utf-8").splitlines():
        concept, _, words = row.partition(FIELD_WORDS)
        for word in filter(None, words.split(",")):
            assert concept.strip() in every_language().concepts(word.strip()), word


def test_general_words_are_read_without_case_and_accents(tmp_path):
    path = tmp_path / "general.txt"
    rows = ("anatomy:iris | Pupils, Élève", "anatomy:hand", "data:colony ! Petri dishes")
    path.write_text("\n".join(rows), encoding="utf-8")
    assert read_general(path) == {
        "anatomy:iris": GeneralConcept(words=frozenset({"pupils", "eleve"})),
        "anatomy:hand": GeneralConcept(),
        "data:colony": GeneralConcept(own=frozenset({("petri", "dish")})),
    }


@pytest.fixture(scope="module")
def refused(judged):
    """The refused requests of the tuning data, with what each is."""
    rows = rows_of("refusals_tuning")
    assert len(rows) > 400
    return [(row, judged.run(row["query"], "hybrid").low_confidence) for row in rows]


def _share(refused, expect, half):
    marks = [said for row, said in refused if row["expect"] == expect and row["half"] == half]
    assert len(marks) >= 20
    return sum(marks) / len(marks)


@pytest.mark.model
def test_what_the_catalog_serves_is_not_refused_in_six_languages(refused):
    lost = [r["query"] for r, said in refused if said and r["expect"] == "served"]
    tuned = {r["query"] for r, _ in refused if r["half"] == "tuning"}
    assert tuned.isdisjoint(lost)
    assert _share(refused, "served", "kept") <= FALSE, lost


@pytest.mark.model
def test_what_is_of_the_field_and_unserved_is_not_refused(refused):
    assert [r["query"] for r, said in refused if said and r["expect"] == "gap"] == []


@pytest.mark.model
@pytest.mark.parametrize("half", ["tuning", "kept"])
def test_other_fields_are_still_refused(refused, half):
    assert _share(refused, "out", half) >= REFUSED
