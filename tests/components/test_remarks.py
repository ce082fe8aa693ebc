"""Remarks one after the other, over the shipped catalog; what they set is read, never assumed."""

from dataclasses import replace

import pytest
from starlette.datastructures import QueryParams

from components.data import Data, Form, in_force
from components.panels.search.restore import linked_form
from components.remarks import after_remark, begun_anew, offers, reread, taken_back, widest
from components.render.search.form import chips
from components.share import query_string
from retrieval import Settings, open_engine

FORM = Form(text="segment lungs in CT", mode="keyword")
NO_GPU = frozenset({"none"})


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
    html = chips(data, form, catalog={})
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


@pytest.mark.parametrize("talk", ["thanks", "why is lungmask missing?", "the second one please"])
def test_talk_sets_nothing_and_brings_nothing_back(engine, talk):
    before = talked(engine, "not lungmask")
    form, data, told = talked(engine, "not lungmask", talk)
    assert (form, data) == before[:2]
    assert told[0].startswith("nothing changed")


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


def test_a_wish_that_a_remark_has_made_has_the_chip_of_the_remark_alone(engine):
    form, data, _ = talked(engine, "released since 2024")
    html = chips(data, form, engine.wishes(form.text, data.silenced), catalog={})
    assert 'data-kind="remark"' in html
    assert 'data-kind="wish"' not in html
    # Once a control was moved since, the remark is in force no more and the wish is.
    html = chips(
        data, replace(form, mode="rrf"), engine.wishes(form.text, data.silenced), catalog={}
    )
    assert 'data-kind="remark"' not in html
    assert 'data-kind="wish"' in html


@pytest.mark.parametrize(
    "remarks",
    [
        ("cheaper", "show me more"),
        ("top 5",),
        ("top 5", "show me more"),
        ("more", "on Windows", "in Python"),
        ("free", "what about MRI"),
    ],
)
def test_wishes_and_sizes_that_remarks_set_have_the_chips_of_the_remarks_alone(engine, remarks):
    form, data, _ = talked(engine, *remarks)
    in_effect = engine.wishes(form.text, data.silenced)
    assert chips(data, form, in_effect, catalog={}).count("<button") == len(remarks)
    moved = chips(data, replace(form, mode="rrf"), in_effect, catalog={})
    assert moved.count('data-kind="size"') == len(form.sizes)
    assert moved.count('data-kind="wish"') == len(in_effect)


def test_a_wish_and_a_size_that_were_set_before_a_remark_keep_their_chips(engine):
    typed = replace(FORM, text="segment lungs free of charge", sizes=(("hops", 1),))
    form, data, _ = talked(engine, "show me more", "in Python", form=typed)
    html = chips(data, form, engine.wishes(form.text, data.silenced), catalog={})
    assert 'data-id="hops"' in html
    assert 'data-id="top_k"' not in html
    assert html.count('data-kind="wish"') == 1


def test_the_link_holds_remarks_as_they_were_typed(engine):
    form, data, _ = talked(engine, "only open licences", "not FSL")
    link = query_string(form, data)
    assert link.endswith("&r=only+open+licences&r=not+FSL")
    assert len(link) < 100


