"""Lists, measures, kinds of image of their own, parts that few records name, and stories."""

from __future__ import annotations

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.explain.lists import chains
from retrieval.explain.measured import depends_on_thing
from retrieval.explain.request_parts import Part
from retrieval.settings import ROOT
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

TOOLS = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools


@pytest.fixture(scope="module")
def shipped():
    judge = gap_judge(TOOLS)
    judge.prepare()
    return judge


def unmet(judge, text):
    return [one.value for one in judge.judge(text).unmet]


def lists_of(text, *words):
    parts = [
        Part(kind="object", value=w, concept="", start=text.index(w), end=text.index(w) + len(w))
        for w in words
    ]
    group = {"nodules": "finding"}
    return [
        (tuple(part.value for part in chain.parts), chain.choice)
        for chain in chains(text, parts, lambda part: group.get(part.value, "anatomy"))
    ]


@pytest.mark.parametrize(
    ("text", "words", "lists"),
    [
        ("lungs, airways and vessels", "lungs airways vessels", [True]),
        ("nodules, vessels and airways", "nodules vessels airways", [True]),
        ("nodules and vessels", "nodules vessels", [False]),
        ("lungs and vessels", "lungs vessels", [False]),
        ("lungs or vessels", "lungs vessels", [True]),
        ("lungs / vessels", "lungs vessels", [True]),
        ("Lungen, Atemwege oder Gefäße", "Lungen Atemwege Gefäße", [True]),
        ("poumons, voies et vaisseaux", "poumons voies vaisseaux", [True]),
        ("肺、气道和血管", "肺 气道 血管", [True]),
        ("nodules, vessels", "nodules vessels", []),
        ("femoral cartilage thickness knee", "femoral cartilage knee", []),
        ("vessels of the lungs in the chest", "vessels lungs chest", []),
        ("nodules in the lungs, in the chest", "nodules lungs chest", []),
        ("lungs, " + "x" * 80 + " vessels", "lungs vessels", []),
        ("", "", []),
    ],
)
def test_a_list_has_separators_between_its_parts(text, words, lists):
    assert [choice for _, choice in lists_of(text, *words.split())] == lists


def test_the_parts_of_one_name_are_one_thing_of_a_list():
    text = "aorta or brain arteries"
    assert lists_of(text, "aorta", "brain", "arteries") == [(("aorta", "brain", "arteries"), True)]


def test_things_that_no_list_joins_are_each_judged(shipped):
    assert unmet(shipped, "femoral cartilage thickness knee ultrasound")
    assert unmet(shipped, "segment lung nodules, vessels and airways on chest CT") == []


def test_of_two_organs_that_nothing_joins_both_are_needed(shipped):
    assert "lung" in unmet(shipped, "texture du poumon du fœtus à l'échographie")
    assert unmet(shipped, "contour the chewing muscles and the orbit for radiotherapy") == []


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("cross-sectional area of the median nerve", "median nerve"),
        ("how far do the vocal folds open?", "vocal folds"),
        ("plaque load in sections", "plaque"),
        ("volume of the liver", "liver"),
        ("volumen del hígado", "hígado"),
        ("Dicke der Netzhaut", "Netzhaut"),
        ("is there a clot in it?", "clot"),
        ("a viewer that marks the lesions", "lesions"),
    ],
)
def test_a_measure_or_a_find_depends_on_its_thing(text, thing):
    start = text.index(thing)
    part = Part(kind="object", value=thing, concept="", start=start, end=start + len(thing))
    assert depends_on_thing(text, [part])


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("view the liver in a light sheet volume", "liver"),
        ("load the liver scans", "liver"),
        ("convert the size of the files of the liver", "liver"),
    ],
)
def test_a_noun_of_measuring_away_from_the_thing_measures_nothing(text, thing):
    start = text.index(thing)
    part = Part(kind="object", value=thing, concept="", start=start, end=start + len(thing))
    assert not depends_on_thing(text, [part])
    assert not depends_on_thing(text, [])


def test_volumes_of_a_kind_of_image_are_images(shipped):
    assert unmet(shipped, "load MRI volumes of the shoulder and rotate them") == []


def test_a_request_for_a_measure_is_no_mere_viewing_or_reading(shipped):
    text = "area of the median nerve in ultrasound, from a script that reads DICOM"
    assert "median nerve" in unmet(shipped, text)
    assert "vocal folds" in unmet(shipped, "how far do the vocal folds open? video of singers")
    assert unmet(shipped, "pull the tumour size out of free-text reports") == []


def test_a_wish_for_trained_weights_is_no_task(shipped):
    parts = shipped.parts("otoliths in photographs, pretrained; trained weights")
    assert [part.kind for part in parts] == ["modality"]
    assert "task" in {part.kind for part in shipped.parts("train a network on photographs")}


def test_a_kind_of_image_that_shows_a_quantity_is_not_served_by_the_wider_kind(shipped):
    assert unmet(shipped, "liver fat with MR spectroscopy") == ["liver fat", "mr spectroscopy"]
    assert "ASL" in unmet(shipped, "cerebral blood flow in mice with ASL")
    assert unmet(shipped, "segment the kidney in T1 MRI") == []


