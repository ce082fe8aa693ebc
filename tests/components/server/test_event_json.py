"""Answers of called endpoints are JSON on one line, written by orjson."""

from __future__ import annotations

import ast
import inspect
import json
import time

import pytest
from gradio import routes

from components.server.connections.event_json import EventJson, write_answers_fast

ODD = "caf\u00e9 \u2028 line \u2029 paragraph \x85 next \x0b tab \n end \U0001f600"


def test_gradio_still_writes_called_answers_with_the_json_that_its_routes_name():
    """Else the replacement changes nothing, and this says so at the upgrade."""
    tree = ast.parse(inspect.getsource(routes))
    written = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "process_msg"
        if "json.dumps(data)" in ast.unparse(node)
    ]
    assert len(written) == 1
    write_answers_fast()
    assert isinstance(routes.json, EventJson)
    assert routes.json.loads("[1]") == [1]


def test_an_answer_stands_on_one_line_for_every_reader_and_reads_back_equal():
    value = [{"text": ODD, "score": 0.1, "none": None, "list": [1, 2.5, True]}]
    text = EventJson.dumps(value)
    assert len(text.splitlines()) == 1
    assert json.loads(text) == value


@pytest.mark.parametrize("value", [[{1: "a"}], [2**70], ["\ud800"]])
def test_what_orjson_refuses_is_written_by_the_standard_library(value):
    assert EventJson.dumps(value) == json.dumps(value)


def test_a_number_that_is_none_becomes_null():
    assert EventJson.dumps([float("nan"), float("inf")]) == "[null,null]"


def test_a_large_answer_is_written_in_less_than_half_of_the_time():
    rows = [{"id": f"tool_{n}", "name": f"Tool {n}", "score": n / 7} for n in range(2_000)]

    def shortest(dumps) -> float:
        times = []
        for _ in range(15):
            began = time.perf_counter()
            dumps(rows)
            times.append(time.perf_counter() - began)
        return min(times)

    assert shortest(EventJson.dumps) < shortest(json.dumps) / 2
