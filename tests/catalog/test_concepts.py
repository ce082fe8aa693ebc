"""The shipped concepts: closed kinds, known parents, the codes of core, spellings of their own."""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from retrieval.catalog.annotate import ConceptAnnotator
from retrieval.catalog.concepts import KINDS, LANGUAGES, load_concepts
from retrieval.catalog.meaning import Meaning
from retrieval.catalog.words import stem, words_of
from retrieval.core.codes import BodyPart, Format, Modality
from retrieval.core.errors import BadInput

ASSETS = Path(__file__).parents[2] / "assets" / "concepts"
CONCEPTS = load_concepts(ASSETS / "concepts.jsonl")
BY_ID = {c.id: c for c in CONCEPTS}
UNCODED = {"modality:OT"}

SAME_NAME = {
    ("cheminformat",): {"operation:cheminformatics", "domain:cheminformatics"},
    ("mass", "segment"): {"operation:segmentation", "data:tumour"},
    ("mass", "detect"): {"operation:object detection", "data:tumour"},
    ("mass", "classif"): {"operation:classification", "data:tumour"},
    ("cord", "segment"): {"operation:segmentation", "anatomy:spinal cord"},
    ("instrument", "segment"): {"operation:segmentation", "data:surgical instrument"},
    ("multi", "organ", "segment"): {"operation:segmentation", "data:organ"},
    ("in", "bodi", "classif"): {"operation:classification", "data:out-of-body frame"},
}
"""A task and a domain of the vocabulary that share their name, and a task with its object, whose
words name the object only beside the task."""

AMBIGUOUS = {
    "sam": {"format:SAM", "method:Segment Anything Model"},
    "tpm": {"operation:tissue classification", "operation:expression quantification"},
}
"""Abbreviations of two concepts; both are annotated."""


def test_there_are_at_least_thirteen_hundred_concepts_of_every_kind():
    assert len(CONCEPTS) >= 1_300
    assert {c.kind for c in CONCEPTS} == set(KINDS)


def test_ids_are_unique_and_begin_with_their_kind():
    assert len(BY_ID) == len(CONCEPTS)
    assert all(c.id.startswith(f"{c.kind}:") for c in CONCEPTS)


def test_every_parent_exists_and_no_concept_is_above_itself():
    assert [p for c in CONCEPTS for p in c.parents if p not in BY_ID] == []
    meaning = Meaning(ConceptAnnotator(CONCEPTS), parents={c.id: c.parents for c in CONCEPTS})
    assert [c.id for c in CONCEPTS if c.id in meaning.wider(c.parents)] == []
    assert {"modality:RNA-seq", "domain:genomics"} <= meaning.wider(["modality:scRNA-seq"])


@pytest.mark.parametrize(
    ("kind", "codes"), [("format", Format), ("modality", Modality), ("anatomy", BodyPart)]
)
def test_every_code_of_core_is_a_concept(kind, codes):
    assert {f"{kind}:{code}" for code in codes} - UNCODED <= set(BY_ID)


def test_every_task_and_domain_of_the_vocabulary_is_a_concept():
    vocabulary = json.loads((ASSETS / "vocabulary.json").read_text("utf-8"))
    asked = {f"operation:{t}" for t in vocabulary["tasks"]}
    asked |= {f"domain:{d}" for d in vocabulary["domains"]}
    assert asked <= set(BY_ID)


def test_at_least_250_concepts_have_labels_in_every_language():
    whole = [c for c in CONCEPTS if {lang for lang, names in c.labels if names} == set(LANGUAGES)]
    assert len(whole) >= 250


def test_english_spellings_belong_to_one_concept_but_for_the_listed_ones():
    owners = defaultdict(set)
    for concept in CONCEPTS:
        for spelling in concept.english:
            owners[tuple(stem(w.text, "en") for w in words_of(spelling))].add(concept.id)
    assert {k: v for k, v in owners.items() if len(v) > 1} == SAME_NAME