def test_a_part_that_none_names_of_a_region_whose_parts_many_name_is_a_gap(shipped):
    assert unmet(shipped, "segment the thymus on chest CT") == ["thymus"]
    assert unmet(shipped, "amygdala volume on CT") == ["amygdala", "CT"]
    small = gap_judge(
        (
            make_tool("chest", tasks=("segmentation",), modalities=("CT",), anatomy=("chest",)),
            make_tool("lungs", tasks=("segmentation",), modalities=("MRI",), anatomy=("lung",)),
        )
    )
    assert unmet(small, "segment the thymus on chest CT") == []


@pytest.mark.parametrize(
    ("text", "is_wholly_absent"),
    [
        ("pituitary adenoma volume", True),
        ("pituitary tumour segmentation on MRI", True),
        ("segment brain tumours on MRI", False),
        ("stroke lesion volume on MRI", False),
        ("liver metastases on CT", False),
    ],
)
def test_a_finding_of_an_organ_that_no_record_names_is_stated_by_none(
    shipped, text, is_wholly_absent
):
    _, cost, _ = shipped.lacking(text)
    assert (cost >= 1) == is_wholly_absent


def test_data_that_belong_to_an_organ_are_a_thing(shipped):
    text = "Kellgren-Lawrence grade of the hip"
    assert unmet(shipped, text) == ["Kellgren-Lawrence grade", "hip"]
    assert [part.value for part in shipped.parts("mesh and table of the hip")] == ["hip"]


def test_what_only_comes_before_or_after_is_not_needed(shipped):
    assert unmet(shipped, "hole left after temporal lobectomy, postoperative T1") == []
    assert unmet(shipped, "where does the nerve run before I pull the wisdom tooth") == []
    assert unmet(shipped, "maturity of the graft after cruciate ligament reconstruction")


def test_professions_adjectives_of_diseases_and_names_of_plants_are_no_things(shipped):
    assert unmet(shipped, "I am a urologist and segment the kidney on CT") == []
    assert unmet(shipped, "segment osteoporotic vertebrae on CT") == []
    assert unmet(shipped, "disease severity on bean leaves from photographs") == []
    assert "barnacles" in unmet(shipped, "count barnacles in photographs")


def test_what_a_tool_is_asked_for_as_is_named_by_its_record_but_for_several_kinds_of_image():
    def told(*kinds):
        tool = make_tool(
            "leads", tasks=("segmentation",), modalities=kinds, asked_as=("outline of barnacles",)
        )
        return gap_judge((tool,)).judge("segment barnacles in CT")

    assert not told("CT").unmet
    assert "barnacles" in [one.value for one in told("CT", "MRI").unmet]
    # It is mentioned there, so the sentence does not say that no record mentions it.
    assert told("CT", "MRI").sentence == "No record states barnacles."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("DSC perfusion stroke CT perfusion maps penumbra", "No record states penumbra."),
        ("hearing test audiogram", "No record mentions audiogram."),
        ("retinotopy", "No record mentions retinotopy."),
        ("dynamic causal modelling of fMRI", "No record mentions dynamic causal modelling."),
        ("Wheat ears", "No record mentions wheat ears."),
        ("mummy CT", "No record mentions mummy."),
        ("fossil CT segmentation", "No record mentions fossil."),
        ("functional connectivity of fMRI", ""),
        ("activation maps from task fMRI", ""),
        ("segment plants in photographs", ""),
    ],
)
def test_the_sentence_names_what_no_record_states_or_mentions(shipped, text, sentence):
    assert shipped.judge(text).sentence == sentence


def test_in_a_story_a_disease_that_no_record_names_is_a_gap_and_a_chance_word_is_none(shipped):
    story = (
        "At lunch a friend wondered whether our group might look into it, and so I would like a "
        "program for MRI which finds {} on the scans that we have recorded since last spring"
    )
    assert unmet(shipped, story.format("endometriosis")) == ["endometriosis"]
    assert unmet(shipped, story.format("multiple sclerosis")) == []


def test_in_a_story_cells_that_no_record_names_are_served_where_it_calls_them_cells(shipped):
    story = (
        "I have movies of osteoclasts in a dish, recorded for three hours with a microscope. {} "
        "change shape a lot and I need to track them to get the speed and direction of each"
    )
    assert unmet(shipped, story.format("The cells")) == []
    assert unmet(shipped, story.format("They")) == ["osteoclasts"]


@pytest.mark.parametrize(
    "text", ["", ",,,", "liver, " * 400, "a" * 5_000 + ", liver", "和、" * 900]
)
def test_odd_texts_are_judged(shipped, text):
    assert len(shipped.judge(text).parts) <= 3


def test_a_task_that_is_named_after_its_organ_counts_as_the_organ(shipped):
    assert unmet(shipped, "tooth segmentation in ultrasound") == [
        "tooth segmentation",
        "ultrasound",
    ]
    assert unmet(shipped, "tooth segmentation in cone-beam CT") == []


