"""What was asked for beside a list, or of a scan, goes when another list or scan comes."""

from __future__ import annotations

import gradio as gr
import pytest
from building import CT, MR, upload

from components.data import Data, Form
from components.page import Page
from components.panels.search.scan import _scan_updates, with_upload
from components.run import emptied, search
from retrieval import Settings
from tests.fakes import small_engine

ENGINE = small_engine()
VALUES = ["segment", "hybrid", True, False, [], *([] for _ in range(6)), []]


@pytest.fixture(scope="module")
def page():
    with gr.Blocks():
        return Page(ENGINE, Settings(_env_file=None))


def asked_of_a_list(parts):
    results = parts.results
    return [results.recipe, results.plan, results.why.output, results.compare.output]


def test_another_list_empties_what_was_asked_for_beside_the_one_before(page):
    views = [v for v in search(ENGINE, Form(text="segment"), Data()) if "shown" in v]
    for view in (*views, emptied(())):
        placed = page.parts.placed(view)
        assert [placed[box] for box in asked_of_a_list(page.parts)] == [""] * 4


def test_another_scan_empties_recipe_and_plan_and_leaves_what_was_asked_of_the_list(page):
    data = with_upload(with_upload(Data(), upload(CT)), upload(MR))
    updates = _scan_updates(page.parts, ENGINE, data, VALUES)
    recipe, plan, *of_the_list = asked_of_a_list(page.parts)
    assert (updates[recipe], updates[plan]) == ("", "")
    assert not updates.keys() & set(of_the_list)
