"""Single facts of requirements 5.3 and 5.7 that no other file of tests is about."""

from __future__ import annotations

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

from retrieval.catalog.load import load_catalog
from retrieval.core.evidence import Page
from retrieval.dialogue.clarify import Clarification
from retrieval.llm.reranker import LanguageModelRerank
from retrieval.scans.front import read_scans
from retrieval.scans.reader.preview import render
from retrieval.web.cache import PageCache
from tests.fakes import ScriptedModel, ids, make_candidate, make_state, small_engine
from tests.scans.makers import nifti, smooth


def drawn(width, height):
    plane = np.zeros((height, width), np.uint8)
    return render(plane, "image", ("", "", "", ""), (1.0, 1.0), (0.0, 1.0))


def test_fact_5_3_a_preview_of_2000_by_1000_keeps_its_proportions_within_the_largest_side():
    """Ours ends at 320 pixels a side and not at 500: three planes go into one message."""
    view = drawn(2000, 1000)
    assert (view.width, view.height) == (320, 160)
    with Image.open(io.BytesIO(base64.b64decode(view.image))) as picture:
        assert picture.size == (320, 160)


def test_fact_5_3_a_preview_of_320_by_200_keeps_its_size():
    view = drawn(320, 200)
    assert (view.width, view.height) == (320, 200)


def test_fact_5_3_a_preview_is_kept_in_no_file(tmp_path):
    """Nothing can expire, go missing or be evicted where the picture travels in the answer."""
    path = nifti(tmp_path / "a.nii", smooth((20, 24, 16)))
    views = read_scans([path]).previews[0].views
    assert all(base64.b64decode(view.image, validate=True) for view in views)
    assert list(tmp_path.iterdir()) == [path]


PAGE = (Page(title="t", url="https://x.example/"),)


@pytest.fixture
def kept(tmp_path):
    """A cache of two answers for ten seconds, and the clock it looks at."""
    clock = [100.0]
    return PageCache(tmp_path / "c.db", age_s=10.0, most=2, now=lambda: clock[0]), clock


def test_fact_5_3_a_kept_answer_expires(kept):
    cache, clock = kept
    cache.put(PAGE, "a")
    clock[0] += 10.0
    assert cache.get("a") is not None
    clock[0] += 0.5
    assert cache.get("a") is None


def test_fact_5_3_a_file_of_answers_that_is_gone_is_no_answer_and_no_error(kept):
    cache, _ = kept
    cache.put(PAGE, "a")
    assert cache.file is not None
    cache.file.unlink()
    assert cache.get("a") is None
    cache.put(PAGE, "a")
    assert cache.get("a") is not None


def test_fact_5_3_the_oldest_of_three_answers_goes_where_two_are_kept(kept):
    cache, clock = kept
    for name in "abc":
        cache.put(PAGE, name)
        clock[0] += 1
    assert [cache.get(name) is not None for name in "abc"] == [False, True, True]


def ranked(told, *names):
    shown = [make_candidate(n, 1 - i / 10) for i, n in enumerate(names)]
    model = ScriptedModel(told if isinstance(told, str) else json.dumps(told))
    return LanguageModelRerank(model).run(make_state("x", *shown))


@pytest.mark.parametrize("accuracy", [0.9, 150, "x", None])
@pytest.mark.parametrize("rank", [0, 1, -3, "first"])
def test_fact_5_3_no_accuracy_and_no_rank_that_a_model_makes_up_counts(accuracy, rank):
    """The peer mends such numbers (0.9 to 90, 150 to 100, rank 0 to 1) and shows them (W13).

    Ours takes the order of the list and nothing else: every rank is a place, no score is a
    model's own.
    """
    rows = [{"id": "b", "rank": rank, "accuracy": accuracy}, {"id": "a", "rank": 1}]
    result, plain = ranked({"tools": rows}, "a", "b"), ranked({"tools": ["b", "a"]}, "a", "b")
    assert ids(result) == ["b", "a"]
    scores = [c.score for c in result.state.candidates]
    assert scores == [c.score for c in plain.state.candidates]


def test_fact_5_3_a_status_of_done_beside_the_tools_changes_nothing():
    """The peer reads "done" as complete; here a list that holds tools is the whole answer."""
    told = {"status": "done", "tools": ["b", "a"]}
    assert ids(ranked(told, "a", "b")) == ["b", "a"]


def test_fact_5_3_no_choices_and_no_reason_leave_the_list_and_a_question_can_be_asked():
    empty = ranked({"tools": []}, "a", "b")
    assert (empty.status, ids(empty)) == ("skipped", ["a", "b"])
    answer = small_engine(language_model=ScriptedModel('{"tools": []}')).run("images [REFINE]")
    assert answer.candidates
    assert isinstance(answer.clarification, Clarification)
    assert answer.clarification.question.endswith("?")


ROWS = [{"id": "a", "name": "A", "description": "does a"}, {"id": "b", "name": "B"}]


@pytest.mark.parametrize("shape", ["lines", "array"])
def test_fact_5_3_a_catalog_of_lines_or_an_array_is_read_and_its_bad_records_are_told(
    shape, tmp_path
):
    path = tmp_path / "catalog"
    if shape == "lines":
        path.write_text("\n".join(map(json.dumps, ROWS)) + "\n{broken\n", "utf-8")
    else:
        path.write_text(json.dumps([*ROWS, 3], indent=1), "utf-8")
    catalog = load_catalog(path)
    assert [record.id for record in catalog.records] == ["a"]
    assert len(catalog.refused) == 2
    assert all(line.line and line.reason for line in catalog.refused)


def test_fact_5_7_an_answer_in_words_names_no_place_of_the_list():
    """``TOOLS: [0, 3, nnU-Net]`` keeps 0 and 3 at the peer, as places; ours wants ids in JSON.

    As text it is refused and the order stays, with the reason; as JSON an id counts where it is
    one, a negative number selects nothing and a doubled one counts once.
    """
    names = ("a", "b", "3", "0")
    words = ranked("TOOLS: [0, 3, nnU-Net]", *names)
    assert (words.status, ids(words)) == ("skipped", list(names))
    assert words.note
    assert ids(ranked({"tools": [0, 3, "nnU-Net"]}, *names)) == ["0", "3", "a", "b"]
    assert ids(ranked({"tools": [-1, 0]}, *names)) == ["0", "a", "b", "3"]
    assert ids(ranked({"tools": [3, 3]}, *names)) == ["3", "a", "b", "0"]
