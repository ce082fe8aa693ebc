"""A catalog file: bad lines are named with their reason and the rest is kept."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.errors import BadInput


def line(id, **fields):
    return json.dumps({"id": id, "name": id, "description": f"does {id}", **fields})


def load(tmp_path, *lines):
    path = tmp_path / "tools.jsonl"
    path.write_bytes(b"\n".join(x.encode() if isinstance(x, str) else x for x in lines))
    return load_catalog(path)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ("3", "not a JSON object"),
        ('{"id": "x"}', "name: Field required"),
        (line("a"), "a second record with the id a"),
        (b"\xff\xfe", "not UTF-8 text"),
        ("[" * 100_000, "not a JSON object"),
        ('"' + "x" * 1_000_001 + '"', "longer than 1,000,000 bytes"),
    ],
)
def test_a_bad_line_is_refused_by_number_and_reason_and_the_rest_is_kept(tmp_path, bad, reason):
    catalog = load(tmp_path, line("a"), bad, "", line("c"))
    assert [r.id for r in catalog.records] == ["a", "c"]
    [refused] = catalog.refused
    assert refused.line == 2
    assert refused.reason.startswith(reason)
    assert len(refused.reason) <= 200


def test_a_licence_outside_spdx_becomes_a_reference_and_the_record_stays(tmp_path):
    [record] = load(tmp_path, line("a", license="very free indeed")).records
    assert record.license == "LicenseRef-very-free-indeed"


def test_a_value_outside_a_closed_vocabulary_is_left_out_and_noted(tmp_path):
    catalog = load(tmp_path, line("a", modalities=["CT", "telepathy"]))
    assert [r.modalities for r in catalog.records] == [["CT"]]
    [note] = catalog.notes
    assert (note.line, note.id) == (1, "a")
    assert "telepathy" in note.text


@pytest.mark.parametrize(
    ("facts", "rest", "reason"),
    [
        ({"url": "javascript:x"}, {"url": None}, "url: "),
        ({"gpu": "perhaps"}, {"gpu": None}, "gpu: "),
        ({"citation": "Doe J et al., Nature 2020"}, {"citation": None}, "citation: a citation is"),
        ({"python_version": "a recent one"}, {"python_version": None}, "python_version: "),
        ({"keywords": ["a", "", "b"]}, {"keywords": ["a", "b"]}, "keywords.1: "),
        ({"requires_tool": ["a b", "c"]}, {"requires_tool": ["c"]}, "requires_tool.0: "),
    ],
)
def test_an_optional_value_that_is_wrong_is_left_out_and_noted(tmp_path, facts, rest, reason):
    catalog = load(tmp_path, line("x", **facts))
    [record] = catalog.records
    assert {name: getattr(record, name) for name in rest} == rest
    [note] = catalog.notes
    assert (note.line, note.id) == (1, "x")
    assert note.text.startswith(reason)
    assert note.text.endswith("; left out")


def test_of_what_the_input_has_to_be_the_wrong_part_alone_is_left_out(tmp_path):
    needs = {"orientation": "upwards", "channels": 3}
    [record] = load(tmp_path, line("x", requirements=needs)).records
    assert (record.requirements.orientation, record.requirements.channels) == (None, 3)


def test_a_wrong_value_that_a_record_must_have_is_the_reason_of_its_refusal(tmp_path):
    [refused] = load(tmp_path, line("x", name="", gpu="perhaps")).refused
    assert refused.reason.startswith("name: ")


@pytest.mark.parametrize("address", ["b.example.org", "a-b.example/x?y=1", "example.com:8080/x"])
def test_a_bare_host_is_an_address_of_https(tmp_path, address):
    catalog = load(tmp_path, line("x", url=address))
    assert (catalog.records[0].url, catalog.notes) == (f"https://{address}", ())


@pytest.mark.parametrize("address", ["see the paper", "10.1038/nature1", "me@example.org", "tool"])
def test_what_is_no_host_is_no_address(tmp_path, address):
    assert load(tmp_path, line("x", url=address)).records[0].url is None


def test_a_refused_record_of_a_list_is_named_with_its_number(tmp_path):
    rows = [{"id": "a", "name": "A"}, {"name": "B"}, {"description": "x"}, {"biotoolsID": "c"}]
    refused = load(tmp_path, json.dumps([{"name": "Z", "description": "z"}, *rows])).refused
    assert [(one.line, one.record, one.id) for one in refused] == [
        (1, 2, "a"),
        (1, 3, "b"),
        (1, 4, ""),
        (1, 5, "c"),
    ]
    assert load(tmp_path, "name,description", ",x").refused[0].id == ""
    assert refused[0].text == "line 1, record 2 a: description: Field required"


def test_lines_after_a_very_long_one_keep_their_numbers(tmp_path):
    catalog = load(tmp_path, "x" * 2_500_000, line("a"), "bad")
    assert [r.line for r in catalog.refused] == [1, 3]
    assert [r.id for r in catalog.records] == ["a"]


def test_empty_lines_and_a_byte_order_mark_are_no_error(tmp_path):
    catalog = load(tmp_path, b"\xef\xbb\xbf" + line("a").encode(), "", "   ", line("b"))
    assert [r.id for r in catalog.records] == ["a", "b"]
    assert catalog.refused == ()


def test_the_order_of_the_lines_does_not_matter(tmp_path):
    one = load(tmp_path, line("a"), line("b"))
    other = load(tmp_path, line("b"), line("a"))
    assert one.sha256 == other.sha256
    assert [r.id for r in one.records] == [r.id for r in other.records] == ["a", "b"]


@pytest.mark.parametrize(
    "change",
    [
        {"demo_url": "https://e.org"},
        {"url": "https://e.org"},
        {"keywords": ["x"]},
        {"checked_on": "2026-01-01"},
    ],
)
@pytest.mark.requirement("W8")
def test_a_change_of_any_field_changes_the_fingerprint(tmp_path, change):
    before, after = (
        load(tmp_path, line("a"), line("b")),
        load(tmp_path, line("a", **change), line("b")),
    )
    assert before.fingerprints["a"] != after.fingerprints["a"]
    assert before.fingerprints["b"] == after.fingerprints["b"]
    assert before.sha256 != after.sha256


def test_links_to_tools_that_are_not_there_are_dropped(tmp_path):
    catalog = load(tmp_path, line("a", requires_tool=["b", "gone", "a"]), line("b"))
    assert catalog.tools[0].requires_tool == ("b",)


def test_a_file_that_is_not_there_is_named_as_the_catalog(tmp_path):
    with pytest.raises(BadInput, match=r"SCANSCOUT_CATALOG: nothing\.jsonl could not be read"):
        load_catalog(tmp_path / "nothing.jsonl")
    with pytest.raises(BadInput, match=r"SCANSCOUT_CATALOG: .* is a folder"):
        load_catalog(tmp_path)


def test_an_empty_file_holds_no_record(tmp_path):
    assert load(tmp_path, "").records == ()
