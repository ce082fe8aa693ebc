from building import answer, candidate, stage, tool
from msgspec import structs

from components.render.codes import code_name, token_words
from components.render.results.board import board
from components.render.results.detail import detail
from components.render.results.strip import stage_strip
from components.render.search.status import latency
from components.render.words import kind_of_stage
from retrieval.core.stage import finish, progress
from retrieval.web.stage import RECORD, WebOffer
from tests.fakes import make_state


def test_a_step_has_the_count_and_the_first_tool_of_its_stage_in_the_order_of_the_run():
    one, two = candidate(tool("a", name="<A>")), candidate(tool("b", name="B"))
    skipped = stage("cross-encoder", status="skipped")
    html = stage_strip(answer(stage("dense", one, two), stage("bm25", two), skipped))
    steps = ("<b>Meaning 2<", "<span>&lt;A&gt;<", "<b>Words 1<", "<span>B<")
    assert [html.index(one) for one in steps] == sorted(html.index(one) for one in steps)
    assert html.count("<li>") == 2
    assert stage_strip(answer(skipped)) == ""


def test_a_last_order_that_is_left_out_has_the_list_that_is_shown():
    one, two = candidate(tool("a")), candidate(tool("b"))
    off = stage("rerank", one, status="skipped", note="[NO_RERANK]: no model was asked")
    found = answer(stage("bm25", one, two), off)
    assert "<b>Final order 1<" in stage_strip(found)
    column = board(found).split('data-stage="rerank"')[1]
    assert "data-tool='a' data-rank='1'" in column
    assert "no model was asked" in column
    growing = structs.replace(found, done=False)
    assert "Final order" not in stage_strip(growing)


def test_a_colour_stands_for_a_kind_of_stage_whatever_stands_around_it():
    assert kind_of_stage("fused/dense") == kind_of_stage("vector search") == "meaning"
    assert kind_of_stage("fused/bm25") == "words"
    assert kind_of_stage("a stage that is new") == "other"
    one = candidate(tool("a"))
    alone, among = (
        stage_strip(answer(stage("bm25", one))),
        answer(stage("dense", one), stage("graph", one), stage("bm25", one)),
    )
    assert "kind-words" in alone
    assert stage_strip(among).count("kind-words") == 1


def test_the_times_of_the_strip_add_up_to_the_whole():
    html = latency(answer(stage("dense", elapsed_ms=40.0), stage("bm25", elapsed_ms=60.0)))
    shares = [float(part.split('"')[0]) for part in html.split("flex-grow:")[1:]]
    assert abs(sum(shares) - 1) < 0.001
    assert "Everything else" in html


def test_the_web_has_no_time_where_nothing_asks_for_it():
    """The stage that offers it reads the words of every search, with the web off as well."""
    offer = WebOffer({RECORD: tool(RECORD)}, off="set SCANSCOUT_WEB_SEARCH=true")
    looked = structs.replace(finish(progress(offer, make_state("segment lungs"))), elapsed_ms=40.0)
    assert looked.ran
    searched = structs.replace(answer(looked, stage("dense", elapsed_ms=60.0)), total_ms=100.0)
    html = latency(searched)
    assert "Web" not in html
    assert "Everything else 40 ms" in html
    assert "Web 40 ms" in latency(answer(structs.replace(looked, listed=True)))


def test_codes_have_names_and_other_values_stay():
    assert code_name("SM") == "slide microscopy"
    assert code_name("CT") == "CT"
    assert token_words("format:US") == "ultrasound"
    assert "<dd>slide microscopy, CT</dd>" in detail(tool(modalities=("SM", "CT")), None)


def test_the_detail_offers_a_stated_install_line_and_no_invented_one():
    page = "https://example.org/readme"
    html = detail(tool(install=(("pip", "pip install a", page),)), None)
    assert "Install with pip" in html
    assert html.index("<pre") < html.index("data-copy") < html.index("<h3>Facts</h3>")
    assert "<pre" not in detail(tool(), None)


def test_a_page_that_tells_how_to_install_is_a_link_and_no_command():
    page = "https://example.org/install"
    html = detail(tool(install=(("plugin", page, page),)), None)
    assert f'href="{page}"' in html
    assert "<pre" not in html
    assert "Copy the command" not in html
