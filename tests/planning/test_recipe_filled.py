"""The facts of a scan in a recipe: MR or CT, spacing, channels, device, and what is left."""

import ast
import re
import shlex
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from retrieval import Machine, Settings, load_recipes, plan_of, recipe_of, recipe_of_upload
from retrieval.catalog.load import load_catalog
from retrieval.core.codes import Dimension, Format, Modality, PulseSequence
from retrieval.core.types import ScanInfo
from retrieval.fit import fact_words
from retrieval.planning.recipe import conversion_first

RECIPES = load_recipes(Path(__file__).parents[2] / "assets" / "recipes" / "recipes.jsonl")
TOOLS = {t.id: t for t in load_catalog(Settings(_env_file=None).catalog).tools}
CT = ScanInfo(
    format=Format.NIFTI,
    modality=Modality.CT,
    dimension=Dimension.D3,
    spacing=(0.7, 0.7, 2.5),
    channels=1,
)
MR = ScanInfo(
    format=Format.NIFTI,
    modality=Modality.MRI,
    dimension=Dimension.D3,
    sequence=PulseSequence.T2,
    spacing=(1.9, 0.9, 0.9),
)
STACK = ScanInfo(
    format=Format.OME_TIFF,
    modality=Modality.FLUORESCENCE,
    dimension=Dimension.D3,
    spacing=(0.0002, 0.0002, 0.001),
    channels=1,
)
SCANS = [None, CT, MR, STACK, ScanInfo(format=Format.DICOM), ScanInfo(format=Format.H5AD)]
MACHINES = [None, Machine(gpu=True), Machine(gpu=False)]


def made(id, scan=None, machine=None):
    recipe = recipe_of(RECIPES, TOOLS[id], scan, machine)
    assert recipe is not None
    return recipe


def test_the_shipped_recipes_are_whole_and_of_tools_of_the_catalog():
    assert RECIPES.refused == ()
    assert set(RECIPES.by_tool) <= set(TOOLS)
    assert len(RECIPES.by_tool) >= 150
    assert {one.kind for one in RECIPES.by_tool.values()} == {"command", "container", "notebook"}


def test_feature_6_an_mr_header_picks_the_mr_variant_and_a_ct_header_the_ct_variant():
    assert "--task total_mr" in made("totalsegmentator", MR).text
    assert made("totalsegmentator", CT).text.endswith("--task total")
    assert "--ct" in made("fsl_bet", CT).text
    assert "--ct" not in made("fsl_bet", MR).text
    assert "--ct" in made("synthseg", CT).text
    assert made("fsl_fast", MR).text.startswith("fast -t 2 ")


def test_a_narrower_modality_counts_as_its_wider_kind():
    functional = ScanInfo(format=Format.NIFTI, modality=Modality.FMRI)
    assert "--task total_mr" in made("totalsegmentator", functional).text
    assert "-t epi" in made("romeo", functional).text


def test_a_modality_without_a_variant_is_left_to_the_reader():
    recipe = made("totalsegmentator", ScanInfo(format=Format.NIFTI, modality=Modality.PET))
    assert "--task TASK" in recipe.text
    assert "TASK" in {one.placeholder for one in recipe.missing}


def test_without_a_graphics_card_the_recipe_runs_on_the_processor():
    none, card = Machine(gpu=False), Machine(gpu=True)
    assert made("totalsegmentator", CT, none).text.endswith("--device cpu --fast")
    assert "--fast" not in made("totalsegmentator", CT, card).text
    assert "--fast" not in made("totalsegmentator", CT).text
    assert made("hd_bet", MR, none).text.endswith("-device cpu --disable_tta")
    assert "--gpus" not in made("fastsurfer", MR, none).text
    assert "--gpus all" in made("fastsurfer", MR, card).text
    assert made("lungmask", CT, none).text.endswith("--cpu")


def test_spacing_and_channels_come_from_the_header():
    assert "--output-resolution 0.7 " in made("qsiprep", CT).text
    assert "--voxel-size 1 1 1 " in made("nibabel", MR).text
    assert (
        "spacing=(0.001, 0.0002, 0.0002), channel_axis=None"
        in made("scikit_image_slic", STACK).text
    )
    assert "--do_3D --anisotropy 5" in made("cellpose", STACK).text
    assert 'StarDist2D.from_pretrained("2D_versatile_fluo")' in made("stardist", STACK).text


@pytest.mark.parametrize("spacing", [None, (), (0.0, 0.0), (float("inf"),) * 3, (float("nan"),)])
def test_a_spacing_of_no_sense_is_left_to_the_reader(spacing):
    recipe = made("nibabel", ScanInfo(format=Format.NIFTI, spacing=spacing))
    assert "--voxel-size SIZE SIZE SIZE" in recipe.text
    assert "SIZE" in {one.placeholder for one in recipe.missing}


@pytest.mark.parametrize("id", sorted(RECIPES.by_tool))
def test_feature_6_every_placeholder_is_filled_or_listed_as_missing(id):
    record = RECIPES.by_tool[id]
    for scan in SCANS:
        for machine in MACHINES:
            recipe = made(id, scan, machine)
            assert not re.search(r"\{[A-Z]", recipe.text)
            told = {o.placeholder for o in recipe.filled} | {o.placeholder for o in recipe.missing}
            assert set(re.findall(r"\{([A-Z]\w*)\}", record.template)) <= told
            assert all(one.shown in recipe.text for one in recipe.missing)
            assert all(one.value in recipe.text for one in recipe.filled)
            assert all(one.what and one.shown for one in recipe.missing)
            assert recipe.outputs
            assert recipe.sources


