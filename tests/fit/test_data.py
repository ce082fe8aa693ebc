"""What a tool needs as its input, against what the files of an upload hold."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from retrieval.core.codes import Conversion, Dimension, Format, Modality
from retrieval.core.types import Candidate, Needs, ScanInfo
from retrieval.fit.check import fit_of, fit_of_kinds
from retrieval.fit.formats import data_of
from retrieval.fit.series import kinds_of
from retrieval.fit.stage import FitStage
from retrieval.fit.summary import summary_of
from retrieval.scans import read_each
from retrieval.settings import ROOT
from tests.fakes import ids, make_pairs, make_state, make_tool
from tests.scans.makers import SHARED

F, M = Format, Modality


def scan(format=F.NIFTI, modality=None, dimension=Dimension.D3, **fields):
    return ScanInfo(format=format, modality=modality, dimension=dimension, **fields)


CT = scan(F.DICOM, M.CT, units="HU")
T1 = scan(modality=M.MRI)
LABELS = scan(notes=("label-map",))
MAYBE_LABELS = scan(modality=M.CT, notes=("label-map-maybe",))
CONTOURS = scan(F.DICOM, M.RTSTRUCT, None, notes=("not-an-image",))
K_SPACE = scan(F.ISMRMRD, M.MRI, None)
PICTURE = scan(F.PNG, None, Dimension.D2)


def of(one, *data, fact="data", **facts):
    tool = make_tool("a", needs=Needs(data=data), **facts)
    return next(f for f in fit_of(tool, one) if f.fact == fact)


def among(scans, *data, fact="data", **facts):
    tool = make_tool("a", needs=Needs(data=data), **facts)
    return next(f for f in fit_of_kinds(tool, kinds_of(scans)) if f.fact == fact)


def values(fit):
    return fit.verdict, fit.scan, fit.tool


@pytest.mark.parametrize(
    ("one", "what"),
    [
        (CT, "image"),
        (LABELS, "label"),
        (scan(F.DICOM, M.SEG), "label"),
        (CONTOURS, "contour"),
        (K_SPACE, "raw data"),
        (scan(F.TRK, None, None, notes=("streamlines",)), "streamlines"),
        (scan(F.GIFTI, None, None, notes=("surface",)), "surface"),
        (scan(F.GIFTI, None, None, notes=("surface", "label-map")), ""),
        (scan(F.DICOM, M.US, Dimension.D2, notes=("cine",)), "image"),
        (scan(F.NIFTI, notes=("label-map", "rgb")), "label"),
        (scan(F.DICOM, M.ECG, None), "signal"),
        (scan(F.H5AD, M.SCRNA, None), "table"),
        (scan(F.HDF5, None, None), ""),
        (scan(F.DICOM, M.SR, None), ""),
    ],
)
def test_a_file_holds_what_its_header_says_and_a_container_says_nothing(one, what):
    assert data_of(one) == what


def test_the_part_that_the_scan_is_passes_and_another_part_fails_with_both_values():
    assert values(of(T1, "image")) == ("pass", "image", "requirements.data: image")
    assert values(of(T1, "label")) == ("fail", "image", "requirements.data: label")
    assert values(of(LABELS, "label")) == ("pass", "label map", "requirements.data: label")
    assert values(of(K_SPACE, "image")) == ("fail", "raw data", "requirements.data: image")


def test_a_part_that_is_absent_beside_one_that_is_there_is_unknown_and_named():
    stated = "requirements.data: image, label; also needs a label map"
    assert values(of(CT, "image", "label")) == ("unknown", "image", stated)
    both = among((CT, LABELS), "image", "label")
    assert values(both) == ("pass", "image, label map", "requirements.data: image, label")
    three = among((CT, LABELS), "image", "label", "table").tool
    assert three.endswith("; also needs a table")


def test_what_is_not_stated_on_either_side_is_unknown():
    assert values(of(CT)) == ("unknown", "image", None)
    container = scan(F.HDF5, None, None)
    assert values(of(container, "raw data")) == ("unknown", None, "requirements.data: raw data")


@pytest.mark.parametrize("data", [("metadata",), ("label", "metadata")])
def test_metadata_is_never_absent_for_certain(data):
    assert of(CT, *data).verdict == "unknown"


@pytest.mark.parametrize(
    ("one", "verdict"),
    [
        (CT, "fail"),
        (T1, "fail"),
        (scan(modality=M.CT, units="HU"), "fail"),
        (scan(modality=M.CT, units="arbitrary"), "unknown"),
        (scan(F.DICOM, M.XA, Dimension.D2), "unknown"),
        (scan(F.MRC, M.CRYO_EM), "unknown"),
        (scan(), "unknown"),
        (K_SPACE, "pass"),
    ],
)
def test_a_reconstructed_image_is_no_raw_data_and_a_projection_or_a_movie_may_be(one, verdict):
    assert of(one, "raw data").verdict == verdict


def test_a_picture_may_be_a_mask_and_a_volume_whose_values_were_read_is_none():
    assert of(PICTURE, "label").verdict == "unknown"
    screenshot = scan(F.DICOM, M.OT, Dimension.D2)
    assert of(screenshot, "label").verdict == "unknown"
    assert of(T1, "label").verdict == "fail"


def test_spectra_of_many_places_are_nifti_files_of_four_dimensions():
    assert of(scan(dimension=Dimension.D4), "signal").verdict == "unknown"
    assert of(T1, "signal").verdict == "fail"


def test_a_label_map_serves_a_tool_for_images_whose_task_takes_either():
    assert of(LABELS, "image", tasks=("resampling",)).verdict == "unknown"
    assert of(LABELS, "image", tasks=("registration",)).verdict == "unknown"
    viewer = of(LABELS, "image", tasks=("viewing",))
    stated = "requirements.data: image; viewing may do with a label map"
    assert values(viewer) == ("unknown", "label map", stated)


@pytest.mark.parametrize(
    "tasks", [("segmentation", "measurement"), ("annotation", "segmentation"), ("measurement",)]
)
def test_a_label_map_fails_every_tool_that_draws_or_measures_on_an_image(tasks):
    assert of(LABELS, "image", tasks=tasks).verdict == "fail"


def test_a_tool_that_needs_a_label_map_takes_one_beside_images_and_a_segmenter_does_not():
    facts = {"modalities": (M.CT,), "tasks": ("statistical analysis",), "formats_in": (F.NIFTI,)}
    upload = (CT, LABELS)
    assert among(upload, "label", fact="modality", **facts).verdict == "unknown"
    assert among(upload, "label", fact="format", **facts).scan == "NIfTI"
    assert among(upload, "image", fact="format", **facts).scan == "DICOM"


@pytest.mark.parametrize("need", ["image", "label"])
def test_what_only_looks_like_a_label_map_neither_meets_nor_fails_a_need_of_voxels(need):
    assert values(of(MAYBE_LABELS, need))[:2] == ("unknown", "looks like a label map")
    assert of(MAYBE_LABELS, "table").verdict == "fail"


def test_what_only_looks_like_a_label_map_fails_no_kind_of_image():
    facts = {"modalities": (M.CT,), "tasks": ("segmentation",), "formats_in": (F.NIFTI,)}
    facts["dimensions"] = (Dimension.D3,)
    fits = fit_of(make_tool("a", needs=Needs(data=("image",)), **facts), MAYBE_LABELS)
    assert "fail" not in {fit.verdict for fit in fits}
    words = summary_of(fits)
    assert words.text == "States CT, scan looks like a label map; what else is stated fits"
    assert of(MAYBE_LABELS, "image", fact="modality", modalities=(M.MRI,)).verdict == "fail"


def test_an_image_and_what_looks_like_its_label_map_do_not_meet_a_need_of_both():
    assert among((CT, MAYBE_LABELS), "image", "label").verdict == "unknown"


@pytest.mark.parametrize(
    "one",
    [
        scan(F.DICOM, M.CT, None, notes=("no-pixels",), files=50),
        scan(F.DICOM, M.SEG, notes=("data-missing", "no-pixels")),
        scan(F.ANALYZE, notes=("data-missing",)),
    ],
)
def test_a_header_without_pixels_fits_no_tool_that_may_need_them(one):
    facts = {"formats_in": (one.format,), "modalities": (one.modality,) if one.modality else ()}
    facts["dimensions"] = tuple(Dimension)
    for need in ("image", "label"):
        assert of(one, need).verdict == "fail"
    assert of(one, "image", "metadata").verdict == "unknown"
    unstated = summary_of(fit_of(make_tool("a", **facts), one))
    assert (unstated.verdict, unstated.text) == ("unknown", "The scan has no pixels")


def test_a_series_of_which_one_file_lacks_its_pixels_is_an_image():
    assert of(scan(F.DICOM, M.CT, files=9, notes=("data-missing",)), "image").verdict == "pass"


def test_a_header_without_pixels_beside_an_image_does_not_count():
    header = scan(F.DICOM, M.CT, notes=("no-pixels",))
    assert among((header, T1), "image").verdict == "pass"
    assert among((header, LABELS), "image", "label").verdict == "unknown"


def test_contours_count_though_they_have_no_dimension():
    facts = {"modalities": (M.RTSTRUCT,), "formats_in": (F.DICOM, F.RTSTRUCT)}
    upload = (CT, CONTOURS)
    assert among(upload, "image", "contour", **facts).scan == "image, contour"
    assert among(upload, "image", "contour", fact="modality", **facts).verdict == "pass"
    assert among(upload, "image", fact="modality", modalities=(M.CT,)).scan == "CT"


def test_contours_are_a_label_map_to_a_tool_that_opens_them_as_such():
    upload, reads = (CT, CONTOURS), {"formats_in": (F.DICOM, F.RTSTRUCT)}
    fit = among(upload, "image", "label", **reads)
    assert (fit.verdict, fit.scan) == ("pass", "image, contour")
    assert among(upload, "image", "label", formats_in=(F.DICOM,)).verdict == "unknown"
    assert values(of(CONTOURS, "image", **reads))[:2] == ("unknown", "contour")
    assert of(CONTOURS, "image", formats_in=(F.DICOM,)).verdict == "fail"


def test_a_tool_whose_input_is_absent_stands_below_those_that_have_it_and_is_not_hidden():
    wrong = make_tool("a", needs=Needs(data=("label",)))
    right = make_tool("b", needs=Needs(data=("image",)))
    candidates = [Candidate(tool=wrong, score=1.0), Candidate(tool=right, score=0.2)]
    last = Candidate(tool=make_tool("c"), score=0.0)
    result = FitStage().run(make_state("x", *candidates, last, scans=(CT,), path="fit"))
    assert ids(result) == ["b", "a", "c"]
    assert result.state.candidates[1].score == pytest.approx(0.0)


def test_a_tool_that_opens_contours_and_needs_an_image_says_that_it_is_absent():
    opens = {"formats_in": (F.DICOM, F.RTSTRUCT)}
    stated = "requirements.data: image; also needs an image"
    assert values(of(CONTOURS, "image", **opens)) == ("unknown", "contour", stated)
    assert among((CONTOURS, CT), "image", **opens).verdict == "pass"


def test_contours_that_a_silent_record_converts_need_the_image_whose_grid_they_fill():
    converts = (Conversion(F.RTSTRUCT, F.NIFTI, "contour", source="x"),)
    fit = of(CONTOURS, converts=converts)
    assert values(fit) == ("unknown", "contour", "formats_in: RTSTRUCT; also needs an image")
    assert summary_of([fit]).text == "Fit not stated"
    assert of(CONTOURS, converts=()).tool is None
    assert of(LABELS, converts=converts).tool is None


@pytest.mark.skipif(not SHARED.exists(), reason="the scans with known truth are not here")
def test_headers_of_real_files_give_the_verdict():
    paths = {
        "ext/nifti/hippo.nii.gz": ("unknown", "looks like a label map"),
        "made/nifti/vol_c.nii.gz": ("unknown", "looks like a label map"),
        "pkg/nifti/JHU-WhiteMatter-labels-1mm.nii.gz": ("fail", "label map"),
        "ext/nifti/M2208_T2w.nii.gz": ("pass", "image"),
        "ext/dicom/liver_deflate.dcm": ("fail", "label map"),
        "ext/dicom/us_multiframe_jpeg.dcm": ("pass", "image"),
        "ext/dicom/sr_document.dcm": ("fail", "no pixels"),
        "pkg/dicom/tiny_dicomdir_study.zip": ("fail", "no pixels"),
        "ext/nifti/dlabel.dlabel.nii": ("unknown", None),
    }
    uploads = read_each([SHARED / path for path in paths])
    fits = [of(one, "image") for upload in uploads for one in upload.scans]
    assert [(fit.verdict, fit.scan) for fit in fits] == list(paths.values())


PRINTED = """
from tests.fit.test_data import CONTOURS, CT, LABELS
from retrieval.core.types import Needs
from retrieval.fit.check import fit_of_kinds
from retrieval.fit.series import kinds_of
from tests.fakes import make_tool
tool = make_tool("a", needs=Needs(data=("table", "label", "image", "streamlines")))
print(fit_of_kinds(tool, kinds_of((CT, LABELS, CONTOURS))))
"""


def test_the_evidence_is_the_same_under_any_hash_seed():
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(printed) == 1
    assert "also needs a table and streamlines" in printed.pop()


@pytest.mark.parametrize("note", ["unbelievable-header", "truncated", "length-beyond-file"])
def test_a_header_without_a_size_is_damaged_for_every_tool(note):
    broken = scan(F.DICOM, M.CT, None, notes=(note,))
    tool = make_tool("a", formats_in=(F.DICOM,), modalities=(M.CT,), needs=Needs(data=("image",)))
    summary = summary_of(fit_of(tool, broken))
    assert (summary.verdict, summary.text) == ("unknown", "The scan has a damaged header")
    cut_later = scan(F.DICOM, M.CT, notes=(note,))
    assert "damaged" not in summary_of(fit_of(tool, cut_later)).text


def test_contours_lack_no_dimension():
    tool = make_tool("a", formats_in=(F.DICOM, F.RTSTRUCT), modalities=(M.RTSTRUCT,))
    assert summary_of(fit_of(tool, CONTOURS)).text == "Fits"


def test_what_has_more_than_four_axes_is_stated_by_no_record():
    long = scan(dimension=Dimension.D4, notes=("vector", "more-axes"))
    fits = of(long, fact="dimension", dimensions=(Dimension.D4,))
    assert values(fits) == ("unknown", "more than 4D", "dimensions: 4D")
    assert of(long, fact="dimension", dimensions=(Dimension.D3,)).verdict == "fail"


def test_the_same_tasks_decide_on_the_kind_and_on_the_data_of_a_label_map():
    both = {"tasks": ("denoising", "resampling"), "modalities": (M.CT,)}
    assert of(LABELS, "image", **both).verdict == "unknown"
    assert of(LABELS, "image", fact="modality", **both).verdict == "unknown"


def test_a_surface_lacks_no_dimension():
    tool = make_tool("a", formats_in=(F.GIFTI,), dimensions=(Dimension.D3,))
    surface = scan(F.GIFTI, M.MRI, None, notes=("surface",))
    fits = fit_of(tool, surface)
    assert "dimension" not in summary_of(fits).text
    assert next(f.scan for f in fits if f.fact == "dimension") == "no grid of voxels"


def test_a_document_fits_a_tool_that_states_its_kind_and_takes_it_as_a_file():
    plan = scan(F.DICOM, M.RTPLAN, None, notes=("not-an-image",))
    facts = {"formats_in": (F.DICOM,), "modalities": (M.RTPLAN,)}
    tool = make_tool("a", tasks=("reading and writing",), **facts)
    assert summary_of(fit_of(tool, plan)).text == "Fits"
    other = make_tool("b", formats_in=(F.DICOM,), modalities=(M.CT,))
    assert "Fits" not in summary_of(fit_of(other, plan)).text
    assert of(plan, "image", modalities=(M.RTPLAN,)).verdict == "fail"


@pytest.mark.parametrize(
    ("facts", "needs_no_pixels"),
    [
        ({}, True),
        ({"tasks": ("data archive",), "formats_out": ()}, True),
        ({"tasks": ("conversion",), "formats_out": (F.NIFTI,)}, False),
        ({"tasks": ("viewing",)}, False),
        ({"formats_out": (F.DICOM, F.PNG)}, False),
    ],
)
def test_what_passes_on_dicom_files_of_any_kind_needs_no_pixels(facts, needs_no_pixels):
    own = {"tasks": ("anonymisation",), "formats_in": (F.DICOM,), "formats_out": (F.DICOM,)}
    tool = make_tool("a", **{**own, **facts})
    plan = scan(F.DICOM, M.RTPLAN, None, notes=("not-an-image",))
    assert ("no pixels" not in summary_of(fit_of(tool, plan)).text) == needs_no_pixels


def test_what_a_tool_converts_itself_it_reads():
    tool = make_tool("a", formats_in=(F.NIFTI,))
    fits = fit_of(tool, scan(F.AFNI), lambda have, wanted, content: ((have, "a", "NIfTI"),))
    assert values(fits[0]) == ("pass", "AFNI", "formats_in: NIfTI; converts AFNI itself")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (M.RTPLAN, "The scan is a plan without dose, contours or pixels; what else is stated fits"),
        (M.SR, "The scan is a report without pixels; what else is stated fits"),
        (M.PR, "The scan is a display state without pixels; what else is stated fits"),
        (M.KO, "The scan is a list of images without pixels; what else is stated fits"),
    ],
)
def test_a_tool_that_reads_a_document_among_others_is_told_what_it_is(kind, words):
    document = scan(F.DICOM, kind, None, notes=("not-an-image",))
    facts = {"formats_in": (F.DICOM,), "modalities": (kind, M.RTDOSE, M.RTSTRUCT)}
    dose_tool = make_tool("a", tasks=("measurement", "viewing"), **facts)
    summary = summary_of(fit_of(dose_tool, document))
    assert summary is not None
    assert (summary.verdict, summary.text) == ("unknown", words)


def test_a_plan_holds_no_contours():
    plan = scan(F.DICOM, M.RTPLAN, None, notes=("not-an-image",))
    tool = make_tool("a", needs=Needs(data=("contour",)), modalities=(M.RTPLAN,))
    assert summary_of(fit_of(tool, plan)).text == "Needs contours"


DOSE = scan(F.DICOM, M.RTDOSE)
HISTOGRAMS = make_tool(
    "a",
    tasks=("statistical analysis",),
    formats_in=(F.DICOM, F.RTSTRUCT),
    modalities=(M.RTDOSE, M.RTSTRUCT),
    dimensions=(Dimension.D3,),
)


@pytest.mark.parametrize(
    ("scans", "text"),
    [
        ((DOSE,), "Fits, also needs contours"),
        ((CONTOURS,), "Fits, also needs a dose"),
        ((DOSE, CONTOURS), "Fits"),
    ],
)
def test_a_tool_that_measures_dose_in_contours_needs_both(scans, text):
    assert summary_of(fit_of_kinds(HISTOGRAMS, kinds_of(scans))).text == text


def test_a_tool_that_reads_dose_and_contours_for_another_task_takes_either():
    reader = replace(HISTOGRAMS, tasks=("reading and writing", "conversion"))
    assert summary_of(fit_of(reader, DOSE)).text == "Fits"


def test_a_converter_of_headers_needs_no_pixels():
    report = scan(F.DICOM, M.SR, None, notes=("not-an-image",))
    writes_json = make_tool(
        "a", formats_in=(F.DICOM,), converts=make_pairs("DICOM > JSON", what="metadata")
    )
    writes_png = make_tool("b", formats_in=(F.DICOM,), converts=make_pairs("DICOM > PNG"))
    badges = [summary_of(fit_of(tool, report)).text for tool in (writes_json, writes_png)]
    assert badges[0] == "Modality not stated; what is stated fits"
    assert badges[1] == "The scan has no pixels"
