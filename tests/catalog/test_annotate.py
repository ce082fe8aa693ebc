"""Concepts found in text: languages, longest match, abbreviations, denials, speed."""

import json
import time
from pathlib import Path

import pytest

from retrieval.catalog.annotate import ConceptAnnotator
from retrieval.catalog.concepts import Concept, load_concepts

ROOT = Path(__file__).parents[2]
CONCEPTS = load_concepts(ROOT / "assets" / "concepts" / "concepts.jsonl")
ANNOTATOR = ConceptAnnotator(CONCEPTS)
QUERIES = json.loads((ROOT / "tests" / "data" / "translated_queries.json").read_text("utf-8"))


def found(text):
    return set(ANNOTATOR.concepts(text))


def denied(text):
    return {m.concept for m in ANNOTATOR.mentions(text) if m.negated}


@pytest.mark.requirement("W16")
def test_chinese_and_spanish_reach_the_concepts_of_english():
    lungs_ct = {"operation:segmentation", "anatomy:lung", "modality:CT"}
    assert found("分割肺部CT") == found("segment lungs CT") == lungs_ct
    lung = {"operation:segmentation", "anatomy:lung"}
    assert found("segmentación del pulmón") == found("lung segmentation") == lung


@pytest.mark.requirement("W16")
def test_there_are_ten_translated_queries_of_each_language():
    languages = [row["language"] for row in QUERIES]
    assert {lang: languages.count(lang) for lang in set(languages)} == dict.fromkeys(
        ("zh", "es", "fr", "de", "pt", "it", "ja"), 10
    )


@pytest.mark.parametrize("row", QUERIES, ids=lambda row: f"{row['language']}-{row['english']}")
@pytest.mark.requirement("W16")
def test_a_translated_query_reaches_the_concept_set_of_its_english(row):
    assert found(row["query"]) == found(row["english"])
    assert denied(row["query"]) == denied(row["english"])
    assert found(row["query"])


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("no GPU", "method:GPU"),
        ("runs with no need for a GPU", "method:GPU"),
        ("does not require a GPU", "method:GPU"),
        ("a GPU is not required", "method:GPU"),
        ("GPU-free deconvolution", "method:GPU"),
        ("not for CT", "modality:CT"),
        ("not suitable for CT images", "modality:CT"),
        ("doesn't support MRI", "modality:MRI"),
        ("without contrast agent", "data:contrast agent"),
        ("all modalities except MRI", "modality:MRI"),
        ("anything other than PET", "modality:PET"),
        ("segmentación sin GPU", "method:GPU"),
        ("segmentation sans GPU", "method:GPU"),
        ("Segmentierung ohne GPU", "method:GPU"),
        ("segmentação sem GPU", "method:GPU"),
        ("segmentazione senza GPU", "method:GPU"),
        ("segmentare i polmoni, non il cuore", "anatomy:heart"),
        ("不需要GPU的分割", "method:GPU"),
        ("GPUなしのセグメンテーション", "method:GPU"),
        ("CT以外の画像", "modality:CT"),
    ],
)
def test_a_denied_concept_is_marked_and_left_out(text, concept):
    assert concept in denied(text)
    assert concept not in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "non-rigid registration",
        "not only CT",
        "not limited to CT and MRI",
        "CT without any loss, then MRI",
        "no programming skills",
        "no-code segmentation",
        "segmentação do tumor no fígado",
        "非刚性配准",
    ],
)
def test_what_only_looks_like_a_denial_is_none(text):
    assert denied(text) == set()
    assert found(text)


def test_a_denial_reaches_what_or_joins_and_stops_at_a_comma():
    assert denied("MRI but not CT or PET, segmentation") == {"modality:CT", "modality:PET"}
    assert denied("without GPU and segmentation of the brain") == {"method:GPU"}


def test_a_concept_named_once_and_denied_once_is_found():
    assert "modality:CT" in found("CT of the lung, not CT of the head")


def test_the_longest_spelling_wins():
    assert found("magnetic resonance spectroscopy") == {"modality:MRS"}
    assert found("brain tumour") == {"disease:brain tumour"}
    assert found("fluorescence microscopy") == {"modality:fluorescence microscopy"}


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("imágenes de microscopía electrónica", "modality:electron microscopy"),
        ("imagens de microscopia eletrônica", "modality:electron microscopy"),
        ("images de microscopie électronique", "modality:electron microscopy"),
        ("immagini di microscopia elettronica", "modality:electron microscopy"),
        ("imágenes de microscopía de hoja de luz", "modality:light-sheet microscopy"),
        ("imagens de microscopia confocal", "modality:confocal microscopy"),
        ("imágenes de microscopía de fluorescencia", "modality:fluorescence microscopy"),
    ],
)
def test_a_narrower_kind_of_image_that_goes_on_behind_a_wider_one_wins(text, concept):
    kinds = {c for c in found(text) if c.startswith("modality:")}
    assert kinds == {concept}


