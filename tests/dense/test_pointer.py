"""One file names the live state of every index, and older layouts are read as they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dense.folder import IndexFolder, IndexMeta, Stored, save_together
from retrieval.dense.inverted import store_for
from retrieval.dense.pointer import Pointer
from retrieval.settings import ROOT


def stored(word, count=3):
    ids = tuple(f"{word}{n}" for n in range(count))
    rows = np.eye(count, 4, dtype=np.float32)
    meta = IndexMeta(model="m", dim=4, template=word, catalog_sha256=word, ids=ids)
    return Stored(meta=meta, store=store_for(ids, rows, None))


def catalogs(root):
    return [IndexFolder(root, part).load().meta.catalog_sha256 for part in ("", "plaza")]


def test_both_indexes_change_with_one_file(tmp_path):
    save_together(tmp_path, {"": stored("old"), "plaza": stored("old")})
    before = (tmp_path / "CURRENT").read_bytes()
    save_together(tmp_path, {"": stored("new"), "plaza": stored("new")})
    assert catalogs(tmp_path) == ["new", "new"]
    (tmp_path / "CURRENT").write_bytes(before)
    assert catalogs(tmp_path) == ["old", "old"]
    assert not (tmp_path / "plaza" / "CURRENT").exists()


def test_an_index_saved_alone_leaves_the_other_live(tmp_path):
    save_together(tmp_path, {"": stored("a"), "plaza": stored("a")})
    IndexFolder(tmp_path, "plaza").save(stored("b"))
    assert catalogs(tmp_path) == ["a", "b"]


def test_the_layout_with_a_file_for_each_index_is_read_and_then_replaced(tmp_path):
    names = {}
    for part in ("", "plaza"):
        IndexFolder(tmp_path / part).save(stored("old"))
        names[part] = Pointer(tmp_path / part).live("")
    assert catalogs(tmp_path) == ["old", "old"]
    save_together(tmp_path, {"plaza": stored("new")})
    assert catalogs(tmp_path) == ["old", "new"]
    assert not (tmp_path / "plaza" / "CURRENT").exists()
    assert Pointer(tmp_path).live("") == names[""]


def test_the_shipped_index_is_read_as_it_lies_there():
    root = ROOT / "assets" / "index"
    assert len(set(catalogs(root))) == 1


@pytest.mark.parametrize("at", range(0, 63, 3))
def test_a_damaged_file_is_believed_for_no_index(tmp_path, at):
    save_together(tmp_path, {"": stored("a"), "plaza": stored("a")})
    data = bytearray((tmp_path / "CURRENT").read_bytes())
    data[at] ^= 1
    (tmp_path / "CURRENT").write_bytes(bytes(data))
    for part in ("", "plaza"):
        folder = IndexFolder(tmp_path, part)
        assert folder.begun
        with pytest.raises(StageUnavailable, match="CURRENT is not what was written"):
            folder.load()


def test_a_folder_without_the_index_of_a_part_says_that_there_is_none(tmp_path):
    save_together(tmp_path, {"plaza": stored("a")})
    assert not IndexFolder(tmp_path).begun
    assert IndexFolder(tmp_path, "plaza").load().meta.ids == ("a0", "a1", "a2")


def test_a_state_that_was_saved_is_the_one_that_is_loaded(tmp_path):
    saved = save_together(tmp_path, {"": stored("a", 2)})[""]
    loaded = IndexFolder(tmp_path).load()
    assert replace(saved.meta) == loaded.meta
