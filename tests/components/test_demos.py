"""The example searches: every scan is there, is read, and shows what it is an example of."""

import pytest

from components.demos import demo_of, demos
from retrieval.scans.front import read_scans

pytestmark = pytest.mark.process

SHOWN = {
    "Segment lungs in a chest CT": {"format:DICOM", "format:CT", "format:3D"},
    "Measure a labelled brain MR": {"format:NIfTI", "format:MRI", "task:measurement"},
    "Fit tensors to diffusion MR": {"format:NIfTI", "format:dMRI", "format:4D"},
    "Count nuclei in a confocal stack": {"format:OME-TIFF", "format:confocal_microscopy"},
    "A CT series that is broken": {"format:DICOM", "format:CT"},
}


def test_every_example_is_listed():
    assert [demo.label for demo in demos()] == list(SHOWN)
    assert demo_of("no such example") is None


@pytest.mark.parametrize("label", SHOWN)
def test_the_scan_of_an_example_is_read(label):
    demo = demo_of(label)
    upload = read_scans(demo.files)
    assert upload.refused == ()
    assert SHOWN[label] <= set(upload.search_tokens)
    warned = {f.code for f in upload.findings if f.severity != "info"}
    assert warned == ({"missing-slices", "duplicate-slices"} if "broken" in label else set())
