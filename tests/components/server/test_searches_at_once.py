"""As many searches run at once as there are processors; more where each may wait for a model."""

from __future__ import annotations

import os

import gradio as gr
import pytest

from components.events import SEARCHES
from components.serve import limit_searches
from retrieval import Settings


@pytest.fixture
def page():
    """A page with two events that search and one that does not."""
    with gr.Blocks() as blocks:
        button = gr.Button()
        for _ in range(2):
            button.click(lambda: None, **SEARCHES)
        button.click(lambda: None, concurrency_limit=3, concurrency_id="files")
    return blocks


def limits(page, **settings):
    limit_searches(page, Settings(_env_file=None, **settings))
    return [(event.concurrency_id, event.concurrency_limit) for event in page.fns.values()]


@pytest.mark.parametrize(("cores", "most"), [(1, 2), (2, 2), (3, 3), (64, 4), (None, 2)])
def test_as_many_searches_run_at_once_as_there_are_processors_from_two_to_four(
    page, monkeypatch, cores, most
):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert limits(page) == [("search", most), ("search", most), ("files", 3)]


def test_more_searches_run_at_once_where_each_may_wait_for_a_language_model(page, tmp_path):
    script = tmp_path / "answers.json"
    script.write_text("{}", "utf-8")
    assert limits(page, llm_script=script)[0] == ("search", 8)
