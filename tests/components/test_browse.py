"""The catalog's list: what it admits, its order, its pages."""

from building import HOSTILE, Filters, tool

from components.panels.routes.about import FILE
from components.panels.routes.catalog import browse_of
from components.render.pager import pager
from components.render.results.browse import (
    PAGE,
    Browse,
    browse_list,
    facts_stated,
    matching,
    pages_of,
)

TOOLS = [
    tool("b", name="beta", license="MIT", last_release="2020-01-01"),
    tool("a", name="Alpha", suite="FSL", last_release="2024-06-30", gpu="optional"),
    tool("c", name="gamma", description="Counts nuclei", tasks=("cell counting",)),
]


def ids(**asked):
    return [t.id for t in matching(TOOLS, Browse(**asked))]


def test_orders_are_by_name_release_and_facts():
    assert ids() == ["a", "b", "c"]
    assert ids(sort="release") == ["a", "b", "c"]
    assert ids(sort="facts") == ["a", "b", "c"]
    assert facts_stated(TOOLS[2]) == 1
    assert ids(sort="no such order") == ids()


def test_every_word_must_be_somewhere_in_the_record():
    assert ids(words="NUCLEI counting") == ["c"]
    assert ids(words="fsl") == ["a"]
    assert ids(words="nuclei fsl") == []


def test_filters_are_those_of_the_search():
    assert ids(filters=Filters(licenses=frozenset({"MIT"}))) == ["b"]


def test_a_page_beyond_the_last_is_the_last():
    many = [tool(f"t{n:03}") for n in range(PAGE + 1)]
    html = browse_list(many, Browse(page=99), len(many))
    assert pages_of(many) == 2
    assert html.count('class="card short"') == 1
    assert f"{PAGE + 1} tools of {PAGE + 1}, page 2 of 2." in html


def test_nothing_found_says_what_to_do():
    assert "Take a filter or a word away" in browse_list([], Browse(), 3)


def test_a_hostile_record_is_text():
    html = browse_list([tool("x", name=HOSTILE, description=HOSTILE)], Browse(), 1)
    assert "<script" not in html
    assert "<img" not in html


def test_values_of_no_sense_ask_for_the_first_page():
    asked = browse_of(None, None, None, *[None] * 6)
    assert asked == Browse(sort="None")


def test_the_page_about_the_product_has_one_heading_and_the_size_of_the_catalog():
    text = FILE.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("# ")] == ["# About ScanScout"]
    assert "{tools}" in text


def test_the_pager_stands_where_the_list_ends_and_names_the_pages_around():
    many = [tool(f"t{n}") for n in range(PAGE * 9)]
    html = browse_list(many, Browse(page=5), len(many))
    assert html.index("</ul>") < html.index("class='pager'")
    assert [n for n in range(1, 10) if f'aria-label="Page {n}"' in html] == [1, 3, 4, 5, 6, 7, 9]
    assert html.count('aria-current="page"') == 1
    assert pager(1, 1, "Pages") == ""
    assert pager(1, 2, "Pages").count("disabled") == 1
    assert pager(2, 2, "Pages").count("disabled") == 1
