from building import CT, MR, Filters, answer, candidate, replace, stage, tool, upload
from starlette.datastructures import QueryParams

from components.data import FACETS, SWITCHES, Data, Form, Profile, form_of
from components.edits import Ask, edited
from components.panels.search.restore import linked_data
from components.render.results.cards import cards
from components.render.search.form import chips
from components.share import LONGEST, MOST, not_carried, query_string, values
from components.taste import NO_TASTE


def ask(form=None, data=None, id="", kind=""):
    catalog = {"a": tool("a", tasks=("segmentation",), keywords=("lung", "CT"))}
    return Ask(form=form or Form(), data=data or Data(), id=id, kind=kind, catalog=catalog)


def test_form_reads_components_in_order():
    facets = [["MIT"], [], None, [], [], []]
    form = form_of(["t", "hybrid", False, True, ["a"], *facets, ["dense"]])
    assert form.filters == Filters(licenses=frozenset({"MIT"}))
    assert form.off == frozenset(SWITCHES) - {"dense"}
    assert (form.text, form.rerank, form.refine, form.excluded) == ("t", False, True, ("a",))


def test_muted_token_leaves_the_query_and_can_come_back():
    data = Data(upload=upload(CT)).without("format:3D")
    assert data.tokens == ("format:DICOM", "format:CT")
    assert data.silenced == {"format:3D"}
    assert "format:3D" in data.with_token("format:3D").tokens


def test_picked_series_alone_counts():
    assert Data(upload=upload(CT, MR, picked=1)).scans == (MR,)


def test_link_and_back():
    form = Form(
        text="a & <b>",
        rerank=False,
        excluded=("x", "y"),
        filters=Filters(licenses=frozenset({"MIT"})),
        mode="keyword",
        off=frozenset({"graph"}),
    )
    link = query_string(form, Data(upload=upload(CT)))
    found = QueryParams(link.removeprefix("?"))
    assert values(found, "q") == ["a & <b>"]
    assert values(found, "t") == ["format:DICOM", "format:CT", "format:3D"]
    assert values(found, "ex") == ["x", "y"]
    assert values(found, "lic", {"MIT"}) == ["MIT"]
    assert values(found, "nr") == ["1"]
    assert values(found, "mode", {"hybrid"}) == []
    assert query_string(Form(), Data()) == ""


def test_a_wish_that_is_searched_as_words_is_in_the_link_and_comes_back():
    name = "wish:language:Python:wanted"
    found = QueryParams(query_string(Form(text="a"), Data().without(name)).removeprefix("?"))
    assert values(found, "w") == [name]
    assert linked_data(Data(), (), (name,)).words == {name}


def test_what_a_link_cannot_carry_is_said_and_nothing_else():
    assert not_carried(Form(text="segment lungs"), Data(typed=("format:CT",))) == ""
    assert "your files" in not_carried(Form(), Data(upload=upload(CT)))
    taste = replace(NO_TASTE, on=True, liked=("a",))
    assert "your taste" in not_carried(Form(), Data(taste=taste))
    assert not_carried(Form(), Data(taste=replace(taste, on=False))) == ""
    assert "purpose and machine" in not_carried(
        Form(), Data(profile=Profile(purpose="commercial product"))
    )
    assert "words beyond" in not_carried(Form(text="a" * (LONGEST + 1)), Data())


def test_a_link_with_more_values_than_it_is_read_with_says_how_many_it_leaves_out():
    many = Form(text="a", excluded=tuple(f"tool-{n:02}" for n in range(MOST)))
    assert not_carried(many, Data()) == ""
    more = replace(many, excluded=(*many.excluded, "x", "y"))
    assert not_carried(more, Data()) == "2 of your 42 excluded tools"
    read = values(QueryParams(query_string(more, Data())), "ex")
    assert len(more.excluded) - len(read) == 2
    licences = replace(more, filters=Filters(licenses=frozenset(map(str, range(45)))))
    assert "5 of your 45 licences" in not_carried(licences, Data())
    html = cards(answer(stage("bm25", candidate(tool("z")))), Data(), more)
    assert 'data-unlinked="2 of your 42 excluded tools"' in html


def test_exclude_offers_undo_and_any_other_act_ends_the_offer():
    form, data = edited("exclude", ask(id="a"))
    assert (form.excluded, data.undo) == (("a",), "a")
    form, data = edited("clarify", ask(form, data, id="text"))
    assert (form.text.split()[-1], data.undo) == ("text", "")
    assert edited("undo", ask(form, data, id="a"))[0].excluded == ()


