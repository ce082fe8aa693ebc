"""The views of a search: few, the whole answer once, and nothing but small things in the last."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from building import CT, Fit, answer, candidate, stage, tool
from msgspec import structs

from components import run
from components.data import Data, Form, Shown
from components.render.results.cards import cards
from components.render.words import EXPECTED
from components.run import completed, search
from components.tool_detail import detail_of

FOUND = [candidate(tool(f"t{n}")) for n in range(3)]
NAMES = ("expand", "fused/dense", "fused/bm25", "fused", "graph", "fit", "rerank")


def engine(*answers, ready=True, language_model=""):
    tools = {one.tool.id: one.tool for one in FOUND}
    return SimpleNamespace(
        stream=lambda *_, **__: iter(answers),
        catalog=tools,
        ready=ready,
        wishes=lambda *_: (),
        language_model=language_model,
    )


def grown():
    """An answer after every stage, and the whole one."""
    lists = [stage(name, *FOUND) for name in NAMES]
    parts = [answer(*lists[: n + 1], done=False) for n in range(len(lists))]
    return [*parts, answer(*lists)]


def views(mode="hybrid", **how):
    return list(search(engine(*grown(), **how), Form(text="find", mode=mode), Data()))


def boards(mode="hybrid", **how):
    return [view["board"] for view in views(mode, **how) if "board" in view]


def test_first_stage_is_painted_and_what_follows_at_once_is_painted_together(monkeypatch):
    assert run.MOMENT_S < 0.2
    monkeypatch.setattr(run, "MOMENT_S", 1e9)
    first, whole = boards()
    assert "pending" in first
    assert "pending" not in whole


@pytest.mark.parametrize("slow", [{"ready": False}, {"language_model": "any"}])
def test_where_the_first_list_may_take_long_an_empty_board_stands_in(slow):
    assert len(boards(**slow)) == len(boards()) + 1
    assert "t0" not in boards(**slow)[0]
    assert "pending" in boards(**slow)[0]


def test_every_stage_is_painted_where_any_may_take_long():
    assert len(boards("agentic")) == len(NAMES) + 1


def test_the_last_view_is_small_and_bears_what_is_no_text():
    *_, whole, last = views()
    assert len(json.loads(whole["graph"])["nodes"]) >= 0
    assert set(last) == {"link", "running", "waiting"}
    assert (last["running"], last["waiting"]) == (False, False)
    assert "link" not in whole


def test_every_view_before_the_last_says_that_the_search_is_running():
    *before, _ = views()
    assert all(view["running"] is True for view in before)


def test_a_tag_stays_in_the_text_and_shows_as_a_chip():
    found = answer(stage("rerank", *FOUND), excluded=("b",))
    form = Form(text="find [EXCLUDE:b]")
    *_, whole, _ = search(engine(found), form, Data())
    assert whole["shown"].form == form
    assert "not b" in whole["chips"]
    assert "form" not in whole


def test_list_and_detail_come_with_the_first_list_and_are_marked_as_not_final():
    first, *_, whole, last = [view for view in views() if "cards" in view or "link" in view]
    # The first stage of these answers is none of the columns that stand waiting.
    left = len(EXPECTED["hybrid"])
    assert f"First list; <span data-left>{left} stages to go" in first["cards"]
    assert 'data-tool="t0"' in first["detail"]
    assert first["shown"].answer.candidates == tuple(FOUND)
    assert (first["stale"], first["looking"]) == ("", "")
    assert "Recommended tools" in whole["cards"]
    assert "data-left" not in whole["cards"]
    assert "link" in last


def test_the_list_is_sent_twice_alone_and_no_row_moves_between():
    assert len([view for view in views("agentic") if "cards" in view]) == 2


def test_where_the_number_of_stages_is_not_known_the_first_list_gives_none():
    found = answer(stage("round 1/dense", *FOUND), done=False)
    other = structs.replace(found, mode=replace(found.mode, name="agentic"))
    assert "<span data-left>more stages to go</span>" in cards(other)


def test_the_first_list_has_verdicts_only_where_the_fit_was_judged():
    fits = (Fit(fact="modality", verdict="fail", scan="CT", tool="MRI"),)
    judged = [candidate(tool("t0"), fit=fits)]
    for found, number in ((FOUND, 0), (judged, 1)):
        lists = answer(stage("fused/dense", *found), done=False)
        how = Form(text="find", mode="hybrid")
        first = next(v for v in search(engine(lists, lists), how, Data()) if "cards" in v)
        assert first["cards"].count("badge-bad") == number
        left = len(EXPECTED["hybrid"]) - 1
        assert f"{left} stages to go" in first["cards"]


def test_before_the_fit_was_judged_no_scan_is_asked_for_that_is_there():
    unjudged = answer(stage("fused/dense", *FOUND), done=False, scans=(CT,))
    html = detail_of(FOUND[0].tool, unjudged, Data())
    assert "No stage has checked this tool against your scan." in html
    assert "Add a scan" not in html


def test_a_stage_without_tools_is_no_first_list():
    parts = [answer(stage("fused/dense"), done=False), *grown()[1:]]
    first = next(v for v in search(engine(*parts), Form(text="find"), Data()) if "cards" in v)
    assert "t0" in first["cards"]


def by_words():
    late = stage("fused/dense", status="skipped", note="still loading")
    return structs.replace(answer(late, stage("rerank", *FOUND)), loading=True)


def test_a_search_before_the_encoder_is_there_says_so_and_waits_for_it():
    *_, whole, last = search(engine(by_words(), ready=False), Form(text="find"), Data())
    assert "Searched by words only." in whole["notices"]
    assert last["waiting"] is True


def test_a_search_by_meaning_without_the_later_stages_is_not_called_one_by_words_only():
    late = stage("rank", status="skipped", note="still loading")
    early = structs.replace(answer(stage("fused/dense", *FOUND), late), loading=True)
    *_, whole, last = search(engine(early, ready=False), Form(text="find"), Data())
    assert "words only" not in whole["notices"]
    assert "Searched with part of the stages." in whole["notices"]
    assert last["waiting"] is True


def test_what_was_searched_by_words_is_searched_again_once_the_encoder_is_there():
    shown = Shown(answer=by_words(), form=Form(text="find"))
    assert list(completed(engine(*grown(), ready=False), shown, Data())) == [{}]
    *_, whole, last = completed(engine(*grown()), shown, Data())
    assert "words only" not in whole["notices"]
    assert (whole["shown"].form.text, last["waiting"]) == ("find", False)
    assert list(completed(engine(*grown()), whole["shown"], Data())) == [{}]