def test_a_word_in_a_list_is_near_to_its_neighbours(shipped):
    assert unmet(shipped, "lung lobes and fissures in CT") == []
    assert unmet(shipped, "fissures in CT") == ["fissures"]


@pytest.mark.parametrize(
    ("text", "organ"),
    [
        ("épaisseur de la paroi vésicale en échographie", "anatomy:bladder"),
        ("biopsia ovárica en ecografía", "anatomy:ovary"),
        ("spessore tendineo in ecografia", "anatomy:tendon"),
        ("espessura da parede carotídea em ultrassom", "anatomy:carotid artery"),
        ("Volumen der Hoden im Ultraschall", "anatomy:testis"),
    ],
)
def test_adjectives_of_organs_in_other_languages_name_the_organ(shipped, text, organ):
    assert organ in {part.concept for part in shipped.parts(text)}


def test_spellings_leave_the_kind_of_image_a_part_of_its_own(shipped):
    values = {part.value for part in shipped.parts("head CT and hand radiograph")}
    assert values == {"head", "CT", "hand", "radiograph"}
    assert [p.concept for p in shipped.parts("melanoma on scanned slides")][1] == "modality:SM"


def test_what_a_letter_only_tells_of_is_no_gap(shipped):
    letter = (
        "Seventy teenagers with sickle cell disease were scanned at two hospitals. Each has a T1 "
        "volume of the brain, and a technician has looked at all of them over the summer. {} "
        "Their diaphragm moved little."
    )
    assert unmet(shipped, letter.format("What would strip the skull from them?")) == []
    asked = "What would outline the carpal tunnel in ultrasound?"
    assert "carpal tunnel" in unmet(shipped, letter.format(asked))


@pytest.mark.parametrize("text", ["Knochenmetastasen im Tarsus", "zähle Nasenmuscheln"])
def test_a_notice_names_a_word_of_another_language_by_its_concept(shipped, text):
    words = {word.lower() for word in text.split()}
    assert words.isdisjoint(unmet(shipped, text))


def test_a_tool_that_takes_any_object_serves_a_task_that_asks_for_one(shipped):
    assert unmet(shipped, "outline a splenic cyst on MRI with a few clicks") == []
    assert unmet(shipped, "radiomics of the adrenal gland on MRI") == []
    assert unmet(shipped, "segment the pericardium on ultrasound")


def test_what_cells_are_in_is_where_they_are_counted(shipped):
    assert unmet(shipped, "count mitoses of a sarcoma in H&E slides") == []
    assert unmet(shipped, "tumor mitosis counting H&E") == []


@pytest.mark.parametrize("verb", ["merge", "align", "blur"])
def test_what_changes_an_image_whatever_it_shows_needs_no_tool_for_its_object(shipped, verb):
    assert unmet(shipped, f"{verb} confocal stacks of a leaf") == []


def test_an_object_named_by_a_few_capitals_that_no_record_has_is_not_told(shipped):
    assert unmet(shipped, "width of the aorta on CT at the ESC levels") == []


def test_an_atrium_is_served_where_atria_are_and_a_knee_prosthesis_is_none_of_the_hip(shipped):
    assert unmet(shipped, "delineate the left atrium from MRI") == []
    assert "knee replacement" in unmet(shipped, "plan a knee replacement implant from CT")


def test_tools_for_sequences_of_single_cells_count_no_cells_in_images(shipped):
    (need,) = shipped.needs("cell counting")
    stating = {t.id for t in TOOLS if t.id in shipped.stated.ids(need.stating)}
    assert "cellfinder" in stating
    assert stating.isdisjoint({"scrublet", "cellbender", "seurat"})


@pytest.mark.parametrize(
    ("text", "name"), [("TB screening", "tuberculosis"), ("find DVT", "deep vein thrombosis")]
)
def test_a_short_abbreviation_counts_no_record_by_its_letters(shipped, text, name):
    part = next(one for one in shipped.parts(text) if one.kind == "object")
    assert part.value == name
    assert shipped.stated.with_stems(part.stems)
    assert shipped.stating(part) == shipped.stated.serving(part.concept)


@pytest.mark.parametrize("text", ["segment the liver on CT", "brain MRI, segment the hippocampus"])
def test_a_kind_of_image_is_counted_by_its_abbreviation(shipped, text):
    assert shipped.judge(text).unmet == ()


@pytest.mark.parametrize(
    "text",
    [
        "convert a NIfTI mask called liver into RTSTRUCT",
        "convert ITK-SNAP prostate labels to DICOM SEG",
        "save hippocampus label as DICOM SEG",
    ],
)
def test_what_a_mask_shows_that_is_only_converted_is_no_part(shipped, text):
    assert unmet(shipped, text) == []


def test_what_is_to_be_outlined_stays_a_part_though_a_format_is_named(shipped):
    assert "liver" in unmet(shipped, "segment the liver into an RTSTRUCT mask")
