from dataclasses import replace

from building import answer

from components.data import Data, Form, Shown
from components.edits import Ask, edited
from components.panels.search.controls import staleness
from components.render.search.form import chips
from retrieval import Upload

FORM = Form(text="segment lungs")


class Read(Upload):
    """An upload whose header gave two tokens."""

    __slots__ = ()
    search_tokens = ("format:CT", "format:3D")


SCAN = Data(upload=Read(scans=(), refused=(), previews=(), findings=(), ledger=None))


def test_a_list_is_stale_when_a_setting_changed_and_not_while_words_are_typed():
    shown = Shown(answer=answer(), form=FORM)
    assert staleness(FORM, shown) == ""
    assert staleness(replace(FORM, text="something else"), shown) == ""
    assert "Press Find" in staleness(replace(FORM, off=frozenset({"graph"})), shown)
    assert staleness(replace(FORM, rerank=False), Shown()) == ""


def test_a_fact_of_the_scan_that_was_removed_can_be_put_back():
    def act(kind, data):
        return edited("remove", Ask(form=FORM, data=data, id="format:CT", kind=kind, catalog={}))[1]

    without = act("token", SCAN)
    assert without.tokens == ("format:3D",)
    html = chips(without, FORM)
    assert 'data-kind="removed" data-id="format:CT"' in html
    again = act("removed", without)
    assert again.tokens == SCAN.tokens
    assert "removed" not in chips(again, FORM)
