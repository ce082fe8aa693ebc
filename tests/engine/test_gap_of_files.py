"""A file at hand makes no gap of a request that a record serves without it."""

from __future__ import annotations

import pytest

from retrieval.core import Dimension, Format, Modality, ScanInfo

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
MR = ScanInfo(format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3)
SLIDE = ScanInfo(format=Format.TIFF, modality=Modality.SM, dimension=Dimension.D2)

pytestmark = pytest.mark.model


def searched(engine, text, *scans):
    tokens = tuple(token for scan in scans for token in scan.tokens)
    return engine.run(text, "hybrid", scans=scans, tokens=tokens)


@pytest.mark.parametrize("scan", [CT, MR, SLIDE])
@pytest.mark.parametrize(
    "text",
    [
        "vessel tree from CT angiography",
        "Segment the bones of arm and leg on whole-body CT",
        "Estimate the skin tone in photographs to check a data set for bias",
        "Queremos medir en fotos de hojas el área foliar y qué parte está enferma.",
        "methylation from bisulfite reads",
    ],
)
def test_what_is_served_without_a_file_is_no_gap_with_one(engine, text, scan):
    assert not searched(engine, text).gap_words
    assert not searched(engine, text, scan).gap_words


def test_what_nobody_serves_stays_a_gap_with_a_file(engine):
    text = "segment the pituitary gland"
    assert searched(engine, text).gap_words
    assert (
        searched(engine, text, CT).insight.gap.sentence
        == searched(engine, text).insight.gap.sentence
    )