def test_abbreviations_belong_to_one_concept_but_for_the_listed_ones():
    owners = defaultdict(set)
    for concept in CONCEPTS:
        for short in concept.abbreviations:
            owners[short].add(concept.id)
    assert {k.lower(): v for k, v in owners.items() if len(v) > 1} == AMBIGUOUS


def test_labels_of_one_language_are_shared_by_few_concepts():
    owners = defaultdict(set)
    for concept in CONCEPTS:
        for language, names in concept.labels:
            for name in names:
                owners[language, name.casefold()].add(concept.id)
    shared = {k: v for k, v in owners.items() if len(v) > 1}
    assert len(shared) <= 40, shared


def test_edam_ids_look_like_edam_ids():
    branches = ("operation_", "topic_", "data_", "format_")
    assert all(e.startswith(branches) for c in CONCEPTS for e in c.edam)
    assert sum(bool(c.edam) for c in CONCEPTS) > 100


def test_ids_of_other_vocabularies_look_like_theirs_and_name_one_concept():
    forms = re.compile(r"MESH:D\d{6,9}|UBERON:\d{7}|RADLEX:RID\d{1,6}")
    ids = [i for c in CONCEPTS for i in c.ids]
    assert [i for i in ids if not forms.fullmatch(i)] == []
    assert sum(bool(c.ids) for c in CONCEPTS) >= 400
    assert [i for i, n in Counter(ids).items() if n > 1] == []


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("find pneumonia on a CXR", "modality:chest radiograph"),
        ("nodules in a CCTA series", "modality:coronary CT angiography"),
        ("score the IHC slides", "modality:immunohistochemistry"),
        ("Knochenalter aus der Handaufnahme", "operation:bone age assessment"),
        ("détecter le kératocône", "disease:keratoconus"),
        ("segmentar los cálculos renales", "disease:kidney stone"),
        ("medir a densidade mamária", "disease:breast density"),
        ("冠状动脉钙化 的 分割", "disease:coronary calcium"),
        ("longueur des cils primaires", "anatomy:cilium"),
        ("caries sur radiographies", "disease:caries"),
        ("tratti di sostanza bianca", "operation:tractography"),
        ("haces de la sustancia blanca", "operation:tractography"),
        ("distorsione da suscettività in EPI", "operation:distortion correction"),
        ("lobi polmonari", "anatomy:lung"),
        ("Kohlefasern im CT", "data:fibre composite"),
        ("EBSD orientation map", "modality:electron backscatter diffraction"),
    ],
)
def test_what_requesters_name_is_a_concept_in_six_languages(text, concept):
    assert concept in ConceptAnnotator(CONCEPTS).concepts(text)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("hepatic vessels and hepatic lobes", "disease:hepatitis"),
        ("connectivity of a seed region", "anatomy:seed"),
        ("text burned in the pixels", "disease:burn"),
        ("ich möchte die Leber segmentieren", "disease:intracranial haemorrhage"),
    ],
)
def test_a_word_in_another_sense_names_no_concept(text, concept):
    assert concept not in ConceptAnnotator(CONCEPTS).concepts(text)


def test_a_concept_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(BadInput, match=r"none\.jsonl could not be read"):
        load_concepts(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["{"], "line 1 is wrong"),
        (["[]"], "line 1 is wrong"),
        (['{"id": "x:a", "kind": "x", "label": "a"}'], "no known kind"),
        (['{"id": "data:a", "kind": "data", "label": "a"}'] * 2, "there twice"),
        (
            ['{"id": "data:a", "kind": "data", "label": "a", "parents": ["data:b"]}'],
            "unknown",
        ),
    ],
)
def test_a_wrong_concept_is_told_with_its_place(tmp_path, lines, told):
    path = tmp_path / "concepts.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(BadInput, match=told):
        load_concepts(path)
