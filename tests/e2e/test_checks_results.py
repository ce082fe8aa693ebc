"""Checks 8 to 14: stages, movement, the same tool everywhere, the graph and its table."""

from __future__ import annotations

LIT = """(tool) => {
  const lit = [...document.querySelectorAll('.lit')].map((x) => x.dataset.tool);
  const all = [...document.querySelectorAll('[data-tool]')].filter((x) => x.dataset.tool === tool);
  return lit.length === all.length && lit.every((x) => x === tool);
}"""


def ran(answer):
    return [s for s in answer["stages"] if s["candidates"]]


def test_check_08_first_stage_is_painted_while_the_others_are_at_work(visit, held):
    visit.page.fill("#query textarea", "segment lungs slowly")
    visit.page.click("#find")
    visit.page.wait_for_selector('#board [data-stage="fused/dense"] li[data-tool]')
    assert visit.page.locator("#board .stage.pending").count() > 0
    assert not {"graph", "rerank"} & set(visit.stages())
    held.set()
    visit.done()
    assert visit.stages().index("graph") < visit.stages().index("rerank")
    assert visit.page.locator("#board .stage.pending").count() == 0


def test_check_09_columns_say_what_the_export_says(visit):
    answer = visit.find("segment lungs").answer()
    assert visit.stages() == [s["name"] for s in answer["stages"]]
    for stage in answer["stages"]:
        shown = visit.column(stage["name"])
        listed = [(c["id"], str(c["rank"])) for c in stage["candidates"]]
        assert [(r["tool"], r["rank"]) for r in shown] == listed[:50]
        head = visit.page.locator(f'#board [data-stage="{stage["name"]}"]')
        assert head.get_attribute("data-count") == str(len(listed))
        assert float(head.get_attribute("data-ms")) == stage["elapsed_ms"]


def test_check_10_arrows_are_rank_differences(visit):
    answer = visit.find("segment lungs").answer()
    before, seen = {}, set()
    for stage in ran(answer):
        ranks = {c["id"]: c["rank"] for c in stage["candidates"]}
        for row in visit.column(stage["name"]):
            tool, move = row["tool"], row["move"]
            if tool in before:
                assert int(move) == before[tool] - ranks[tool]
            else:
                assert (move == "new") == bool(seen and tool not in seen)
        before, seen = ranks, seen | set(ranks)


def test_check_11_pointing_marks_the_tool_everywhere_and_only_it(visit):
    tool = visit.find("segment lungs").cards()[1]
    button = visit.page.locator(f'#cards [data-tool="{tool}"] .name')
    for mark in (button.hover, button.focus):
        mark()
        visit.page.wait_for_function(LIT, arg=tool)
        assert set(visit.page.eval_on_selector_all(".lit", "e => e.map(x => x.dataset.tool)")) == {
            tool
        }
    button.blur()
    visit.page.mouse.move(1, 1)
    visit.page.wait_for_function("document.querySelectorAll('.lit').length === 0")


def test_check_12_card_row_and_node_open_the_same_detail(visit):
    cards = visit.find("segment lungs").cards()
    tool, other = cards[2], cards[0]
    shown = f'#detail [data-tool="{tool}"]'
    visit.page.click(f'#cards [data-act=select][data-id="{tool}"] >> nth=0')
    visit.page.wait_for_selector(shown)
    from_card = visit.detail()
    visit.closed()
    visit.page.click(f'#cards [data-act=select][data-id="{other}"] >> nth=0')
    visit.page.wait_for_selector(f'#detail [data-tool="{other}"]')
    visit.closed()
    row = visit.page.locator(f'#board [data-stage="fused"] [data-id="{tool}"]')
    row.focus()
    row.press("Enter")
    visit.page.wait_for_selector(shown)
    assert visit.detail() == from_card
    visit.closed().page.click(f'#cards [data-act=select][data-id="{other}"] >> nth=0')
    visit.page.wait_for_selector(f'#detail [data-tool="{other}"]')
    visit.closed().page.mouse.click(*visit.node(tool))
    visit.page.wait_for_selector(shown)
    assert visit.detail() == from_card


def test_check_13_graph_stays_one_canvas_and_a_dragged_node_stays(visit):
    for text in ("segment lungs", "lungs in CT", "segment lungs"):
        visit.find(text).graph("nodes")
    assert visit.page.locator("#graph canvas").count() == 1
    visit.table()
    table = "e => e.map(x => x.dataset.node)"
    drawn = {n["id"] for n in visit.graph("nodes")}
    assert drawn == set(visit.page.eval_on_selector_all("#graphtable [data-node]", table))
    tool = visit.cards()[0]
    x, y = visit.node(tool)
    place = f"window.scanscoutGraph.net.getPositions(['{tool}'])['{tool}']"
    stood = visit.page.evaluate(place)
    visit.page.mouse.move(x, y)
    visit.page.mouse.down()
    visit.page.mouse.move(x + 40, y + 60, steps=5)
    visit.page.mouse.up()
    held = f"window.scanscoutMoved['{tool}']"
    visit.page.wait_for_function(held)
    moved = visit.page.evaluate(place)
    node = next(n for n in visit.graph("nodes") if n["id"] == tool)
    assert (node["x"], node["y"]) == (moved["x"], moved["y"])
    assert moved != stood
    visit.find("segment lungs")
    assert visit.page.evaluate(place) == moved


def test_check_14_graph_edges_equal_the_table_and_the_json(visit):
    answer = visit.find("segment lungs").answer()
    told = sorted((e["source"], e["kind"], e["target"]) for e in answer["graph"]["edges"])
    drawn = sorted((e["from"], e["kind"], e["to"]) for e in visit.graph("edges"))
    visit.table()
    rows = visit.page.eval_on_selector_all(
        "#graphtable tr[data-source]",
        "e => e.map(x => [x.dataset.source, x.dataset.kind, x.dataset.target])",
    )
    assert drawn == told == sorted(map(tuple, rows))


def test_the_keyboard_gets_to_every_part_of_an_answer_without_passing_the_others(visit):
    visit.find("segment lungs")
    page = visit.page
    for part in ("cards", "detail", "board", "graph"):
        button = page.locator(f"#jump [data-goto={part}]")
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_function(
            "id => document.activeElement.matches(`#${id} h2`)", arg=part, timeout=5_000
        )
        assert page.evaluate("document.activeElement.getBoundingClientRect().top") < 900
    assert visit.errors == []