def test_an_organ_inside_the_name_of_a_task_stays():
    assert {"anatomy:lung", "operation:segmentation"} <= found("lung lobe segmentation")


@pytest.mark.parametrize(
    "text",
    [
        "fundus photos",
        "colour fundus photographs",
        "photos of the fundus",
        "fotos de fondo de ojo",
        "photos du fond d'œil",
        "Fotos vom Augenhintergrund",
    ],
)
def test_photos_of_the_fundus_are_one_kind_of_image(text):
    assert found(text) == {"modality:OP"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("angiografía por resonancia", "MRA"),
        ("Magnetresonanzangiographie", "MRA"),
        ("angiographie par IRM", "MRA"),
        ("angiografia con risonanza magnetica", "MRA"),
        ("imágenes de tensor de difusión", "dMRI"),
        ("imagerie du tenseur de diffusion", "dMRI"),
        ("Diffusionstensorbildgebung", "dMRI"),
        ("ressonância magnética por difusão", "dMRI"),
        ("tomografia computerizzata a fascio conico", "CBCT"),
        ("Kegelstrahl-Computertomographie", "CBCT"),
        ("tomodensitométrie à faisceau conique", "CBCT"),
        ("tomografia computadorizada de feixe cônico", "CBCT"),
        ("multi-echo gradient echo", "MRI"),
        ("multi-echo fMRI", "fMRI"),
        ("CAT of the chest", "CT"),
    ],
)
def test_a_kind_of_image_is_read_whole(text, kind):
    assert {c for c in found(text) if c.startswith("modality:")} == {f"modality:{kind}"}


@pytest.mark.parametrize(
    ("text", "species"),
    [
        ("my cat's teeth", "cat"),
        ("feline kidneys", "cat"),
        ("riñones de gato", "cat"),
        ("canine hips", "dog"),
        ("ferret brain", "ferret"),
        ("a goat", "goat"),
        ("guinea pig cochlea", "guinea pig"),
        ("C. elegans", "nematode"),
        ("marmoset brain", "non-human primate"),
    ],
)
def test_animals_are_read_each_as_its_own(text, species):
    animals = {"cat", "dog", "ferret", "goat", "guinea pig", "rabbit", "sheep", "pig", "nematode"}
    named = found(text) & {f"anatomy:{animal}" for animal in (*animals, "non-human primate")}
    assert named == {f"anatomy:{species}"}


@pytest.mark.parametrize("text", ["CAT scan of the head", "CAT12", "non-gated CT", "CAT"])
def test_a_cat_scan_is_of_no_cat(text):
    assert "anatomy:cat" not in found(text)


def test_photos_of_films_and_photos_beside_another_kind_are_photos():
    assert "modality:XC" in found("phone photos of X-ray films")
    assert {"modality:XC", "modality:CT"} <= found("photos and CT scans")
    assert "modality:XC" in found("fundus, photos")


@pytest.mark.parametrize(
    "text",
    ["reports in Polish", "Polish hospital needs a viewer", "polish the mask", "a Polish cohort"],
)
def test_who_is_polish_polishes_no_assembly(text):
    assert "operation:assembly polishing" not in found(text)


@pytest.mark.parametrize(
    "text",
    ["Polish contigs with short reads", "polish a nanopore assembly", "polishing of long reads"],
)
def test_polishing_beside_a_word_of_genomes_is_a_task(text):
    assert "operation:assembly polishing" in found(text)


def test_punctuation_parts_phrases():
    assert "disease:brain tumour" not in found("brain, tumour")


@pytest.mark.parametrize(
    "text",
    ["functional imaging", "fMRI", "BOLD", "functional MRI", "resting-state fMRI"],
)
def test_synonyms_meet_in_one_concept(text):
    assert "modality:fMRI" in found(text)


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("anonymisation", "anonymization"),
        ("tumour segmentation", "tumor segmentation"),
        ("fibre tracking", "fiber tracking"),
        ("haemorrhage", "hemorrhage"),
        ("grey matter", "gray matter"),
        ("labelling images", "labeling images"),
    ],
)
def test_british_and_american_spellings_are_one(british, american):
    assert found(british) == found(american) != set()


def test_abbreviations_are_taken_as_written():
    assert "modality:PET" in found("PET of the brain")
    assert "modality:PET" not in found("My pet likes the Bold cat")
    assert "modality:US" not in found("a company in the US")
    assert "modality:US" in found("US images of the breast")


