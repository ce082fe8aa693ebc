"""An answer says once, above its list, what its files are not for."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from retrieval.core import Candidate, Query, ScanInfo, StageResult
from retrieval.core.codes import Dimension, Format, Modality
from retrieval.engine.engine import Engine
from retrieval.engine.snapshot import Mode, Snapshot
from retrieval.export.serialise import to_json
from retrieval.fit.requested.remarks import SEGMENTED
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

LIVER = make_tool("liver", tasks=("segmentation",), modalities=("CT",), anatomy=("liver",))
SEG = ScanInfo(format=Format.DICOM, modality=Modality.SEG, dimension=Dimension.D3)
CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)


@dataclass
class Listed:
    """A source of one tool."""

    name: str = "bm25"

    def run(self, state):
        listed = (Candidate(tool=LIVER, score=1.0),)
        return StageResult(name=self.name, state=replace(state, candidates=listed))


def notes(text, *scans):
    snapshot = Snapshot(
        tools={LIVER.id: LIVER},
        modes={"hybrid": Mode(name="hybrid", pipeline=Listed(), encoder="none")},
        catalog_sha256="s",
        gaps=gap_judge((LIVER,)),
    )
    query = Query(raw=text, text=text, scans=scans)
    return to_json(Engine(snapshot).run(query))["metadata"]["notes"]


@pytest.mark.parametrize("text", ["segment the liver", "Leber segmentieren", "liver segmentation"])
def test_a_segmentation_that_is_to_be_segmented_is_called_one(text):
    assert SEGMENTED in notes(text, SEG)
    assert SEGMENTED not in notes(text, CT)
    assert SEGMENTED not in notes(text)


def test_another_task_on_it_goes_without_a_remark():
    assert SEGMENTED not in notes("measure the volume of the liver", SEG)


US = ScanInfo(format=Format.DICOM, modality=Modality.US, dimension=Dimension.D2)


@pytest.mark.parametrize("text", ["segment the liver", "liver segmentation", "Leber segmentieren"])
def test_tools_for_another_kind_of_image_alone_are_told_above_the_list(text):
    [told] = notes(text, US)
    assert told.endswith("states another (CT) than your file (US).")
    assert text in told
    assert notes(text, CT) == []


def test_where_the_task_is_not_of_the_catalog_nothing_is_told_of_kinds():
    assert notes("count mitoses", US) == []
