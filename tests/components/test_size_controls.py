"""Tools listed, candidates, graph depth and size: on the page, in its link, and by the endpoint."""

from __future__ import annotations

import annotated_types
import gradio as gr
import pytest
from starlette.datastructures import QueryParams

from components.api import Api
from components.api_arguments import agent_schemas
from components.data import SIZE_NAMES, Data, Form, Shown, form_of
from components.edits import Ask, edited
from components.page import Page, build_page
from components.panels.search.controls import updates
from components.panels.search.restore import linked_form
from components.render.search.form import chips
from components.render.search.stale import staleness
from components.run import search
from components.share import query_string
from retrieval import SIZES, Settings, to_json
from retrieval.cli.arguments import SIZES as OPTIONS
from retrieval.core import BadInput
from tests.fakes import small_engine

SMALLER = (("top_k", 2), ("candidates", 3), ("hops", 1), ("nodes", 4))
BOXES = [None] * len(SIZE_NAMES)


def lengths(answer):
    return {n.name.rpartition("/")[2]: len(n.state.candidates) for n in answer.result.stages()}


def form_with(*sizes: object) -> Form:
    facets = [[] for _ in range(6)]
    return form_of(["segment", "biocortex", True, False, [], *facets, [], *sizes])


def test_the_bounds_are_those_of_the_settings_and_of_the_command() -> None:
    for setting, least, most in SIZES.values():
        bounds = Settings.model_fields[setting].metadata
        assert annotated_types.Ge(least) in bounds
        assert annotated_types.Le(most) in bounds
        assert OPTIONS[setting][1:3] == (least, most)


def test_an_empty_box_is_no_size_and_a_filled_one_is() -> None:
    assert form_with(*BOXES).sizes == form_with().sizes == ()
    assert form_with(None, 3, None, 4).sizes == (("candidates", 3), ("nodes", 4))
    assert form_with("", "3", " ", " 4 ").sizes == (("candidates", 3), ("nodes", 4))


def test_a_text_that_is_no_number_is_refused_as_a_size() -> None:
    [(name, size)] = form_with("", "many", "", "").sizes
    with pytest.raises(BadInput, match="candidates: -1 is out of range; choose from 1 to 1000"):
        small_engine().run("segment", sizes={name: size})


def test_every_size_changes_its_part_of_the_search_on_the_page() -> None:
    engine = small_engine()
    answers = {}
    for sizes in ((), SMALLER):
        form = Form(text="segment", mode="biocortex", sizes=sizes)
        shown = [view["shown"] for view in search(engine, form, Data()) if "shown" in view]
        answers[bool(sizes)] = shown[-1].answer
    usual, smaller = lengths(answers[False]), lengths(answers[True])
    assert usual["vector search"] > smaller["vector search"] == 3
    assert usual["KG expansion"] > smaller["KG expansion"] == 4
    assert (len(answers[True].candidates), answers[True].sizes["hops"]) == (2, 1)
    without = engine.run("segment", "biocortex", sizes={"candidates": 1, "hops": 0})
    walked = engine.run("segment", "biocortex", sizes={"candidates": 1, "hops": 1})
    assert lengths(without)["KG expansion"] < lengths(walked)["KG expansion"]


@pytest.mark.parametrize(("name", "size"), [("candidates", 0), ("hops", 4), ("nodes", 2001)])
def test_a_size_out_of_range_is_refused_with_its_range(name: str, size: int) -> None:
    _, least, most = SIZES[name]
    words = f"{name}: {size} is out of range; choose from {least} to {most}"
    with pytest.raises(BadInput, match=words):
        small_engine().run("segment", sizes={name: size})
    with gr.Blocks():
        page = Page(small_engine(), Settings(_env_file=None))
        boxes = [{name: size}.get(one) for one in SIZE_NAMES]
        facets = [[] for _ in range(6)]
        values = ["segment", "hybrid", True, False, [], *facets, [], *boxes, Data()]
        told = str([update for view in page.run(Shown(), *values) for update in view.values()])
    assert words in told


def test_a_search_with_other_sizes_is_stale_until_it_is_run() -> None:
    answer = small_engine().run("segment")
    shown = Shown(answer=answer, form=form_with(*BOXES))
    assert staleness(form_with(*BOXES), Data(), shown) == ""
    assert "Settings have changed" in staleness(form_with(None, 3), Data(), shown)


def test_a_size_is_a_chip_that_takes_it_back_and_a_part_of_the_link() -> None:
    form = Form(text="segment", sizes=SMALLER)
    assert "Graph depth: 1" in chips(Data(), form, catalog={})
    ask = Ask(form=form, data=Data(), id="hops", kind="size", catalog={})
    assert dict(edited("remove", ask)[0].sizes) == {"top_k": 2, "candidates": 3, "nodes": 4}
    link = query_string(form, Data())
    assert link.endswith("k=2&cand=3&hops=1&nodes=4")
    engine = small_engine()
    assert linked_form(engine, QueryParams(link[1:])).sizes == SMALLER
    assert linked_form(engine, QueryParams("q=a&k=x&hops=-1&cand=999999")).sizes == ()


def test_the_page_has_a_box_for_each_size_and_fills_it_from_a_form() -> None:
    blocks = build_page(small_engine(), Settings(_env_file=None))
    ids = {getattr(one, "elem_id", None) for one in blocks.blocks.values()}
    assert {f"size-{name}" for name in SIZE_NAMES} <= ids
    with gr.Blocks():
        controls = Page(small_engine(), Settings(_env_file=None)).parts.controls
    filled = updates(controls, Form(sizes=(("hops", 0),)))
    assert [filled[box] for box in controls.sizes.values()] == ["", "", "0", ""]


def test_the_endpoint_takes_sizes_after_its_other_arguments_and_says_what_was_used() -> None:
    api = Api(small_engine())
    usual = api.recommend("segment", None, "biocortex", 5)
    told = api.recommend("segment", None, "biocortex", 5, 3, 1, 4)
    assert usual["metadata"]["sizes"] == {}
    assert told["metadata"]["sizes"] == {"candidates": 3, "hops": 1, "nodes": 4}
    assert told["metadata"]["settings"]["graph_nodes"] == 4
    with pytest.raises(gr.Error, match="hops: 9 is out of range; choose from 0 to 3"):
        api.recommend("segment", hops=9)
    arguments = agent_schemas(["hybrid"])["recommend"]["properties"]
    assert list(arguments)[:7] == ["text", "tokens", "mode", "top_k", *SIZES]
    assert (arguments["nodes"]["minimum"], arguments["nodes"]["maximum"]) == (1, 2000)


def test_what_changes_in_a_search_with_sizes_is_told_with_the_same_sizes() -> None:
    engine = small_engine()
    answer = engine.run("segment", "biocortex", sizes={"candidates": 3, "nodes": 4})
    what = engine.what_if(answer, "graph")
    before = {move.id for move in what.moves if move.before is not None}
    assert before == {c.tool.id for c in answer.candidates}
    listed = {c.tool.id for c in answer.candidates}
    absent = next(id for id in engine.catalog if id not in listed)
    assert engine.explain(answer, absent) is not None
    assert to_json(answer)["metadata"]["sizes"] == {"candidates": 3, "nodes": 4}
