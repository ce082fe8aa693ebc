"""What Gradio tells of the page at every start of a client."""

from __future__ import annotations

from inspect import ismethod

import pytest

from components.page import build_page
from retrieval import Settings
from tests.fakes import small_engine


@pytest.fixture(scope="module")
def blocks():
    return build_page(small_engine(), Settings(_env_file=None))


def test_no_component_holds_a_bound_method_that_gradio_would_copy_with_its_object(blocks):
    held = [
        (type(one).__name__, name)
        for one in blocks.blocks.values()
        for name, value in one.get_config().items()
        if ismethod(value) and value.__self__ is not one
    ]
    assert held == []


def test_a_hidden_progress_has_no_place_that_every_message_would_read_back(blocks):
    quiet = [
        e
        for e in blocks.config["dependencies"]
        if e["api_visibility"] == "private" and e["show_progress"] == "hidden"
    ]
    assert len(quiet) > 40
    assert [e["api_name"] for e in quiet if e["show_progress_on"] != []] == []