def test_an_answered_question_gives_words_and_a_chip_and_no_token_among_the_words():
    answered = replace(
        ask(Form(text="segmentation")), id="segmentation microscopy format:microscopy"
    )
    form, data = edited("clarify", replace(answered, kind="query"))
    assert form.text == "segmentation microscopy"
    assert data.tokens == ("format:microscopy",)
    assert 'data-id="format:microscopy"' in chips(data, form, catalog={})


def test_chips_take_away_what_they_show():
    full = Form(
        excluded=("a",),
        rerank=False,
        refine=True,
        off=frozenset({"fit"}),
        filters=Filters(gpu=frozenset({"required"})),
    )
    assert edited("remove", ask(full, id="a", kind="exclude"))[0].excluded == ()
    assert edited("remove", ask(full, id="1", kind="rerank"))[0].rerank is True
    assert edited("remove", ask(full, id="1", kind="refine"))[0].refine is False
    assert edited("remove", ask(full, id="fit", kind="off"))[0].off == frozenset()
    assert edited("remove", ask(full, id="required", kind="gpu"))[0].filters == Filters()
    data = Data(typed=("format:CT",))
    assert edited("remove", ask(full, data, "format:CT", "token"))[1].tokens == ()


def test_a_chip_of_a_tag_takes_the_tag_out_of_the_text():
    form = Form(text="segment lungs [EXCLUDE:a|b] [NO_RERANK] [refine]")
    assert edited("remove", ask(form, id="A", kind="exclude"))[0].text == (
        "segment lungs [EXCLUDE:b] [NO_RERANK] [refine]"
    )
    assert "NO_RERANK" not in edited("remove", ask(form, id="1", kind="rerank"))[0].text
    assert "refine" not in edited("remove", ask(form, id="1", kind="refine"))[0].text
    assert "EXCLUDE" not in edited("relax", ask(form, id="excluded"))[0].text


def test_relax_drops_one_filter_or_all():
    full = Form(filters=Filters(gpu=frozenset({"a"}), licenses=frozenset({"b"})), excluded=("x",))
    assert edited("relax", ask(full, id="gpu"))[0].filters.licenses == frozenset({"b"})
    assert edited("relax", ask(full, id="excluded"))[0].excluded == ()
    everything = edited("relax", ask(full, id="all"))[0]
    assert (everything.filters, everything.excluded) == (Filters(), ())


def test_clear_forgets_the_scan():
    assert edited("clear", ask(data=Data(upload=upload(CT))))[1] == Data()
    assert len(FACETS) == 6


def test_a_link_holds_ten_remarks():
    many = QueryParams([("r", f"remark {n}") for n in range(12)])
    assert values(many, "r") == [f"remark {n}" for n in range(10)]


def answered(text="segment lungs [REFINE]", data=None):
    query = replace(ask(Form(text=text), data, "segment lungs radiography format:XR"), kind="query")
    return edited("clarify", query)


def test_an_answer_to_a_question_holds_for_the_words_that_it_answers():
    form, data = answered(data=Data(text="segment lungs [REFINE]"))
    assert data.tokens == ("format:XR",)
    for text in (form.text, f"{form.text} in Python", "segment lungs"):
        assert data.for_text(text).tokens == ("format:XR",)
    assert data.for_text("count cells in fluorescence images").tokens == ()
    back = linked_data(data.for_text("count cells"), ("format:XR",))
    assert back.for_text(form.text).tokens == ("format:XR",)
    assert back.for_text(form.text).for_text("count cells").tokens == ()


def test_what_was_said_of_a_scan_or_stands_in_a_link_holds_for_the_next_words_too():
    _, data = edited("modality", ask(id="XR"))
    for said in (data, Data(typed=("format:XR",)), answered(data=data)[1]):
        assert replace(said, text="lungs").for_text("count cells").tokens == ("format:XR",)
    _, data = edited("modality", ask(data=answered()[1], id="XR"))
    assert data.for_text("count cells").tokens == ("format:XR",)


def test_a_wish_of_a_link_is_off_where_other_words_were_searched_before():
    name = "wish:language:Python:wanted"
    back = linked_data(Data(text="denoise"), (), (name,))
    assert back.for_text("segment lungs in Python").words == {name}
