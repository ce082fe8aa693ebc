"""Each fact by itself: what passes, what fails, what nobody can tell."""

from __future__ import annotations

import pytest

from retrieval.core.codes import BodyPart, Dimension, Format, Modality, PulseSequence
from retrieval.core.types import PARTLY_READ, Needs, ScanInfo
from retrieval.fit.check import fit_of, fit_of_kinds
from retrieval.fit.series import kinds_of
from retrieval.fit.summary import summary_of
from tests.fakes import make_tool


def volume(**fields):
    plain = {
        "format": Format.NIFTI,
        "modality": Modality.MRI,
        "dimension": Dimension.D3,
        "shape": (256, 256, 60),
        "spacing": (1.0, 1.0, 2.0),
    }
    return ScanInfo(**{**plain, **fields})


def of(fact, scan, convert=None, **facts):
    told = {} if convert is None else {"convert": convert}
    return next(f for f in fit_of(make_tool("a", **facts), scan, **told) if f.fact == fact)


def through(*steps):
    """A bridge that knows one chain."""

    def convert(have, wanted, content):
        return steps if steps[-1][2] in wanted and steps[0][0] == have else None

    return convert


def test_a_format_that_a_converter_leads_to_is_a_verdict_of_its_own_that_names_the_converter():
    dicom = volume(format=Format.DICOM)
    bridge = through(("DICOM", "dcm2niix", "NIfTI"))
    fit = of("format", dicom, bridge, formats_in=(Format.NIFTI,))
    assert fit.verdict == "after conversion"
    assert fit.tool == "formats_in: NIfTI, after dcm2niix: DICOM to NIfTI"


def test_a_table_beside_the_image_is_no_conversion_of_it():
    dicom = volume(format=Format.DICOM)
    bridge = through(("DICOM", "dcm4che", "XML"))
    assert of("format", dicom, bridge, formats_in=(Format.XML,)).verdict == "fail"


def test_a_whole_slide_does_not_become_a_volume():
    slide = ScanInfo(format=Format.SVS, modality=Modality.SM, dimension=Dimension.D2)
    bridge = through(("SVS", "a", "TIFF"), ("TIFF", "b", "NIfTI"))
    assert of("format", slide, bridge, formats_in=(Format.NIFTI,)).verdict == "fail"


def test_a_chain_of_three_converters_is_no_way_in():
    dicom = volume(format=Format.DICOM)
    bridge = through(("DICOM", "a", "NRRD"), ("NRRD", "b", "MGH"), ("MGH", "c", "AFNI"))
    assert of("format", dicom, bridge, formats_in=(Format.AFNI,)).verdict == "fail"


def test_a_reader_of_tiff_opens_ome_tiff_but_not_the_other_way():
    ome = ScanInfo(format=Format.OME_TIFF, dimension=Dimension.D2)
    assert of("format", ome, formats_in=(Format.TIFF,)).verdict == "pass"
    tiff = ScanInfo(format=Format.TIFF, dimension=Dimension.D2)
    assert of("format", tiff, formats_in=(Format.OME_TIFF,)).verdict == "fail"


@pytest.mark.parametrize(
    ("sequence", "listed", "verdict"),
    [
        (PulseSequence.DWI, Modality.DMRI, "pass"),
        (PulseSequence.BOLD, Modality.FMRI, "pass"),
        (PulseSequence.T1, Modality.DMRI, "fail"),
        (PulseSequence.BOLD, Modality.DMRI, "fail"),
        (None, Modality.DMRI, "unknown"),
        (PulseSequence.SWI, Modality.QSM, "unknown"),
    ],
)
def test_the_sequence_says_what_kind_of_mri_it_is(sequence, listed, verdict):
    assert of("modality", volume(sequence=sequence), modalities=(listed,)).verdict == verdict


def test_a_wider_modality_beside_a_sibling_leaves_the_scan_in_doubt():
    series = {"dimension": Dimension.D4, "shape": (96, 96, 60, 64)}
    diffusion = volume(sequence=PulseSequence.DWI, **series)
    assert of("modality", diffusion, modalities=(Modality.MRI,)).verdict == "pass"
    both = (Modality.FMRI, Modality.MRI)
    assert of("modality", diffusion, modalities=both).verdict == "unknown"


