"""The graph as a table below the drawing: open on a phone, folded elsewhere."""

from __future__ import annotations

WHERE = """() => {
  const top = (one) => document.querySelector(one).getBoundingClientRect().top;
  return {table: top('#graphtable'), canvas: top('#graph .canvas'), head: top('#graph .head')};
}"""


def test_on_a_phone_the_table_of_the_graph_stands_open_below_the_drawing(visiting):
    one = visiting("phone").go().find("segment lungs")
    edges = len(one.answer()["graph"]["edges"])
    one.graph("nodes")
    row = one.page.locator("#graphtable tr[data-source]")
    row.first.wait_for()
    at = one.page.evaluate(WHERE)
    assert at["head"] < at["canvas"] < at["table"]
    assert row.count() == edges > 20
    # Another answer makes the rows anew.
    one.find("register brain MRI")
    one.page.wait_for_function(
        "(before) => document.querySelectorAll('#graphtable tr[data-source]').length !== before",
        arg=edges,
    )
    assert row.count() == len(one.answer()["graph"]["edges"])
    assert one.errors == []


def test_beside_room_for_a_drawing_the_table_is_folded_below_it(desktop):
    desktop.find("segment lungs").graph("nodes")
    at = desktop.page.evaluate(WHERE)
    assert at["canvas"] < at["table"]
    assert desktop.page.locator("#graphtable tr").count() == 0
    desktop.table()
    assert desktop.errors == []
