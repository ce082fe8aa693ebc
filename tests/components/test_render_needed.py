"""The group below the list: what has to be there before listed tools work."""

from building import HOSTILE, answer, candidate, stage, tool
from msgspec.structs import replace

from components.render.results.cards import cards
from retrieval.engine.answer import Insight
from retrieval.explain import also_needed

PAGE = "https://example.org/install"
BASE = tool("base", name="Base <i>")


def shown(*listed, source=PAGE, others=(BASE,)):
    """The part of the list's HTML that follows the rows."""
    found = answer(stage("rerank", *map(candidate, listed)))
    tools = {one.id: one for one in (*listed, *others)}
    needed = also_needed(listed, tools, lambda *_: source)
    html = cards(replace(found, insight=Insight(also_needed=needed)))
    return html.partition("<section class='needed'")[2]


def needing(id, *prerequisites):
    return tool(id, requires_tool=prerequisites or ("base",))


def test_a_prerequisite_names_who_needs_it_and_leads_to_the_page_that_says_so():
    html = shown(needing("a"), needing("b"))
    assert "You also need" in html
    assert "Base &lt;i&gt;</button>" in html
    assert 'data-act="select" data-id="base"' in html
    assert f'for A (<a href="{PAGE}"' in html
    assert "source<" in html
    assert "</a>), B</span>" in html


def test_many_users_are_counted_and_many_prerequisites_are_folded():
    assert "for A, B, C and 2 others" in shown(*map(needing, "abcde"), source="")
    others = tuple(tool(f"p{n}") for n in range(6))
    html = shown(needing("a", *(one.id for one in others)), others=others)
    first, folded = html.split("<details")
    assert (first.count("<li>"), folded.count("<li>")) == (4, 2)
    assert "Show 2 more prerequisites" in folded


def test_a_listed_prerequisite_is_opened_from_its_own_row_only():
    html = shown(needing("a"), BASE, others=())
    assert "<b>Base &lt;i&gt;</b>" in html
    assert "data-act" not in html


def test_nothing_is_claimed_without_a_source_and_nothing_is_shown_without_a_need():
    assert "<a" not in shown(needing("a"), source="")
    assert "<a" not in shown(needing("a"), source="javascript:alert(1)")
    assert shown(BASE, others=()) == ""


def test_a_hostile_record_stays_text():
    html = shown(
        tool("a", name=HOSTILE, requires_tool=("bad",)), others=(tool("bad", name=HOSTILE),)
    )
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html