@pytest.mark.parametrize(
    ("tasks", "modality", "verdict"),
    [
        (("skull stripping", "segmentation"), Modality.MRI, "unknown"),
        (("viewing", "3D rendering"), Modality.MRI, "pass"),
        (("registration",), Modality.MRI, "pass"),
        (("diffusion modelling",), Modality.DMRI, "pass"),
        (("segmentation",), Modality.CT, "fail"),
    ],
)
def test_a_map_of_diffusion_is_no_anatomical_image(tasks, modality, verdict):
    fit = of("modality", volume(sequence=PulseSequence.DWI), modalities=(modality,), tasks=tasks)
    assert (fit.verdict, fit.scan) == (verdict, "one volume or map of diffusion")


def test_a_converter_is_given_no_file_of_the_kind_that_it_makes():
    nifti = volume()
    back = through(("NIfTI", "x", "DICOM"))
    reads = {"formats_in": (Format.DICOM,), "formats_out": (Format.NIFTI,)}
    assert of("format", nifti, back, tasks=("conversion",), **reads).verdict == "fail"
    assert of("format", nifti, back, tasks=("viewing",), **reads).verdict == "after conversion"
    other = {**reads, "formats_out": (Format.NRRD,)}
    assert of("format", nifti, back, tasks=("conversion",), **other).verdict == "after conversion"


def test_a_viewer_that_lists_documents_may_show_images():
    listed = (Modality.SR, Modality.PR, Modality.ECG)
    assert of("modality", volume(), modalities=listed, tasks=("viewing",)).verdict == "unknown"
    assert of("modality", volume(), modalities=listed, tasks=("reporting",)).verdict == "fail"


def test_a_viewer_lists_examples_and_a_segmenter_lists_limits():
    pet = volume(modality=Modality.PET)
    listed = (Modality.CT,)
    assert of("modality", pet, modalities=listed, tasks=("viewing",)).verdict == "unknown"
    assert of("modality", pet, modalities=listed, tasks=("segmentation",)).verdict == "fail"


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"tasks": ("annotation",), "needs": Needs(data=("image", "label"))}, "fail"),
        ({"tasks": ("anonymisation", "model inference")}, "fail"),
        ({"tasks": ("registration", "model training", "model inference")}, "unknown"),
        ({"tasks": ("anonymisation",)}, "unknown"),
        ({"tasks": ("registration", "model inference"), "species": ("any",)}, "unknown"),
        ({"tasks": ("registration", "model inference"), "anatomy": ()}, "unknown"),
    ],
)
def test_what_is_made_for_a_part_of_the_body_lists_limits(facts, verdict):
    listed = {"modalities": (Modality.MRI,), "anatomy": (BodyPart.SPINE,), "species": ("human",)}
    ct = volume(modality=Modality.CT)
    assert of("modality", ct, **{**listed, **facts}).verdict == verdict


def test_a_label_map_is_no_image_of_any_modality():
    labels = volume(modality=None, notes=("label-map",))
    fit = of("modality", labels, modalities=(Modality.MRI,), tasks=("segmentation",))
    assert (fit.verdict, fit.scan) == ("fail", "label map")
    assert of("modality", labels, modalities=(Modality.SEG,)).verdict == "pass"


@pytest.mark.parametrize(
    ("dimension", "taken", "verdict"),
    [
        (Dimension.D4, (Dimension.D3,), "fail"),
        (Dimension.D2, (Dimension.D3,), "fail"),
        (Dimension.D3, (Dimension.D4,), "fail"),
        (Dimension.D4, (Dimension.D3, Dimension.D4), "pass"),
        (Dimension.D3, (), "unknown"),
    ],
)
def test_a_dimension_the_tool_does_not_take_fails(dimension, taken, verdict):
    assert of("dimension", volume(dimension=dimension), dimensions=taken).verdict == verdict


def test_several_volumes_may_be_a_series_in_time():
    tool = make_tool("a", dimensions=(Dimension.D4,), modalities=(Modality.MRI,))
    fits = {f.fact: f for f in fit_of_kinds(tool, kinds_of((volume(), volume())))}
    assert (fits["dimension"].verdict, fits["dimension"].scan) == ("unknown", "3D, 2 volumes")


