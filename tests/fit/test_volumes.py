"""A tool whose task needs several volumes does not fit one, whatever else its record states."""

from __future__ import annotations

import pytest

from retrieval.core import Dimension, Format, Modality, PulseSequence, ScanInfo
from retrieval.fit import FitStage, summary_of
from retrieval.fit.data import volumes_fit, volumes_requested
from retrieval.fit.kinds import dimension_fit
from retrieval.fit.series import kinds_of
from tests.fakes import make_candidate, make_state, make_tool

T1 = ScanInfo(
    format=Format.NIFTI,
    modality=Modality.MRI,
    dimension=Dimension.D3,
    sequence=PulseSequence.T1,
    shape=(91, 109, 91),
)
FA = ScanInfo(
    format=Format.NIFTI,
    modality=Modality.MRI,
    dimension=Dimension.D3,
    sequence=PulseSequence.DWI,
    shape=(128, 128, 53),
)
DWI = ScanInfo(
    format=Format.NIFTI,
    modality=Modality.MRI,
    dimension=Dimension.D4,
    sequence=PulseSequence.DWI,
    shape=(128, 128, 53, 65),
)
SERIES = ScanInfo(
    format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D4, shape=(64, 64, 35, 200)
)
FRAMES = ScanInfo(format=Format.TIFF, dimension=Dimension.D2, shape=(64, 64, 1, 20))
PICTURE = ScanInfo(format=Format.PNG, dimension=Dimension.D2, shape=(400, 400))
STACK = ScanInfo(format=Format.TIFF, dimension=Dimension.D3, shape=(400, 400, 20))
CINE = ScanInfo(
    format=Format.DICOM,
    modality=Modality.US,
    dimension=Dimension.D2,
    shape=(240, 320, 1, 8),
    notes=("cine",),
)
SLICE = ScanInfo(
    format=Format.DICOM,
    modality=Modality.PET,
    dimension=Dimension.D3,
    shape=(128, 128),
    notes=("single-slice",),
)
FIBRES = make_tool(
    "fibres",
    tasks=("tractography", "diffusion modelling"),
    modalities=(Modality.DMRI, Modality.MRI),
    dimensions=(Dimension.D3, Dimension.D4),
    formats_in=(Format.NIFTI,),
)
PLATFORM = make_tool(
    "platform",
    tasks=("viewing", "segmentation"),
    modalities=(Modality.MRI, Modality.DMRI),
    dimensions=(Dimension.D3,),
    formats_in=(Format.NIFTI,),
)
RELAXATION = "images at several echo times, inversion times or flip angles"
MAPS = make_tool("maps", tasks=("relaxometry",))
TRACKER = make_tool("tracker", tasks=("tracking", "lineage tracing"))
PET_MODELS = make_tool("models", tasks=("kinetic modelling",))


def fit(tool, scan, text="", *others):
    return volumes_fit(tool, kinds_of((scan, *others)), text)


def badge(tool, scan, text):
    state = make_state(text, make_candidate(tool.id, 0.5), scans=(scan,), path="fit")
    [one] = state.candidates
    listed = type(one)(tool=tool, score=one.score)
    result = FitStage().run(make_state(text, listed, scans=(scan,), path="fit"))
    return summary_of(result.state.candidates[0].fit)


@pytest.mark.parametrize(
    ("tool", "scan", "verdict", "shown"),
    [
        (FIBRES, T1, "unknown", "one volume"),
        (FIBRES, FA, "unknown", "one volume"),
        (FIBRES, DWI, "pass", "65 volumes"),
        (FIBRES, SERIES, "unknown", "200 volumes, of a kind that is not stated"),
        (TRACKER, PICTURE, "unknown", "one image"),
        (TRACKER, STACK, "unknown", "a stack that may be time or depth"),
        (TRACKER, CINE, "pass", "8 times"),
        (TRACKER, FRAMES, "pass", "20 times"),
        (MAPS, T1, "unknown", "one volume"),
        (MAPS, SERIES, "pass", "200 times"),
        (PET_MODELS, SLICE, "unknown", "one slice of a 3D series"),
        (PET_MODELS, SERIES, "pass", "200 times"),
    ],
)
def test_as_many_volumes_are_needed_as_the_main_tasks_of_a_tool_take(tool, scan, verdict, shown):
    one = fit(tool, scan)
    assert (one.fact, one.verdict, one.scan) == ("volumes", verdict, shown)


