"""Ordinary words that are also names of records, over the shipped catalog."""

import pytest

pytestmark = pytest.mark.model

ORDINARY = (
    *("DICOM", "NIfTI", "image", "CT", "MRI", "atlas", "viewer", "registration", "segmentation"),
    *("multi organ segmentation", "brain extraction", "cell tracking", "cell counter", "spots"),
    *("slicer for CT", "cell profiler for histology", "fast scan", "first trimester ultrasound"),
    *("ants on a leaf", "a flirt with images", "bet on a horse", "sift through images"),
    *("plus disease in retinopathy", "snap a photo of skin", "orbit fracture on CT"),
    *("icy road images", "phoenix eye images", "mango leaf disease images", "mist in images"),
    *("insight into images", "vision of MRI", "scope of images", "surf plot", "caret in text"),
    *("elastin in images", "mastoid in CT", "septal defects in MRI", "neuroma in MRI"),
    *(
        "flower in images",
        "lion in images",
        "salmon in images",
        "puma in images",
        "brass in images",
    ),
    *("flint in images", "starfish in images", "stump in CT", "tit in images", "conch in images"),
)

NAMED = {
    "ilastik": "ilastik",
    "freesurfer": "freesurfer",
    "BET": "fsl_bet",
    "FLIRT": "fsl_flirt",
    "ANTs": "ants",
    "nnunet for livers": "nnunet",
    "segment lungs with lungmask": "lungmask",
    "SPM": "spm",
    "3D Slicer": "3d_slicer",
    "dcm2niix": "dcm2niix",
    "TotalSegmentatr": "totalsegmentator",
    "cellpos": "cellpose",
    "elastix": "elastix",
    "Salmon": "salmon",
    "Mango": "mango",
    "spotiflow": "spotiflow",
}


def note_of_names(engine, text):
    """What the stage says that looks for names."""
    return next(r.note for r in engine.run(text).result.walk() if r.name == "names")


@pytest.mark.parametrize("text", ORDINARY)
def test_16_10_an_ordinary_word_is_read_as_no_tool(engine, text):
    assert note_of_names(engine, text) == "no name of a tool"


@pytest.mark.parametrize(("text", "tool"), NAMED.items())
def test_16_10_a_name_typed_as_one_puts_its_tool_first(engine, text, tool):
    answer = engine.run(text)
    assert next(r.note for r in answer.result.walk() if r.name == "names").startswith("named ")
    assert answer.candidates[0].tool.id == tool