@pytest.mark.parametrize("id", sorted(RECIPES.by_tool))
def test_a_recipe_is_safe_to_paste(id):
    for scan in SCANS:
        recipe = made(id, scan, Machine(gpu=False))
        if recipe.kind == "notebook":
            ast.parse(recipe.text)
            continue
        plain = recipe.text.replace("$(id -u)", "1").replace("$(id -g)", "1")
        # What stands in quotes is not read by the shell, but for these four in double ones.
        plain = re.sub(r"'[^']*'|\"[^\"$`!\\\\]*\"", "quoted", plain)
        assert not re.search(r"[;&|<>`$!#*?~]", plain)
        assert shlex.split(plain)[0]
        assert "  " not in re.sub(r"\\\n +", "", plain)


def test_a_format_the_tool_does_not_read_is_converted_first():
    dicom = ScanInfo(format=Format.DICOM, modality=Modality.MRI, dimension=Dimension.D3)
    recipe = made("hd_bet", dicom)
    assert recipe.converts == ("DICOM", ("NIfTI",))
    steps = conversion_first(TOOLS.values(), recipe)
    assert steps
    assert (steps[0][0], steps[-1][2]) == ("DICOM", "NIfTI")
    assert recipe.missing[0].shown == "INPUT.nii.gz"
    assert made("totalsegmentator", dicom).converts is None
    assert "-i DICOM_FOLDER" in made("totalsegmentator", dicom).text
    assert conversion_first(TOOLS.values(), made("cutadapt", dicom)) is None


@pytest.mark.parametrize("id", ["cellprofiler", "hover_net", "superdsm"])
def test_a_recipe_opens_each_format_that_the_verdict_on_its_tool_opens(id):
    assert Format.OME_TIFF not in TOOLS[id].formats_in
    recipe = made(id, STACK)
    assert recipe.converts is None
    assert conversion_first(TOOLS.values(), recipe) == ()


def test_a_diffusion_recipe_names_gradients_only_where_the_format_has_none():
    assert "-fslgrad INPUT.bvec INPUT.bval" in made("mrtrix3", MR).text
    assert "-fslgrad" not in made("mrtrix3", ScanInfo(format=Format.MIF)).text


def test_a_modality_the_tool_does_not_state_is_a_doubt():
    assert fact_words(made("lungmask", MR).doubts) == "States CT only"
    assert made("lungmask", CT).doubts is None
    assert made("mrtrix3", MR).doubts is None
    assert made("convert3d", MR).doubts is None


def test_a_recipe_names_a_line_that_installs_its_tool_from_either_record():
    assert made("totalsegmentator").install == "pip install TotalSegmentator"
    assert made("glia_net").install == "git clone https://github.com/MeteorsHub/GLIA-Net"


def test_no_source_no_recipe():
    without = min(set(TOOLS) - set(RECIPES.by_tool))
    assert recipe_of(RECIPES, TOOLS[without], CT) is None


def test_the_recipe_tells_where_every_value_comes_from():
    recipe = made("totalsegmentator", MR, Machine(gpu=False))
    assert [(one.placeholder, one.value, one.source) for one in recipe.filled] == [
        ("TASK", "total_mr", "modality: MRI"),
        ("DEVICE", "--device cpu --fast", "graphics card: no"),
    ]
    assert [one.placeholder for one in recipe.missing] == ["INPUT", "OUTPUT"]
    assert recipe.converts is None
    assert all(url.startswith("http") for url in recipe.sources)


def test_what_has_no_recipe_for_a_stated_reason_is_in_the_catalog():
    assert RECIPES.none
    assert set(RECIPES.none) <= set(TOOLS)


DOSE, CONTOURS = (
    ScanInfo(format=Format.DICOM, modality=Modality.RTDOSE, dimension=Dimension.D3),
    ScanInfo(format=Format.DICOM, modality=Modality.RTSTRUCT, notes=("not-an-image",)),
)
DICOM_CT = replace(CT, format=Format.DICOM)


@pytest.mark.parametrize(
    "id", ["dicompyler_core", "dvh_analytics", "dcmrtstruct2nii", "totalsegmentator", "lungmask"]
)
@pytest.mark.parametrize("upload", [*permutations([DICOM_CT, DOSE, CONTOURS])])
def test_of_an_upload_recipe_and_plan_take_the_series_that_the_tool_fits(id, upload):
    recipe = recipe_of_upload(RECIPES, TOOLS[id], upload, TOOLS.values())
    assert (recipe.converts, recipe.doubts) == (None, None)
    plan = plan_of(TOOLS, TOOLS[id], upload[0], others=upload[1:])
    assert plan.problems == ()


def test_where_no_series_fits_the_recipe_still_says_so():
    recipe = recipe_of_upload(RECIPES, TOOLS["hd_bet"], [DICOM_CT, CONTOURS], TOOLS.values())
    assert recipe.converts == ("DICOM", ("NIfTI",))
    assert recipe.doubts.scan == "CT"
