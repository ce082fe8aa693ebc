"""Wishes in a word or two among keywords, and names in a request that tells no story."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

READER = WishReader(
    (make_tool("mrtrix3", name="MRtrix3"), make_tool("trackmate", name="TrackMate"))
)

NO_BROWSER = ("interface", "browser", "unwanted")


def wishes(text):
    return [(w.kind, w.value, w.strength) for w in READER.read(make_query(text)).wishes]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("cell tracking with a 2026 release under MIT", [("since", "2026"), ("licence", "MIT")]),
        ("phasor plots, released 2026", [("since", "2026")]),
        ("a cell tracker that had a release in 2026", [("since", "2026")]),
        (
            "topup container BIDS, permissive",
            [("interface", "container"), ("licence", "permissive")],
        ),
        (
            "zarr command line permissive",
            [("interface", "command line"), ("licence", "permissive")],
        ),
        ("eddy correction, Apache only", [("licence", "Apache")]),
        ("cord, terminal on a CPU-only box", [("interface", "command line"), ("gpu", "GPU")]),
        ("slides workflow REST docker", [("interface", "REST"), ("interface", "container")]),
        ("masks, mit Weboberfläche", [("interface", "browser")]),
        ("nuclei, nothing leaves my laptop", [("offline", "offline")]),
        (
            "脑胶质瘤MRI分割，Windows电脑，宽松许可证",
            [("system", "Windows"), ("licence", "permissive")],
        ),
        ("脑胶质瘤MRI分割，不会编程", [("interface", "graphical")]),
        ("CTの前処理をコンテナで", [("interface", "container")]),
        ("poumons, serveur Linux sans GPU", [("system", "Linux"), ("gpu", "GPU")]),
        ("kidneys, zero Python", [("interface", "graphical")]),
        ("a program that has its own window", [("interface", "graphical")]),
        ("fNIRS software with windows for us", [("interface", "graphical")]),
        ("MALDI on a Windows desktop program", [("system", "Windows"), ("interface", "desktop")]),
        ("CT toolbox under BSD, MIT or Apache", [("licence", "BSD or MIT or Apache")]),
    ],
)
def test_a_short_wish_is_read(text, read):
    assert [wish[:2] for wish in wishes(text)] == read


@pytest.mark.parametrize(
    "text",
    [
        *("BraTS 2021 release data, segment tumours", "2018 release of the atlas, hippocampus"),
        *(
            "container ship inspection",
            "frames of an mp4 container file",
            "segment a food container",
        ),
        *("axon terminal segmentation", "count nerve terminals", "permissive hypercapnia, lungs"),
        *("T2 maps at rest", "CT with a window of 400 HU", "the bone window of a CT"),
    ],
)
def test_words_of_other_things_wish_nothing(text):
    assert wishes(text) == []


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("tractography container that isn't MRtrix3", ("interface", "container", "wanted")),
        ("faces on MRI, offline container on our cluster", ("interface", "container", "wanted")),
        ("tractography that isn't MRtrix3", ("tool", "MRtrix3", "unwanted")),
        ("cell tracking, other then trackmate", ("tool", "TrackMate", "unwanted")),
        ("super-resolution that does not drag MATLAB in", ("language", "MATLAB", "unwanted")),
        ("vessel centerline command line python", ("language", "Python", "wanted")),
        ("the C library is a pain to install", ("language", "C", "unwanted")),
        ("PET reconstruction, written in C++", ("language", "C++", "wanted")),
        ("How do you register a T1 in Python on Windows?", ("language", "Python", "wanted")),
        ("how can I count the dots in Fiji?", ("host", "Fiji", "wanted")),
        ("a Python classifier for X-ray that runs on CPU", ("language", "Python", "wanted")),
    ],
)
def test_a_name_is_read_as_it_is_meant(text, wish):
    assert wish in wishes(text)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("segment cells in light-sheet data, napari", ("host", "napari", "wanted")),
        ("segment vessels in MRI data, 3D Slicer", ("host", "3D Slicer", "wanted")),
        ("segment layers in OCT, QuPath", ("host", "QuPath", "wanted")),
        ("track cells in light-sheet data, in Python", ("language", "Python", "wanted")),
        ("denoise MRI data, Fiji, free", ("host", "Fiji", "wanted")),
    ],
)
def test_a_clause_that_says_nothing_but_a_name_wishes_it(text, wish):
    first = text.partition(",")[0]
    reader = WishReader((), {}, concepts=lambda clause: ["operation:task"] * (first in clause))
    assert wish in [(w.kind, w.value, w.strength) for w in reader.read(make_query(text)).wishes]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("DICOM toolkit under the LGPL", [("licence", "LGPL", "wanted")]),
        ("nuclei in 3D, LGPL or MIT", [("licence", "LGPL or MIT", "wanted")]),
        ("nuclei, not LGPL", [("licence", "LGPL", "unwanted")]),
        ("register slices, MIT or LGPL would be fine", [("licence", "MIT or LGPL", "wanted")]),
        ("register slices, no GPL but LGPL is ok", [("licence", "GPL", "unwanted")]),
        ("register slices, LGPL or GPL ok", []),
        ("register slices, MIT or GPL is fine", []),
        ("register slices, any open licence is fine, even GPL", []),
        ("register slices, open source, incl. GPL", [("licence", "open source", "wanted")]),
        ("counting dots; the licence is allowed to be copyleft", []),
        ("register slices, GPL or LGPL", [("licence", "GPL or LGPL", "wanted")]),
        ("register slices, even on Windows", [("system", "Windows", "wanted")]),
    ],
)
def test_a_licence_that_is_allowed_narrows_nothing(text, read):
    assert wishes(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("segment cells, installable via pip", [("language", "Python", "wanted")]),
        ("brain extraction, pip", [("language", "Python", "wanted")]),
        ("brain extraction, available via conda", [("language", "Python", "wanted")]),
        ("nuclei, must not need conda, pip only", [("language", "Python", "required")]),
        ("tractography, downloadable via zenodo", []),
        ("tractography, download via GitHub", []),
        ("brain extraction, without conda", []),
        ("erosion at the PIP, on X-ray", []),
        ("erosion of MCP, PIP and DIP joints", []),
        ("tractography, install it via the browser", [("interface", "browser", "wanted")]),
    ],
)
def test_how_a_tool_is_installed_is_no_wish_for_a_browser(text, read):
    assert wishes(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("BIDS validator, Node or Python", [("language", "JavaScript or Python", "wanted")]),
        ("DICOM parser for Node", [("language", "JavaScript", "wanted")]),
        ("Lymph Node segmentation on CT", []),
        ("lymph node segmentation or detection", []),
    ],
)
def test_node_is_a_language_where_no_body_has_it(text, read):
    assert wishes(text) == read


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("send studies from one PACS to another at the command line", "to another"),
        ("register one image to another with a GUI", "to another"),
        ("align slices to each other in Python", "to each other"),
    ],
)
def test_where_something_goes_is_no_part_of_a_wish(text, left):
    query = WishReader((), {"interface": 1.0, "language": 1.0}).read(make_query(text))
    assert query.text.endswith(left)


def test_what_a_container_does_is_searched():
    typed = make_query("looking for a tractography container")
    assert "tractography" in WishReader((), {"interface": 1.0}).read(typed).text


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("lungs out of a chest CT without leaving 3D Slicer", ("host", "3D Slicer", "wanted")),
        ("count cells without having to leave Fiji", ("host", "Fiji", "wanted")),
        ("I'd rather leave MATLAB out", ("language", "MATLAB", "unwanted")),
        ("dermoscopy model, no research-only weights", ("purpose", "commercial", "wanted")),
        ("embeddings, research-only weights are a no-go", ("purpose", "commercial", "wanted")),
        ("EF, no proprietary or academic-only terms", ("purpose", "commercial", "wanted")),
        ("liver, for research only", ("purpose", "academic", "required")),
        ("WMH on FLAIR other than something GPL-ish", ("licence", "GPL", "unwanted")),
        ("call it as a module in Python", ("language", "Python", "wanted")),
        ("an MRS package with its own windows", ("interface", "graphical", "wanted")),
        ("dose histograms, last release not before 2022", ("since", "2022", "wanted")),
        ("slide QC that a commercial lab may run", ("purpose", "commercial", "wanted")),
        ("it needs a web console for the trial office", ("interface", "browser", "wanted")),
        ("perfusion maps on a laptop, scripted", ("interface", "command line", "wanted")),
        ("EEG, one command for 200 subjects", ("interface", "command line", "wanted")),
        ("faces; we may not send heads to any online service", NO_BROWSER),
        ("liver, we can't upload patient data to a web tool", NO_BROWSER),
        ("send masks to a web viewer", ("interface", "browser", "wanted")),
        ("planning toolkit, scripted from Python", ("language", "Python", "wanted")),
        ("sections; our IT hands out containers", ("interface", "container", "wanted")),
        ("kidneys with a small Windows window", ("system", "Windows", "wanted")),
        ("conversion on macOS, last release 2026", ("since", "2026", "wanted")),
    ],
)
def test_a_wish_in_unusual_words_is_read(text, wish):
    assert wish in wishes(text)
