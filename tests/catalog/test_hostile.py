"""Bad lines among good ones: each is named by number and reason, the rest is kept, nothing runs.

Every case is read beside good records, then synced over a good index.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.catalog.record import Record
from retrieval.dense.folder import IndexFolder
from retrieval.wiring.index.sync import sync
from tests.catalog.hostile_cases import KEPT, LEFT_OUT, MARKUP, REFUSED, loaded, record, surrounded
from tests.fakes import HashingEncoder

WORDS = {"tasks", "languages", "interfaces", "platforms"}


def test_there_are_more_than_thirty_of_them():
    assert len(REFUSED) + len(LEFT_OUT) + len(KEPT) >= 60
    assert len({case.name for case in [*REFUSED, *LEFT_OUT]}) == len(REFUSED) + len(LEFT_OUT)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_a_bad_line_is_named_with_its_reason_and_the_rest_is_kept(home, case):
    catalog = loaded(home.catalog, surrounded(case.raw))
    assert [r.id for r in catalog.records] == ["good", "other"]
    (refused,) = catalog.refused
    assert refused.line == 2
    assert case.reason in refused.reason
    assert len(refused.reason) <= 200
    assert refused.reason.isprintable()
    told = sync(home, HashingEncoder())
    assert (told["read"], told["kept"], told["added"]) == (2, 2, 0)
    json.dumps(told, ensure_ascii=False).encode()
    assert IndexFolder(home.index_dir).load().meta.ids == ("good", "other")


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_a_catalog_of_one_bad_line_leaves_the_index_as_it_is(home, case):
    before = (home.index_dir / "CURRENT").read_bytes()
    home.catalog.write_bytes(
        case.raw.replace(b"\n", b" ") if case.name != "an id that is taken" else b"{}"
    )
    told = sync(home, HashingEncoder())
    assert (told["read"], told["removed"]) == (0, 0)
    assert told["refused"][-1]["reason"].startswith("no usable record")
    assert (home.index_dir / "CURRENT").read_bytes() == before


@pytest.mark.parametrize("case", LEFT_OUT, ids=lambda case: case.name)
def test_a_bad_value_that_a_record_can_be_without_is_left_out_and_noted(home, case):
    catalog = loaded(home.catalog, surrounded(case.raw))
    assert catalog.refused == ()
    assert [r.id for r in catalog.records] == ["bad", "good", "other"]
    plain = Record(id="bad", name="Bad", description="what it does").model_dump()
    bad = catalog.records[0].model_dump()
    assert {name for name in bad if bad[name] != plain[name]} <= {"sources"}
    assert all(source["url"].startswith("http") for source in bad["sources"])
    notes = [note for note in catalog.notes if case.reason in note.text]
    assert [(note.line, note.id) for note in notes] == [(2, "bad")]
    assert notes[0].text.isprintable()
    assert sync(home, HashingEncoder())["added"] == 1


@pytest.mark.parametrize(("name", "facts"), KEPT, ids=[name for name, _ in KEPT])
def test_hostile_words_stay_words(home, name, facts):
    catalog = loaded(home.catalog, surrounded(record(**facts).encode()))
    bad = next(r for r in catalog.records if r.id == "bad")
    assert catalog.refused == ()
    assert bad.name == facts.get("name", "Bad")
    assert all(note.text.isprintable() for note in catalog.notes)
    assert sync(home, HashingEncoder())["added"] == 1
    assert "bad" in IndexFolder(home.index_dir).load().meta.ids


@pytest.mark.parametrize("field", [name for name in Record.model_fields if name != "id"])
def test_markup_in_any_field_is_refused_or_stays_words(home, field):
    catalog = loaded(home.catalog, surrounded(record(**{field: MARKUP}).encode()))
    assert {"good", "other"} <= {r.id for r in catalog.records}
    bad = [r for r in catalog.records if r.id == "bad"]
    assert len(bad) + len(catalog.refused) == 1
    for held in bad:
        said = {n for n, value in held.model_dump(mode="json").items() if MARKUP in str(value)}
        assert said <= {"name", "description", "keywords", "asked_as", "domain", "suite", *WORDS}
    sync(home, HashingEncoder())
    assert {"good", "other"} <= set(IndexFolder(home.index_dir).load().meta.ids)


def test_nothing_was_run(tmp_path):
    assert not Path("/tmp/owned").exists()
