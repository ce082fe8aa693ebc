"""What people type: everyday phrases, things to be kept, plain words in seven languages."""

from __future__ import annotations

import pytest

from retrieval.catalog.annotate import ConceptAnnotator
from retrieval.catalog.concepts import load_concepts
from retrieval.settings import ROOT

ANNOTATOR = ConceptAnnotator(load_concepts(ROOT / "assets" / "concepts" / "concepts.jsonl"))


@pytest.mark.parametrize(
    "text",
    [
        "looking for a yoga class near me",
        "license plate recognition",
        "solar cell efficiency",
        "on the other hand",
        "log in and register an account",
        "call stack of the program",
        "the heart of the matter",
    ],
)
def test_everyday_phrases_name_no_concept(text):
    assert ANNOTATOR.concepts(text) == ()


def test_an_everyday_phrase_hides_its_own_words_alone():
    assert ANNOTATOR.concepts("cell phone pictures of skin") == ("data:image", "anatomy:skin")
    assert "anatomy:cell" in ANNOTATOR.concepts("count every cell on the phone")
    assert "anatomy:mouse" in ANNOTATOR.concepts("mouse brain with a mouse click")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("remove everything except the liver from a CT", "anatomy:liver"),
        ("mask out all except the heart", "anatomy:heart"),
        ("entfernen alles ausser Leber", "anatomy:liver"),
    ],
)
def test_what_is_spared_from_removal_is_wanted(text, kept):
    assert kept in ANNOTATOR.concepts(text)


@pytest.mark.parametrize(
    ("text", "found", "denied"),
    [
        ("anything except ultrasound", (), ("modality:US",)),
        ("non-contrast CT of the chest", ("modality:CT", "anatomy:chest"), ()),
        ("non-rigid registration of CT", ("modality:CT",), ()),
        ("no need for a graphics card, register PET to MR", ("modality:PET",), ("method:GPU",)),
        ("not for CT but for ultrasound", ("modality:US",), ("modality:CT",)),
    ],
)
def test_a_denial_reaches_what_it_is_said_of_and_no_further(text, found, denied):
    mentions = ANNOTATOR.mentions(text)
    assert {m.concept for m in mentions if m.negated} == set(denied)
    assert set(found) <= {m.concept for m in mentions if not m.negated}


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("apoptosis assay", "data:cell death"),
        ("mitotic figures", "data:mitosis"),
        ("line up two images of one knee", "operation:registration"),
        ("my fmri has too much head movement", "operation:motion correction"),
        ("follow every cell through time", "operation:cell tracking"),
        ("atrophy of grey matter", "operation:morphometry"),
        ("kids' brain scans", "anatomy:child"),
        ("bulk RNA of treated cells", "modality:RNA-seq"),
        ("resonancia de rodilla", "modality:MRI"),
        ("quitar ruido de las imágenes", "operation:denoising"),
        ("supprimer le bruit des images TEP", "operation:denoising"),
        ("Hirnvolumen bei Kindern messen", "anatomy:child"),
        ("remover o ruído da ressonância", "operation:denoising"),
        ("measure the yellow spot of the eye in OCT", "anatomy:macula"),
        ("gelber Fleck im OCT vermessen", "anatomy:macula"),
        ("count wheat heads in field photos", "anatomy:plant"),
        ("perfusion from labelled arterial water", "modality:ASL"),
        ("query a PACS and fetch the studies", "operation:data transfer"),
        ("cores of a TMA, score each one", "modality:SM"),
        ("myelin water fraction from multi spin eco", "modality:MRI"),
        ("propagate the contours to today's CT", "operation:registration"),
        ("細胞死を調べる", "data:cell death"),
        ("儿童脑部MRI", "anatomy:child"),
    ],
)
def test_plain_words_reach_the_concept_they_mean(text, concept):
    assert concept in ANNOTATOR.concepts(text)


def test_run_is_a_verb():
    assert "modality:ChIP-seq" not in ANNOTATOR.concepts("RUN the script")
    assert "modality:ChIP-seq" in ANNOTATOR.concepts("peaks of CUT&RUN data")


@pytest.mark.parametrize(
    "text", ["several TB of scans", "10 TB of data", "hundreds of TB of slides"]
)
def test_an_amount_of_data_is_no_disease(text):
    assert "disease:tuberculosis" not in ANNOTATOR.concepts(text)


@pytest.mark.parametrize("text", ["screening of TB", "12 TB patients", "some TB in the chest"])
def test_the_disease_that_is_written_as_an_amount_is_read(text):
    assert "disease:tuberculosis" in ANNOTATOR.concepts(text)


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("neonatal brain", ("anatomy:neonate", "anatomy:brain")),
        ("Gehirn von Neugeborenen", ("anatomy:brain", "anatomy:neonate")),
        ("fetal MRI", ("anatomy:fetus", "modality:MRI")),
        ("coral polyps", ("anatomy:coral",)),
        ("colon polyps", ("data:polyp",)),
        ("weather forecast", ()),
        ("prostate on t2", ("anatomy:prostate", "modality:T2-weighted MRI")),
        ("Prostate on t2", ("anatomy:prostate", "modality:T2-weighted MRI")),
        ("t2 mapping of the knee", ("operation:relaxometry", "anatomy:knee")),
        ("T2 vertebra", ("anatomy:vertebra",)),
        ("hepatitis C virus", ("disease:hepatitis",)),
        ("inflammation of the colon", ("disease:inflammation", "anatomy:colon")),
        ("SUV of lesions", ("operation:SUV measurement", "data:lesion")),
        ("merge label maps", ("data:mask",)),
        ("T1 mapping of the heart", ("operation:myocardial mapping",)),
        (
            "Hirnblutung im Schädel-CT",
            ("disease:intracranial haemorrhage", "modality:CT", "anatomy:head"),
        ),
        ("Zika", ("disease:viral infection",)),
    ],
)
def test_a_word_names_what_it_means_beside_the_others(text, concepts):
    assert ANNOTATOR.concepts(text) == concepts


@pytest.mark.parametrize(
    "text",
    [
        "Zellkerne finden",
        "Tumoren in der Leber im CT finden",
        "encontrar tumores en la resonancia",
        "trouver les tumeurs du foie",
        "trovare i tumori del fegato",
        "encontrar núcleos nas lâminas",
    ],
)
def test_to_find_a_thing_is_a_detection_in_other_languages(text):
    assert "operation:object detection" in ANNOTATOR.concepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "ein Programm finden, das Tumoren zeigt",
        "ein Programm zum Segmentieren von Tumoren finden",
        "trovare un programma",
    ],
)
def test_to_find_a_program_is_no_detection(text):
    assert "operation:object detection" not in ANNOTATOR.concepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "I don't want to train a model, liver",
        "ich will kein Modell trainieren, Leber",
        "keine Lust ein Modell zu trainieren, Leber",
        "não quero treinar um modelo",
        "non voglio addestrare un modello",
        "no quiero entrenar un modelo",
        "je ne veux pas entraîner de modèle",
    ],
)
def test_what_nobody_wants_to_train_is_no_training(text):
    assert "operation:model training" not in ANNOTATOR.concepts(text)


def test_a_mention_tells_a_spelling_that_is_not_english():
    foreign = {m.concept: m.foreign for m in ANNOTATOR.mentions("Knochenmetastasen im MRT")}
    assert foreign["disease:bone metastasis"]
    assert not any(m.foreign for m in ANNOTATOR.mentions("glands in colon histology"))
