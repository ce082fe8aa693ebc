"""The sentence on what the graph alone led to, from the lists of the answer."""

from __future__ import annotations

from building import HOSTILE, answer, candidate, stage, tool

from components.render.graphs.reached import MOST, reached, reached_words

A, B, C, D = (candidate(tool(id)) for id in "abcd")


def test_only_tools_that_no_earlier_list_has_count_and_stand_in_the_final_order():
    found = answer(
        stage("fused/dense", A),
        stage("fused/bm25", B),
        stage("graph", A, C, B, D),
        stage("rerank", D, A, C),
    )
    assert reached(found) == ((D.tool, C.tool), 2)
    words = reached_words(found)
    assert "2 of the 3 tools above were reached only through the graph" in words
    assert words.index(">D<") < words.index(">C<")


def test_what_the_graph_added_and_the_final_list_left_out_is_counted():
    found = answer(stage("bm25", A), stage("graph", A, B), stage("rerank", A))
    assert (
        "led to 1 tool that no other stage had listed; it is not among the 1 tool"
        in reached_words(found)
    )


def test_both_counts_stand_together_where_the_stage_counts_against_one_list_alone():
    graph = stage("graph", A, B, C, metrics={"added": 2})
    last = stage("rerank", A)
    words = reached_words(answer(stage("bm25", A, B), stage("fused", A), graph, last))
    assert "led to 1 tool that no other stage had listed, of 2 that it added to the list" in words
    alone = reached_words(answer(stage("fused", A), graph, last))
    assert "led to 2 tools that no other stage had listed; " in alone


def test_without_a_graph_stage_or_an_addition_nothing_is_said():
    assert reached(answer(stage("bm25", A))) is None
    assert reached_words(answer(stage("bm25", A), stage("graph", status="skipped"))) == ""
    assert reached_words(answer(stage("bm25", A), stage("graph", A))) == ""
    assert reached_words(answer(stage("bm25", A), stage("graph", A, B), done=False)) == ""


def test_names_are_text_and_the_rest_of_many_is_counted():
    named = candidate(tool("x", name=HOSTILE))
    assert "<script" not in reached_words(answer(stage("bm25", A), stage("graph", named)))
    many = [candidate(tool(f"t{n}")) for n in range(MOST + 3)]
    assert " and 3 more" in reached_words(answer(stage("bm25", A), stage("graph", *many)))
