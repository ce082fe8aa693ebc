"""Names, words and kinds in place of ids, codes and the first of many."""

from __future__ import annotations

import pytest
from building import CT, MR, UNKNOWN, Why, answer, candidate, replace, stage, tool, upload
from msgspec import structs

from components.data import Data
from components.render.results.board import board
from components.render.results.browse import similar_panel
from components.render.results.cards import score_rows
from components.render.results.compare import chosen_panel
from components.render.results.detail import detail
from components.render.results.licences import licence
from components.render.search.scan import scan_panel
from retrieval import Alike, Similar
from retrieval.core import Needs

SLICER = tool("3d_slicer", name="3D Slicer")
NEEDY = tool("a", requires_tool=("3d_slicer",), compatible_with=("3d_slicer", "gone"))
ALL = {SLICER.id: SLICER, NEEDY.id: NEEDY}


def line(*scans):
    html = scan_panel(Data(upload=upload(*scans)))
    return html.partition("<p class='inshort'>")[2].partition("<")[0]


def test_what_a_tool_needs_and_works_with_stands_by_its_name():
    html = detail(NEEDY, None, tools=ALL)
    assert "<dt>Needs</dt><dd>3D Slicer</dd>" in html
    assert "<dt>Works with</dt><dd>3D Slicer, gone</dd>" in html


def test_a_comparison_names_what_the_tools_need():
    html = chosen_panel([NEEDY, SLICER], None, catalog=ALL)
    assert "<td>3D Slicer</td>" in html
    assert "3d_slicer</td>" not in html


def test_needs_of_one_kind_are_one_need():
    html = detail(tool("a", needs=Needs(sequences=("T1", "T2"), units="HU")), None)
    assert "<dt>Input</dt><dd>units: HU, sequence: T1, T2</dd>" in html


def test_what_a_similar_tool_shares_is_said_once_for_each_kind_of_fact():
    shared = ("tasks: segmentation", "tasks: detection", "modalities: CT", "paths")
    one = Alike(candidate=candidate(SLICER), shared=shared, same_suite=False, differences=())
    html = similar_panel(Similar(tool=NEEDY, neighbours=(one,)))
    assert "Shares: does: segmentation, detection; works on: CT; paths<" in html


def test_a_last_order_without_a_model_to_set_up_is_no_alarm():
    none = stage("rerank/cross-encoder", status="skipped", note="no model chosen; set one")
    broken = stage("rerank/cross-encoder", status="skipped", note="no answer within 20 s")
    kept, late = (
        board(answer(stage("rerank", candidate(tool()), status="fallback", children=(child,))))
        for child in (none, broken)
    )
    assert 'badge-plain">as before<' in kept
    assert ">fallback<" in late


def test_a_stage_that_another_took_the_place_of_is_called_a_fallback():
    html = board(answer(stage("rerank", candidate(tool("a")), status="fallback")))
    assert ">fallback<" in html
    assert "stand-in" not in html


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("MONAIAuto3DSeg (Slicer)", "MONAI<wbr>Auto<wbr>3D<wbr>Seg (Slicer)"),
        ("sct_deepseg_lesion", "sct_<wbr>deepseg_<wbr>lesion"),
        ("EmphysemaSeg", "Emphysema<wbr>Seg"),
        ("VIBESegmentator", "VIBE<wbr>Segmentator"),
        ("skimage.segmentation.watershed", "skimage.<wbr>segmentation.<wbr>watershed"),
        ("Pancreas CT DiNTS segmentation", "Pancreas CT DiNTS segmentation"),
        ("<b>LesionLocators</b>", "&lt;b&gt;Lesion<wbr>Locators&lt;/b&gt;"),
    ],
)
def test_a_word_breaks_in_a_narrow_column_where_its_parts_join_and_only_a_long_one(name, shown):
    html = board(answer(stage("dense", candidate(tool("a", name=name)))))
    assert f">{shown}</span>" in html


def test_an_empty_list_has_one_sentence_on_why():
    noted = board(answer(stage("bm25", note="no record holds a word of the query")))
    assert "No record holds a word" in noted
    assert "Nothing found here." not in noted
    assert "Nothing found here." in board(answer(stage("bm25")))


def test_a_licence_of_many_words_is_whole_in_its_title():
    html = licence(tool("a", license="LicenseRef-MONAI-multi-organ-noncommercial"))
    whole = "MONAI multi organ noncommercial (own terms)"
    assert f'title="Licence: {whole}">{whole}<' in html


def test_the_line_of_an_upload_names_the_kinds_of_all_its_series():
    assert line(CT) == "DICOM · CT · 3D · 4 × 4 × 3"
    assert line(CT, MR) == "DICOM, NIfTI · CT, MRI · 3D"
    assert line(CT, CT) == "DICOM · CT · 3D · 4 × 4 × 3"
    assert line(UNKNOWN) == "NIfTI · 3D"


def test_the_line_of_an_upload_counts_the_kinds_beyond_the_fourth():
    kinds = [replace(CT, modality=kind) for kind in ("CT", "MRI", "PET", "US", "XR", "SM")]
    assert line(*kinds) == "DICOM · CT, MRI, PET, ultrasound and 2 more · 3D · 4 × 4 × 3"


def test_the_parts_of_a_score_are_named_in_words_below_a_heading():
    why = (Why(kind="share", stage="rank", text="good neighbours", value=0.2),)
    html = score_rows(structs.replace(candidate(tool()), why=why), (("rank", 1, 0.2),))
    assert "Close to other tools that score well 100%" in html
    assert "<h3 id='shares'>Where the last score comes from</h3>" in html
