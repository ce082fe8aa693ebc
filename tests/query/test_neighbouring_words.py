"""Words beside a wish tell of which one they speak, and whether it is one."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

READER = WishReader(
    (
        make_tool("fsl", name="FSL", suite="FSL"),
        make_tool("bet", name="BET", suite="FSL"),
        make_tool("spm", name="SPM", suite="SPM"),
        make_tool("cat12", name="CAT12", suite="SPM"),
    ),
    dict.fromkeys(("language", "interface", "host", "system", "licence", "gpu", "tool"), 0.9),
)


def read(text):
    return READER.read(make_query(text))


def wishes(text):
    return [(w.kind, w.value, w.strength) for w in read(text).wishes]


SHELL, CONTAINER = ("interface", "command line", "wanted"), ("interface", "container", "wanted")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("tumours on slides, one line in the shell, preferably a container", CONTAINER),
        ("tumours on slides, one line in the shell preferably a container", CONTAINER),
        ("tumours, in the shell, ideally a singularity image", CONTAINER),
        ("tumours, in the shell, if possible GPU accelerated", ("gpu", "GPU", "wanted")),
        ("tumours, in the shell, preferably free", ("licence", "free of charge", "wanted")),
    ],
)
def test_a_preference_between_two_wishes_is_of_the_second(text, wish):
    assert wishes(text) == [SHELL, wish]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("skull stripping, preferably a container", CONTAINER),
        ("hippocampal subfields, container", CONTAINER),
        ("liver, must be a container", ("interface", "container", "required")),
        ("liver, no container", ("interface", "container", "unwanted")),
        ("viewer for CBCT, has to be free", ("licence", "free of charge", "required")),
        ("spinal cord, Apache preferred", ("licence", "Apache", "wanted")),
        ("particle picking, nothing non-commercial", ("purpose", "commercial", "wanted")),
    ],
)
def test_a_short_word_is_a_wish_where_a_clause_says_no_more(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize(
    "text",
    [
        *("segment a shipping container in CT", "contents of a container in X-ray security scans"),
        *("free water elimination", "the web of spider silk, segment threads"),
    ],
)
def test_such_a_word_beside_others_is_none(text):
    assert wishes(text) == []


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("liver segmentation, GPL would be fine", "liver segmentation"),
        ("liver segmentation, a GPL licence is acceptable", "liver segmentation"),
        ("liver segmentation, GPL wäre auch ok", "liver segmentation"),
        ("liver segmentation, MATLAB is fine", "liver segmentation"),
        ("liver segmentation, GPU available but not needed", "liver segmentation"),
        ("liver segmentation, a GPU is there but not required", "liver segmentation"),
    ],
)
def test_a_permission_is_no_wish_and_leaves_the_text(text, rest):
    assert wishes(text) == []
    assert read(text).text == rest


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("liver segmentation, GPL would be nice", ("licence", "GPL", "wanted")),
        ("liver segmentation, GPU not needed", ("gpu", "GPU", "unwanted")),
        ("vessels, MIT/BSD would be fine", ("licence", "MIT or BSD", "wanted")),
    ],
)
def test_what_is_liked_or_not_needed_stays_a_wish(text, wish):
    assert wishes(text) == [wish]


EITHER = ("interface", "command line or container", "required")
NAMED = ("interface", "container or command line", "required")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("stroke masks, has to run on the cluster", EITHER),
        ("stroke masks. has to go on the cluster - so Singularity or plain command line", NAMED),
        ("stroke masks for our HPC, a Singularity image", CONTAINER),
        (
            "stroke masks, must run headless on our cluster",
            ("interface", "command line", "required"),
        ),
        ("stroke masks on our HPC cluster", SHELL),
        ("stroke masks on our slurm cluster", SHELL),
    ],
)
def test_a_cluster_rules_no_container_out(text, wish):
    assert wishes(text) == [wish]
    assert read(text).text == "stroke masks"


@pytest.mark.parametrize(
    ("text", "systems"),
    [
        ("liver, I'm on Windows with WSL", ["Windows or Linux"]),
        ("liver, on Windows 11 (WSL2)", ["Windows or Linux"]),
        ("liver, in WSL", ["Linux"]),
        ("liver, on Windows and Linux", ["Windows", "Linux"]),
    ],
)
def test_what_runs_in_wsl_runs_on_windows(text, systems):
    assert [value for kind, value, _ in wishes(text) if kind == "system"] == systems


@pytest.mark.parametrize(
    "text",
    [
        "BIDS conversion with a GUI instead of writing heuristics in python",
        "BIDS conversion, clickable instead of scripting in Python",
        "BIDS conversion rather than coding it in MATLAB",
    ],
)
def test_the_language_of_spared_work_is_no_wish(text):
    assert set(wishes(text)) == {("interface", "graphical", "wanted")}
    assert "in" not in read(text).text.split()


def test_a_language_that_another_stands_for_is_ruled_out():
    assert ("language", "Python", "unwanted") in wishes("EEG in MATLAB rather than in Python")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("liver, no CC-BY-NC", ("purpose", "commercial", "wanted")),
        ("liver, nothing with an NC clause", ("purpose", "commercial", "wanted")),
        ("MRS fitting, free for a company", ("purpose", "commercial", "wanted")),
        ("spinal cord, MIT or LGPL licence", ("licence", "MIT or LGPL", "wanted")),
        ("lesions, 8 GB on the card", ("memory", "8 GB GPU", "wanted")),
        ("lesions, 12GB on my GPU", ("memory", "12 GB GPU", "wanted")),
        ("skull stripping, we used FSL so far and want away from it", ("tool", "FSL", "unwanted")),
    ],
)
def test_licences_cards_and_tools_left_behind_are_read(text, wish):
    assert wishes(text) == [wish]


def test_a_program_behind_the_slash_of_a_language_is_wished():
    both = [("language", "MATLAB", "wanted"), ("tool", "SPM", "wanted")]
    assert wishes("fMRI preprocessing matlab/SPM") == both


@pytest.mark.parametrize(
    "text",
    [
        *("DVH stats from RTx plans across a cohort", "lung changes after RTx"),
        *("convert a CC-BY-NC dataset", "segment the tumour and replace it with healthy tissue"),
    ],
)
def test_words_of_the_field_that_look_like_wishes_are_none(text):
    assert wishes(text) == []


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (
            "colocalisation of spots plugin, not a standalone program",
            ("interface", "plugin", "wanted"),
        ),
        ("Fiji macro for colocalisation of spots, not another app", ("host", "Fiji", "wanted")),
    ],
)
def test_a_plugin_is_no_program_of_its_own_and_may_have_a_window(text, wish):
    assert wishes(text) == [wish]
    assert read(text).text == "colocalisation of spots"


NO_CARD = ("gpu", "GPU", "unwanted")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("MRIの頭蓋骨除去、GPUなしで動くもの", NO_CARD),
        ("MRIの頭蓋骨除去、GPUは使えません", NO_CARD),
        ("MRIの頭蓋骨除去、GPU不要", NO_CARD),
        ("MRIの頭蓋骨除去、GPUがなくても動く", NO_CARD),
        ("細胞の追跡、MATLABは使えない", ("language", "MATLAB", "unwanted")),
        ("細胞の追跡、Dockerなし", ("interface", "container", "unwanted")),
        ("細胞の追跡、Pythonで", ("language", "Python", "wanted")),
        ("細胞の追跡、Windowsで動くもの", ("system", "Windows", "wanted")),
        ("肺のセグメンテーション、GPUが必要", ("gpu", "GPU", "wanted")),
        ("脑提取，不需要GPU", NO_CARD),
    ],
)
def test_japanese_denies_behind_a_name(text, wish):
    assert wishes(text) == [wish]


def test_a_chinese_denial_behind_a_comma_is_of_what_follows():
    assert wishes("需要GPU，不要Docker") == [
        ("gpu", "GPU", "wanted"),
        ("interface", "container", "unwanted"),
    ]


@pytest.mark.parametrize("text", ["脊髄MRIのセグメンテーション", "脳の血管がない領域"])
def test_japanese_requests_without_a_wish_have_none(text):
    assert wishes(text) == []