def test_a_tool_of_many_tasks_needs_them_only_where_the_text_names_such_a_task():
    assert fit(PLATFORM, T1, "segment brain tumours") is None
    one = fit(PLATFORM, T1, "tractography")
    assert one.tool == "modalities: dMRI; needs diffusion-weighted volumes"
    assert fit(make_tool("lungs", tasks=("segmentation",)), T1, "tractography") is None


def test_of_several_files_the_one_with_the_volumes_counts():
    assert fit(FIBRES, T1, "", DWI).verdict == "pass"


def test_several_files_of_one_size_may_be_a_series_in_time():
    one = fit(TRACKER, PICTURE, "", PICTURE)
    assert (one.verdict, one.scan) == ("unknown", "2 images of one size")


def test_what_has_no_grid_is_not_counted():
    surface = ScanInfo(format=Format.GIFTI, notes=("surface",))
    assert fit(FIBRES, surface) is None


@pytest.mark.parametrize("scan", [T1, FA])
@pytest.mark.parametrize("tool", [FIBRES, PLATFORM])
def test_the_badge_of_a_tractography_tool_says_what_one_volume_lacks(tool, scan):
    summary = badge(tool, scan, "tractography")
    assert summary.verdict == "unknown"
    assert "eeds diffusion-weighted volumes, scan is one volume" in summary.text


def test_diffusion_weighted_volumes_fit():
    tool = make_tool(
        "fibres",
        tasks=("tractography",),
        modalities=(Modality.DMRI,),
        dimensions=(Dimension.D4,),
        formats_in=(Format.NIFTI,),
    )
    assert badge(tool, DWI, "tractography").text == "Fits"


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("tractography", ("diffusion-weighted volumes",)),
        ("Traktographie der Pyramidenbahn", ("diffusion-weighted volumes",)),
        ("fit the diffusion tensor", ("diffusion-weighted volumes",)),
        ("resting-state fMRI", ("images in time",)),
        ("DCE-MRI perfusion", ("images in time",)),
        ("track cells", ("images in time",)),
        ("T1 mapping", (RELAXATION,)),
        ("T2* map of the heart", (RELAXATION,)),
        ("cartographie T1", (RELAXATION,)),
        ("T2-Kartierung des Knorpels", (RELAXATION,)),
        ("segment a T1 image", ()),
        ("map T1 to the atlas", ()),
        ("compare FA maps of two groups", ()),
        ("segment the optic tract", ()),
        ("list the contract files", ()),
        ("", ()),
    ],
)
def test_the_text_names_tasks_that_need_several_volumes(text, needs):
    assert volumes_requested(text) == needs


@pytest.mark.parametrize("scan", [FRAMES, CINE])
@pytest.mark.parametrize(
    ("tasks", "dimensions", "verdict"),
    [
        (("tracking",), (Dimension.D2,), "pass"),
        (("tracking",), (Dimension.D3, Dimension.D4), "unknown"),
        (("tracking",), (Dimension.D4,), "fail"),
        (("segmentation",), (Dimension.D3,), "fail"),
    ],
)
def test_time_adds_no_dimension_to_a_plane(scan, tasks, dimensions, verdict):
    one = dimension_fit(make_tool("a", tasks=tasks, dimensions=dimensions), scan)
    assert (one.verdict, one.scan) == (verdict, "2D over time")