def test_four_contrasts_beside_each_other_are_four_channels():
    kinds = (PulseSequence.T1, PulseSequence.T2, PulseSequence.FLAIR, PulseSequence.CONTRAST)
    tool = make_tool("a", needs=Needs(channels=4))
    scans = tuple(volume(sequence=kind) for kind in kinds)
    whole = {f.fact: f for f in fit_of_kinds(tool, kinds_of(scans))}["channels"]
    assert (whole.verdict, whole.scan) == ("pass", "4 images of 1")
    assert whole.tool == "requirements.channels: 4"
    part = {f.fact: f for f in fit_of_kinds(tool, kinds_of(scans[:3]))}["channels"]
    assert part.verdict == "fail"


def test_a_microscopes_channels_can_be_chosen_and_a_pictures_colours_cannot():
    cells = ScanInfo(
        format=Format.TIFF, modality=Modality.FLUORESCENCE, dimension=Dimension.D2, channels=4
    )
    assert of("channels", cells, needs=Needs(channels=2)).verdict == "pass"
    colours = ScanInfo(
        format=Format.PNG, dimension=Dimension.D2, channels=3, notes=("rgb",), modality=Modality.US
    )
    assert of("channels", colours, needs=Needs(channels=1)).verdict == "fail"
    assert of("channels", colours, needs=Needs(channels=3)).verdict == "pass"


def test_only_ct_can_be_in_hounsfield_units():
    needs = Needs(units="HU")
    assert of("units", volume(), needs=needs).verdict == "fail"
    ct = volume(modality=Modality.CT)
    assert of("units", ct, needs=needs).verdict == "unknown"
    assert of("units", volume(modality=Modality.CT, units="HU"), needs=needs).verdict == "pass"
    scaled = volume(modality=Modality.CT, units="normalised")
    assert of("units", scaled, needs=needs).verdict == "fail"
    assert of("units", volume()).scan is None
    noted = volume(modality=Modality.CT, units="arbitrary", notes=("not-hu",))
    assert (of("units", noted, needs=needs).verdict, of("units", noted).tool) == ("fail", None)


def test_a_spacing_is_in_the_unit_of_the_table_of_the_scan():
    assert of("spacing", volume(spacing=(0.000325, 0.000325))).scan == "0.325 µm"
    assert of("spacing", volume(spacing=(0.0005, 0.0005, 0.02))).scan == "20 µm"
    assert of("spacing", volume(spacing=(0.1, 0.1, 0.1))).scan == "0.1 mm"


def test_spacing_is_the_largest_side_of_a_voxel():
    fit = of("spacing", volume(), needs=Needs(max_spacing_mm=1.5))
    assert (fit.verdict, fit.scan, fit.tool) == (
        "fail",
        "2 mm",
        "requirements.spacing: up to 1.5 mm",
    )
    assert of("spacing", volume(), needs=Needs(max_spacing_mm=2.0)).verdict == "pass"
    assert of("spacing", volume(spacing=(1.0, 1.0, 1.00001))).scan == "1 mm"
    assert of("spacing", volume(spacing=None), needs=Needs(max_spacing_mm=2.0)).verdict == "unknown"


def test_too_few_slices_fail():
    needs = Needs(min_slices=4)
    assert of("slices", volume(), needs=needs).verdict == "pass"
    assert of("slices", volume(shape=(64, 64, 3)), needs=needs).verdict == "fail"
    flat = volume(dimension=Dimension.D2, shape=(64, 64))
    assert of("slices", flat, needs=needs).verdict == "fail"
    assert of("slices", volume(shape=()), needs=needs).verdict == "unknown"


def test_too_few_slices_of_a_scan_read_in_part_are_unknown_and_enough_are_enough():
    needs, cut = Needs(min_slices=4), {"notes": (PARTLY_READ,)}
    assert of("slices", volume(shape=(64, 64, 3), **cut), needs=needs).verdict == "unknown"
    assert of("slices", volume(shape=(64, 64, 5), **cut), needs=needs).verdict == "pass"


@pytest.mark.parametrize(
    ("shown", "wanted", "verdict"),
    [
        (BodyPart.CHEST, BodyPart.LUNG, "pass"),
        (BodyPart.LUNG, BodyPart.CHEST, "pass"),
        (BodyPart.WHOLE_BODY, BodyPart.LIVER, "pass"),
        (BodyPart.LIVER, BodyPart.WHOLE_BODY, "pass"),
        (BodyPart.BRAIN, BodyPart.LIVER, "fail"),
        (BodyPart.CHEST, BodyPart.BLADDER, "fail"),
        (BodyPart.CHEST, BodyPart.LIVER, "unknown"),
        (BodyPart.CHEST, BodyPart.VESSEL, "unknown"),
        (BodyPart.BRAIN, BodyPart.CELL, "unknown"),
    ],
)
def test_a_body_part_passes_where_one_lies_in_the_other(shown, wanted, verdict):
    assert of("body part", volume(body_part=shown), anatomy=(wanted,)).verdict == verdict


