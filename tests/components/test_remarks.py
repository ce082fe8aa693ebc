"""Remarks one after the other, over the shipped catalog; what they set is read, never assumed."""

from dataclasses import replace

import pytest

from components.data import Data, Form, in_force
from components.remarks import after_remark, begun_anew, offers, plain, taken_back, widest
from components.render.search.form import chips
from components.share import query_string
from retrieval import Settings, open_engine

FORM = Form(text="segment lungs in CT", mode="keyword")


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    root = tmp_path_factory.mktemp("remarks")
    return open_engine(Settings(_env_file=None, cache_dir=root, index_dir=root), background=True)


def talked(engine, *remarks, form=FORM):
    data = Data()
    for remark in remarks:
        (form, data), told = after_remark(engine, form, data, remark)
    return form, data, told


def test_a_remark_is_one_chip_for_all_that_it_set(engine):
    form, data, told = talked(engine, "only open licences", "not FSL")
    assert len(form.filters.licenses) > 5
    assert len(form.excluded) > 5
    html = chips(data, form)
    assert html.count("<button") == 2
    assert "only open licences" in html
    assert "left out: FSL" in told[0]


def test_undo_takes_the_last_remark_back_and_start_over_all(engine):
    once = talked(engine, "only open licences")
    undone = talked(engine, "only open licences", "not FSL", "Undo that, please.")
    assert undone[:2] == once[:2]
    assert undone[2] == ("undone: not FSL",)
    form, data, _ = talked(engine, "only open licences", "what about MRI", "start over")
    assert (form, data) == (FORM, Data())
    assert talked(engine, "undo")[2] == ("there is no remark to undo",)


def test_one_remark_of_several_can_be_taken_back(engine):
    form, data, _ = talked(engine, "only open licences", "not FSL", "only 3D")
    form, data = taken_back(engine, form, data, 1)
    assert form.excluded == ()
    assert form.filters == talked(engine, "only open licences", "only 3D")[0].filters
    assert [one.text for one in data.remarks] == ["only open licences", "only 3D"]


def test_a_remark_is_taken_back_where_a_control_was_moved_since(engine):
    form, data, _ = talked(engine, "only open licences", "not FSL")
    moved = Form(text=form.text, mode="rrf", filters=form.filters, excluded=form.excluded)
    after, data = taken_back(engine, moved, data, 0)
    assert (after.mode, after.filters.licenses, after.excluded) == (
        "rrf",
        frozenset(),
        form.excluded,
    )
    assert begun_anew(after, data)[0].excluded == ()


def test_a_contradiction_names_the_remark_that_it_replaces(engine):
    form, _, told = talked(engine, "only 2D", "only 3D")
    assert form.filters.dimensions == {"3D"}
    assert told[-1] == "this contradicts “only 2D”, and takes its place"


def test_a_remark_whose_effect_was_removed_by_hand_is_no_chip(engine):
    form, data, _ = talked(engine, "only 3D")
    assert len(in_force(form, data.remarks)) == 1
    assert in_force(FORM, data.remarks) == ()


def test_the_link_holds_remarks_as_they_were_typed(engine):
    form, data, _ = talked(engine, "only open licences", "not FSL")
    link = query_string(form, data)
    assert link.endswith("&r=only+open+licences&r=not+FSL")
    assert len(link) < 100


def test_an_offer_says_how_many_of_the_tools_found_it_would_leave(engine):
    answer = engine.run(FORM.text, "keyword")
    left = offers(answer, FORM, Data(), engine)
    assert left
    for text, number in left.items():
        (after, _), _ = after_remark(engine, FORM, Data(), text)
        assert number == sum(after.filters.admits(one.tool) for one in widest(answer))
        assert 0 < number < len(widest(answer))


def test_a_polite_sentence_is_the_same_remark():
    assert plain("  Undo that, please! ") == "undo that"


def test_more_and_fewer_change_the_length_of_the_list_and_undo_restores_it(engine):
    form, _, _ = talked(engine, "show more")
    assert dict(form.sizes) == {"top_k": 30}
    form, data, _ = talked(engine, "show fewer", form=replace(FORM, sizes=(("top_k", 20),)))
    assert dict(form.sizes)["top_k"] < 20
    (undone, _), _ = after_remark(engine, form, data, "undo")
    assert undone.sizes == (("top_k", 20),)
