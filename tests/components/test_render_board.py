from building import HOSTILE, answer, candidate, stage, tool

from components.render.results.board import FIRST, board, rows, skeleton

A, B, C = (candidate(tool(id)) for id in "abc")


def moves(*stages):
    return [[(r.id, r.moved, r.new) for r in column.rows] for column in rows(stages)]


def test_first_column_has_neither_arrows_nor_new():
    assert moves(stage("dense", A, B)) == [[("a", None, False), ("b", None, False)]]


def test_movement_is_the_rank_before_less_the_rank_now():
    assert moves(stage("one", A, B), stage("two", B, A))[1] == [("b", 1, False), ("a", -1, False)]


def test_new_is_only_a_tool_no_earlier_column_held():
    last = moves(stage("one", A), stage("two", B), stage("three", A, C))[2]
    assert last == [("a", None, False), ("c", None, True)]


def test_skipped_column_is_passed_over_for_movement_and_says_why():
    skipped = stage("two", A, B, status="skipped", note="no model chosen")
    assert moves(stage("one", A, B), skipped, stage("three", B, A))[2][0] == ("b", 1, False)
    assert "No model chosen" in board(answer(stage("one", A), skipped))


def test_failed_column_is_an_alert():
    assert 'role="alert"' in board(answer(stage("rerank", status="failed", note="failed")))


def test_names_and_notes_are_escaped():
    html = board(answer(stage(HOSTILE, candidate(tool("x", name=HOSTILE)), note=HOSTILE)))
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html


def test_growing_answer_shows_skeletons_for_what_is_to_come():
    html = board(answer(stage("fused/dense", A), done=False))
    assert html.count("pending") == 7
    assert skeleton("hybrid").count("pending") == 8


def test_long_column_folds_and_points_to_the_export():
    many = [candidate(tool(f"t{n:03}")) for n in range(60)]
    html = board(answer(stage("dense", *many)))
    assert f"{60 - FIRST} more" in html
    assert "The export has all 60." in html
    assert html.count("data-rank") == 50


def test_a_note_names_no_setting_of_what_is_off():
    note = "web search is off: nothing is sent; set SCANSCOUT_WEB_SEARCH=true to switch it on"
    html = board(answer(stage("web", status="skipped", note=note)))
    assert "whoever runs this page can switch it on" in html
    assert "SCANSCOUT" not in html