P = BodyPart


@pytest.mark.parametrize(
    ("shown", "wanted", "verdict"),
    [
        (P.CHEST, (P.KNEE, P.BONE), "fail"),
        (P.PELVIS, (P.HAND, P.BONE), "fail"),
        (P.BRAIN, (P.HEART, P.CHEST, P.VESSEL), "fail"),
        (P.KNEE, (P.KNEE, P.BONE), "pass"),
        (P.LIMB, (P.KNEE, P.BONE, P.MUSCLE), "pass"),
        (P.CHEST, (P.SHOULDER, P.BONE), "unknown"),
        (P.PELVIS, (P.LIMB, P.BONE), "unknown"),
        (P.KNEE, (P.CHEST, P.ABDOMEN, P.BONE), "unknown"),
        (P.BONE, (P.KNEE, P.BONE), "pass"),
        (P.PELVIS, (P.FETUS, P.BRAIN), "unknown"),
        (P.CHEST, (P.BONE,), "unknown"),
    ],
)
def test_bone_and_muscle_beside_a_region_are_those_of_the_region(shown, wanted, verdict):
    assert of("body part", volume(body_part=shown), anatomy=wanted).verdict == verdict


@pytest.mark.parametrize(
    ("scanned", "asked", "verdict"),
    [
        (PulseSequence.CONTRAST_VENOUS, PulseSequence.CONTRAST, "pass"),
        (PulseSequence.CONTRAST, PulseSequence.CONTRAST_VENOUS, "unknown"),
        (PulseSequence.NON_CONTRAST, PulseSequence.CONTRAST, "fail"),
        (None, PulseSequence.T1, "unknown"),
    ],
)
def test_a_phase_is_part_of_contrast(scanned, asked, verdict):
    needs = Needs(sequences=(asked,))
    assert of("sequence", volume(sequence=scanned), needs=needs).verdict == verdict


def test_a_modality_that_only_one_sequence_makes_stands_for_it():
    fit = of("sequence", volume(sequence=PulseSequence.T1), modalities=(Modality.DMRI,))
    assert (fit.verdict, fit.tool) == ("fail", "modalities: dMRI")


@pytest.mark.parametrize(
    ("taken", "verdict"),
    [
        ((Dimension.D3,), "unknown"),
        ((Dimension.D4,), "unknown"),
        ((Dimension.D2,), "pass"),
        ((Dimension.D2, Dimension.D3), "pass"),
        ((), "unknown"),
    ],
)
def test_one_slice_of_a_series_is_2d_and_leaves_open_whether_the_volume_is_there(taken, verdict):
    lone = volume(shape=(512, 512), notes=("single-slice",))
    fit = of("dimension", lone, dimensions=taken)
    assert (fit.verdict, fit.scan) == (verdict, "one slice of a 3D series")


def test_the_badge_of_a_tool_for_volumes_names_the_lone_slice():
    lone = volume(format=Format.DICOM, shape=(512, 512), notes=("single-slice",))
    tool = make_tool(
        "a",
        formats_in=(Format.DICOM,),
        modalities=(Modality.MRI,),
        dimensions=(Dimension.D3,),
    )
    summary = summary_of(fit_of(tool, lone))
    assert summary is not None
    assert summary.verdict == "unknown"
    assert summary.text == "States 3D, scan is one slice of a 3D series; what else is stated fits"


@pytest.mark.parametrize(
    ("taken", "verdict"), [("2D", "unknown"), ("3D", "unknown"), ("2D 3D", "pass"), ("4D", "fail")]
)
def test_pages_in_colour_may_be_pictures_or_a_volume(taken, verdict):
    pages = volume(format=Format.TIFF, modality=None, notes=("rgb",))
    fit = of("dimension", pages, dimensions=tuple(Dimension(one) for one in taken.split()))
    assert (fit.verdict, fit.scan) == (
        verdict,
        "3D" if verdict == "pass" else "several pages in colour",
    )


def test_a_stack_without_colour_is_a_volume():
    stack = volume(format=Format.TIFF, modality=None)
    assert of("dimension", stack, dimensions=(Dimension.D2,)).verdict == "fail"
