"""One scale of scores, 0 to 1, never rising down the list, in every mode and with every control."""

import pytest

from retrieval import ScanInfo, to_json
from retrieval.core import Dimension, Format, Modality
from retrieval.query import parse_filters

pytestmark = pytest.mark.model

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
CONTROLS = ("none", "refine", "filter", "scan", "no model", "exclude", "wish")
REQUESTS = (
    "segment lungs on CT",
    "register cardiac MRI",
    "how many nuclei in histology slides",
    "view whole slide images in a browser",
    "mammography density",
    "FSL",
    "xyzzy",
)


def controls(name, engine):
    """The arguments of a search for one control of the page."""
    return {
        "none": {},
        "refine": {"refine": True},
        "filter": {"filters": parse_filters(["modality=CT"], engine.catalog.values())},
        "scan": {"scans": [CT]},
        "no model": {"rerank": False},
        "exclude": {"excluded": ["totalsegmentator"]},
        "wish": {"wanted": ["language=Python"]},
    }[name]


@pytest.mark.parametrize("control", CONTROLS)
def test_16_7_scores_are_0_to_1_and_never_rise(engine, control):
    how = controls(control, engine)
    for mode in engine.modes:
        for request in REQUESTS:
            listed = to_json(engine.run(request, mode, **how))["candidates"]
            for key in ("score", "retrieval_score"):
                scores = [one[key] for one in listed]
                assert all(0 <= score <= 1 for score in scores), (mode, request, key)
                assert scores == sorted(scores, reverse=True), (mode, request, key)