def test_a_query_in_small_letters_still_names_ct_but_no_pet():
    assert found("segment lungs ct") == found("segment lungs CT")
    assert "modality:PET" not in found("pet food")


def test_shouted_words_are_no_abbreviations():
    assert "modality:fMRI" not in found("BOLD TEXT FOR US")


def test_german_compounds_are_taken_apart():
    assert found("Hirntumorsegmentierung") == found("brain tumour segmentation")


def test_a_foreign_word_that_is_an_english_one_needs_its_language():
    assert "anatomy:spleen" not in found("heart rate")
    assert "anatomy:spleen" in found("segmentation de la rate sur le scanner")


@pytest.mark.parametrize(
    ("organ", "texts"),
    [
        ("liver", ["foie", "segmenter le foie", "segmentar higado", "fegato su TC", "fígado"]),
        ("spleen", ["Milz segmentieren", "segmentar bazo", "milza", "segmentar o baço", "la rate"]),
        ("kidney", ["segmenter le rein", "segmentar o rim", "Niere", "rene segmentare", "riñón"]),
        ("bone", ["segmenter les os", "segmentar o osso", "segmentare l'osso", "hueso"]),
        ("skin", ["peau", "Haut", "segmentar a pele", "piel", "segmentare la pelle"]),
        ("eye", ["oeil", "Auge segmentieren", "ojo", "segmentar o olho", "segmentare l'occhio"]),
        ("bowel", ["Darm", "Darm segmentieren", "intestino"]),
        ("heart", ["Herz", "coeur", "segmentare il cuore", "corazón"]),
    ],
)
def test_short_words_for_organs_are_read_in_five_languages(organ, texts):
    assert [text for text in texts if f"anatomy:{organ}" not in found(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "frame rate",
        "test set",
        "generate phantoms",
        "volume over time",
        "breast cores",
        "TMA cores",
    ],
)
def test_an_english_word_with_the_stem_of_a_foreign_one_names_nothing_of_it(text):
    kinds = {
        "anatomy:mouse",
        "anatomy:head",
        "anatomy:thymus",
        "anatomy:coral",
        "data:gene",
        "anatomy:dog",
    }
    assert kinds.isdisjoint(found(text))


def test_a_word_goes_before_others_with_its_stem():
    words = [
        Concept(id="anatomy:liver", kind="anatomy", label="liver", labels=(("fr", ("foie",)),)),
        Concept(id="data:focus", kind="data", label="focus", labels=(("fr", ("foyer",)),)),
    ]
    annotator = ConceptAnnotator(words)
    assert annotator.concepts("segmenter le foie") == ("anatomy:liver",)
    assert annotator.concepts("segmenter le foyer") == ("data:focus",)


def test_order_is_that_of_the_text_and_each_concept_comes_once():
    ids = ANNOTATOR.concepts("lung CT segmentation, then CT of the lung again")
    assert ids == ("anatomy:lung", "modality:CT", "operation:segmentation")


def test_mentions_point_into_the_text():
    text = "Läsionen: segmentation of the liver in ＣＴ, no GPU"
    for mention in ANNOTATOR.mentions(text):
        assert 0 <= mention.start < mention.end <= len(text)
    places = {m.concept: text[m.start : m.end] for m in ANNOTATOR.mentions(text)}
    assert places["anatomy:liver"] == "liver"
    assert places["method:GPU"] == "GPU"


def test_empty_and_wordless_texts_hold_nothing():
    assert ANNOTATOR.concepts("") == ANNOTATOR.concepts(" \n\t.,;!") == ()


def test_ten_thousand_descriptions_take_under_ten_seconds():
    with (ROOT / "assets" / "catalog" / "tools.jsonl").open(encoding="utf-8") as lines:
        texts = [json.loads(line)["description"] for line in lines]
    many = [f"{texts[n % len(texts)]} release {n}" for n in range(10_000)]
    start = time.process_time()
    for text in many:
        ANNOTATOR.concepts(text)
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "piece",
    ["no GPU ", "brain mri ", "skull ", "分割", "a", "non-", "Segmentierungs", "aB", "\u0301", "-"],
)
def test_hostile_repetition_takes_time_in_proportion(piece):
    text = piece * (60_000 // len(piece))
    start = time.process_time()
    ANNOTATOR.mentions(text)
    assert time.process_time() - start < 5


def test_a_word_of_english_keeps_its_meaning_where_another_language_has_its_stem():
    named = [m.concept for m in ConceptAnnotator(CONCEPTS).mentions("glands in colon histology")]
    assert "anatomy:colon" in named
    assert "data:colony" not in named
