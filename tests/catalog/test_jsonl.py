"""Files of one JSON object a line: the line at fault is named, and links lead somewhere."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.jsonl import check_ids, read_lines
from retrieval.core.errors import BadInput


def test_lines_come_in_their_order_without_the_blank_ones(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": 1}\n\n  \n{"a": 2}\n', "utf-8")
    assert read_lines(path, "numbers", lambda line: json.loads(line)["a"]) == (1, 2)


@pytest.mark.parametrize("line", ["{", "[]", "{}", "null", '{"b": 1}'])
def test_a_line_that_cannot_be_made_is_named(tmp_path, line):
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"a": 1}}\n{line}\n', "utf-8")
    with pytest.raises(BadInput, match="numbers: line 2 is wrong"):
        read_lines(path, "numbers", lambda one: json.loads(one)["a"])


def test_a_file_that_is_not_there_is_named_without_its_folder(tmp_path):
    with pytest.raises(BadInput, match=r"numbers: none\.jsonl could not be read") as told:
        read_lines(tmp_path / "none.jsonl", "numbers", str)
    assert str(tmp_path) not in str(told.value)


def test_ids_are_there_once_and_links_lead_to_one():
    check_ids("things", [("a", ["b"]), ("b", [])])
    with pytest.raises(BadInput, match="a is there twice"):
        check_ids("things", [("a", []), ("a", [])])
    with pytest.raises(BadInput, match="a is linked to unknown"):
        check_ids("things", [("a", ["c"]), ("b", [])])
