from building import HOSTILE, Filters, answer, candidate, stage, tool
from msgspec import structs

from components.data import Data, Form
from components.render.search.form import chips
from components.render.search.notices import admitted, degraded, notices, refused_input
from components.render.search.status import finished, latency, pill
from retrieval.dialogue.relax import Relaxation
from retrieval.engine.answer import Insight

CATALOG = {t.id: t for t in (tool("a", license="MIT"), tool("b", license="GPL-3.0"))}


def test_nothing_found_offers_to_drop_each_filter_with_its_gain():
    form = Form(filters=Filters(licenses=frozenset({"MIT"}), gpu=frozenset({"required"})))
    html = notices(answer(stage("rerank")), form, Data(), CATALOG)
    assert "Drop the licence filter" not in html
    assert "Drop the GPU filter (1 tool)" in html
    assert 'data-id="all"' in html


def test_admitted_counts_what_the_filters_let_through():
    assert admitted(Filters(licenses=frozenset({"MIT"})), CATALOG) == 1


def test_failed_stage_is_told():
    failed = stage("rerank", candidate(tool()), status="failed", note="x")
    assert "A stage failed" in notices(answer(failed), Form(), Data(), CATALOG)


def test_what_a_limit_left_out_is_told_with_the_remedy():
    fit = stage("fit", candidate(tool()), status="fallback", metrics={"kinds_left_out": 1700})
    html = notices(answer(fit), Form(), Data(), CATALOG)
    assert "This search reached a limit." in html
    assert "Of 1,900 kinds of series 200 were compared" in html
    assert "Pick one series or add fewer" in html


def test_good_answer_needs_no_words():
    assert notices(answer(stage("rerank", candidate(tool()))), Form(), Data(), CATALOG) == ""


def test_filters_that_cut_every_tool_for_the_task_are_told_with_a_way_back():
    note = "None of the 15 listed tools states segment. 9 tools state that."
    back = Relaxation(constraint="filter", field="interfaces", value="web", frees=9, examples=())
    insight = Insight(filtered_out=note, relax=(back,))
    found = structs.replace(answer(stage("rerank", candidate(tool()))), insight=insight)
    html = notices(found, Form(), Data(), CATALOG)
    assert note in html
    assert 'data-act="relax" data-id="interfaces"' in html


def test_message_of_refused_input_is_escaped():
    assert "<script" not in refused_input(HOSTILE)


def test_banner_says_what_is_off():
    assert "still loading" in degraded(ready=False, language_model=True)
    assert "No language model" in degraded(ready=True, language_model=False)
    assert degraded(ready=True, language_model=True) == ""


def test_chips_name_everything_that_narrows():
    form = Form(
        excluded=(HOSTILE,),
        rerank=False,
        refine=True,
        off=frozenset({"graph"}),
        filters=Filters(modalities=frozenset({"CT"})),
    )
    html = chips(Data(typed=("format:CT",)), form, catalog={})
    assert html.count("data-act") == 6
    assert "<script" not in html
    assert chips(Data(), Form(), catalog={}) == ""


def test_an_excluded_tool_is_called_by_its_name():
    one = tool("totalsegmentator_lung_nodules", name="TotalSegmentator: lung nodules")
    html = chips(Data(), Form(excluded=(one.id,)), catalog={one.id: one})
    assert ">not TotalSegmentator: lung nodules" in html


def test_many_chips_of_one_kind_are_folded_and_each_can_still_be_taken_away():
    form = Form(excluded=tuple(f"tool{n}" for n in range(18)), rerank=False)
    html = chips(Data(), form, catalog={})
    assert html.count('data-kind="exclude"') == 18
    shown, folded = html.split("<details>")
    assert shown.count('data-kind="exclude"') == 5
    assert "<summary>13 more</summary>" in folded
    assert 'data-kind="rerank"' in folded.split("</details>")[1]
    assert "<details>" not in chips(Data(), Form(excluded=form.excluded[:6]), catalog={})


def test_latency_counts_no_time_twice():
    child = stage("fused/dense", candidate(tool()), elapsed_ms=10.0)
    parent = structs.replace(stage("fused", candidate(tool()), elapsed_ms=12.0), children=(child,))
    html = latency(answer(parent))
    assert "Meaning 10 ms" in html
    assert "Combined 2.0 ms" in html


def test_status_says_count_and_time():
    assert "1 tool in 12 ms" in finished(answer(stage("rerank", candidate(tool()))))
    assert "Warming up" in pill(ready=False, tools=3)
    unknown = pill(ready=None, tools=3)
    assert not any(word in unknown for word in ("Warming", "Ready"))
    assert ">3 tools · works offline<" in unknown


def test_an_exclusion_that_matches_nothing_is_told_with_a_button_for_the_near_name():
    whole = structs.replace(
        answer(stage("rerank", candidate(tool()))), unmatched={"lungmsk": ("lungmask",)}
    )
    html = notices(whole, Form(), Data(), CATALOG)
    assert "No tool is called" in html
    assert "Exclude lungmask" in html
    assert 'data-act="exclude"' in html


def test_many_exclusions_that_match_nothing_are_counted_after_the_first():
    names = {f"nothing {n}": () for n in range(11)} | {"a, b": ()}
    whole = structs.replace(answer(stage("rerank", candidate(tool()))), unmatched=names)
    html = notices(whole, Form(), Data(), CATALOG)
    assert html.count("leaves nothing out") == 8
    assert "4 more names to exclude" in html
    [comma] = [notices(structs.replace(whole, unmatched={"a, b": ()}), Form(), Data(), CATALOG)]
    assert "Between two names stands |." in comma


def test_what_of_a_request_is_not_read_is_told():
    noted = structs.replace(
        answer(stage("rerank", candidate(tool()))), insight=Insight(notes=("Not read: <b>.",))
    )
    html = notices(noted, Form(), Data(), CATALOG)
    assert "A remark on your request." in html
    assert "Not read: &lt;b&gt;." in html
