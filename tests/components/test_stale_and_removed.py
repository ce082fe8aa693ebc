from dataclasses import replace

import nibabel as nib
import numpy as np
from building import CT, MR, answer, upload

from components.data import Data, Form, Shown
from components.edits import Ask, edited
from components.panels.search.scan import with_upload
from components.render.search.form import chips
from components.render.search.stale import staleness, while_reading
from components.taste import Taste
from retrieval import Upload
from retrieval.scans import read_scans

FORM = Form(text="segment lungs")


class Read(Upload):
    """An upload whose header gave two tokens."""

    __slots__ = ()
    search_tokens = ("format:CT", "format:3D")


SCAN = Data(upload=Read(scans=(), refused=(), previews=(), findings=(), ledger=None))


def test_a_list_is_stale_when_a_setting_changed_and_not_while_words_are_typed():
    shown = Shown(answer=answer(), form=FORM)
    assert staleness(FORM, Data(), shown) == ""
    assert staleness(replace(FORM, text="something else"), Data(), shown) == ""
    changed = staleness(replace(FORM, off=frozenset({"graph"})), Data(), shown)
    assert "Settings have changed" in changed
    assert "Press Find" in changed
    assert staleness(replace(FORM, rerank=False), Data(), Shown()) == ""


def test_a_list_is_stale_when_the_scan_is_another_than_it_was_made_for():
    """Another upload, another series, or the first scan after a search without one."""
    with_ct = with_upload(Data(), upload(CT))
    shown = Shown(answer=answer(), form=FORM, scan_facts=with_ct.scan_facts)
    assert staleness(FORM, with_ct, shown) == ""
    assert staleness(FORM, with_upload(with_ct, upload(CT)), shown) == ""
    for other in (with_upload(with_ct, upload(MR)), Data()):
        assert "The scan has changed" in staleness(FORM, other, shown)
        assert staleness(FORM, other, Shown()) == ""
    both = staleness(replace(FORM, rerank=False), Data(), shown)
    assert "scan and settings have changed" in both


def test_a_list_is_stale_when_another_series_is_picked(tmp_path):
    nib.save(nib.Nifti1Image(np.zeros((8, 8, 8), np.int16), np.eye(4)), tmp_path / "3d.nii")
    nib.save(nib.Nifti1Image(np.zeros((8, 8, 8, 5), np.int16), np.eye(4)), tmp_path / "4d.nii")
    read = read_scans([tmp_path / "3d.nii", tmp_path / "4d.nii"])
    data = with_upload(Data(), read)
    shown = Shown(answer=answer(), form=FORM, scan_facts=data.scan_facts)
    assert staleness(FORM, data, shown) == ""
    assert "The scan has changed" in staleness(FORM, replace(data, upload=read.pick(0)), shown)


def test_a_list_is_stale_when_a_taste_that_weighed_in_it_was_erased_or_switched_off():
    taste = Taste(on=True, liked=("a",), disliked=("b",))
    shown = Shown(answer=answer(), form=FORM, taste=taste)
    assert staleness(FORM, Data(taste=taste), shown) == ""
    assert staleness(FORM, Data(taste=taste.likes("c")), shown) == ""
    assert staleness(FORM, Data(taste=taste), replace(shown, taste=Taste())) == ""
    for without in (taste.erased, replace(taste, on=False), taste.forgets("b")):
        assert "Your taste has changed" in staleness(FORM, Data(taste=without), shown)
        assert staleness(FORM, Data(taste=without), Shown(taste=taste)) == ""
    unused = replace(shown, taste=replace(taste, on=False))
    assert staleness(FORM, Data(), unused) == ""


def test_while_a_scan_is_read_the_list_says_that_it_is_not_counted():
    assert while_reading(Shown()) == ""
    assert "A scan is being read." in while_reading(Shown(answer=answer(), form=FORM))


def test_a_fact_of_the_scan_that_was_removed_can_be_put_back():
    def act(kind, data):
        return edited("remove", Ask(form=FORM, data=data, id="format:CT", kind=kind, catalog={}))[1]

    without = act("token", SCAN)
    assert without.tokens == ("format:3D",)
    html = chips(without, FORM, catalog={})
    assert 'data-kind="removed" data-id="format:CT"' in html
    again = act("removed", without)
    assert again.tokens == SCAN.tokens
    assert "removed" not in chips(again, FORM, catalog={})