BY_HAND = {
    "text": "segment ribs",
    "mode": "rrf",
    "off": frozenset({"graph"}),
    "sizes": (("top_k", 5),),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_link_holds_remarks_where_something_else_was_changed_since(engine, name):
    form, data, _ = talked(engine, "only open licences", "not FSL")
    moved = replace(form, **{name: BY_HAND[name]})
    link = query_string(moved, data)
    assert link.endswith("&r=only+open+licences&r=not+FSL")
    parameters = QueryParams(link.removeprefix("?"))
    before = linked_form(engine, parameters)
    opened, after = reread(engine, before, Data(), parameters.getlist("r"))
    assert opened == moved
    assert in_force(opened, after.remarks) == after.remarks
    assert query_string(opened, after) == link


def test_the_link_holds_what_was_changed_between_two_remarks(engine):
    form, data, _ = talked(engine, "only open licences")
    moved = replace(form, text="segment ribs", filters=replace(form.filters, gpu=NO_GPU))
    (last, data), _ = after_remark(engine, moved, data, "not FSL")
    link = query_string(last, data)
    assert link.startswith("?q=segment+ribs&gpu=none&mode=keyword&r=only+open+licences")


def test_the_link_holds_values_where_one_that_a_remark_set_was_changed_since(engine):
    form, data, _ = talked(engine, "only open licences", "not FSL")
    fewer = sorted(form.filters.licenses)[1:]
    moved = replace(form, filters=replace(form.filters, licenses=frozenset(fewer)))
    assert "&r=" not in query_string(moved, data)
    assert query_string(moved, data).count("&lic=") == len(fewer)
    (again, data), _ = after_remark(engine, moved, data, "only 3D")
    assert query_string(again, data).count("&lic=") == len(fewer)


def test_an_offer_says_how_many_of_the_tools_found_it_would_leave(engine):
    answer = engine.run(FORM.text, "keyword")
    left = offers(answer, FORM, Data(), engine)
    assert left
    for text, number in left.items():
        (after, _), _ = after_remark(engine, FORM, Data(), text)
        assert number == sum(after.filters.admits(one.tool) for one in widest(answer))
        assert 0 < number < len(widest(answer))


def test_more_and_fewer_change_the_length_of_the_list_and_undo_restores_it(engine):
    form, _, _ = talked(engine, "show more")
    assert dict(form.sizes) == {"top_k": 30}
    form, data, _ = talked(engine, "show fewer", form=replace(FORM, sizes=(("top_k", 20),)))
    assert dict(form.sizes)["top_k"] < 20
    (undone, _), _ = after_remark(engine, form, data, "undo")
    assert undone.sizes == (("top_k", 20),)


def against(words):
    return f"this contradicts {words}, and takes its place"


def test_a_tool_that_was_left_out_is_back_once_a_remark_names_it(engine):
    form, _, lines = talked(engine, "not FSL", "with FSL")
    assert form.excluded == ()
    assert lines[-1] == against("“not FSL”")
    typed = replace(FORM, excluded=("totalsegmentator",))
    form, _, lines = talked(engine, "what about TotalSegmentator", form=typed)
    assert form.excluded == ()
    assert lines[-1] == against("that TotalSegmentator is left out")
    form, data, _ = talked(engine, "not FSL", "with FSL", "undo")
    assert len(form.excluded) > 5
    assert [one.text for one in data.remarks] == ["not FSL"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("no licence wanted", "open licence"),
        ("open licence", "any licence"),
        ("without GPU", "with GPU"),
        ("not open source", "open licence"),
        ("released since 2024", "released since 2020"),
    ],
)
def test_a_contradiction_across_kinds_of_remarks_is_named(engine, first, second):
    assert talked(engine, first, second)[2][-1] == against(f"“{first}”")


@pytest.mark.parametrize(
    ("typed", "remark"),
    [
        ("in Python", "not Python"),
        ("in Python", "in R"),
        ("open source", "any licence"),
        ("without GPU", "with GPU"),
        ("not FSL", "with FSL"),
        ("released since 2024", "released since 2020"),
    ],
)
def test_a_wish_that_was_typed_gives_way_to_a_remark_and_can_be_put_back(engine, typed, remark):
    asked = replace(FORM, text=f"segment brain {typed}")
    form, data, lines = talked(engine, remark, form=asked)
    assert lines[-1] == against(f"“{typed}” in your words")
    assert typed in form.text
    in_effect = engine.wishes(form.text, data.silenced)
    assert typed not in {wish.text for wish in in_effect}
    assert 'data-kind="words"' in chips(data, form, catalog={})
    (form, data), _ = after_remark(engine, form, data, "undo")
    assert (form, data) == (asked, Data())


def test_a_wish_of_an_earlier_remark_ends_with_the_remark_against_it(engine):
    form, data, _ = talked(engine, "not open source", "open licence")
    assert form.filters.licenses
    assert [w for w in engine.wishes(form.text, data.silenced) if w.kind == "licence"] == []


@pytest.mark.parametrize("remarks", [("in Python", "in Python"), ("without GPU", "no GPU")])
def test_what_is_said_twice_is_no_contradiction(engine, remarks):
    lines = talked(engine, *remarks)[2]
    assert not any("contradicts" in line for line in lines)
    asked = replace(FORM, text=f"segment brain {remarks[0]}")
    lines = talked(engine, remarks[1], form=asked)[2]
    assert not any("contradicts" in line for line in lines)


@pytest.mark.parametrize(
    ("first", "second", "filter_value"),
    [("Python library", "with GUI", "Python"), ("with a GUI", "Python library", "desktop")],
)
def test_a_language_and_an_interface_are_both_kept(engine, first, second, filter_value):
    form, data, lines = talked(engine, first, second)
    assert filter_value in form.filters.interfaces
    assert second in {wish.text for wish in engine.wishes(form.text, data.silenced)}
    assert lines == (f"wished for as well: {second}",)


def test_a_remark_about_releases_is_a_wish_that_the_search_weighs(engine):
    form, data, _ = talked(engine, "released since 2024")
    (wish,) = engine.wishes(form.text, data.silenced)
    assert (wish.kind, wish.value) == ("since", "2024")
    answer = engine.run(form.text, "keyword")
    assert answer.wishes is not None
    assert [(one.kind, one.value) for one in answer.query.wishes] == [("since", "2024")]
