"""The graph beside the index: whole or not read, another name for another catalog (S0-08)."""

from __future__ import annotations

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.graph.array_store import ArrayStore
from retrieval.graph.arrays import GraphArrays
from retrieval.graph.build import build_graph
from retrieval.graph.saved import GraphFolder, graph_key
from tests.fakes import make_tool

ARRAYS = GraphArrays.of(
    build_graph([make_tool("a", tasks=("t",), requires_tool=("b",)), make_tool("b", tasks=("t",))])
)
KEY = graph_key("catalog", ["concepts"])


@pytest.fixture
def folder(tmp_path):
    saved = GraphFolder(tmp_path / "graph")
    saved.save(KEY, ARRAYS)
    return saved


def test_what_is_saved_walks_as_what_was_built(folder):
    asked = ([("a", 1.0)], 2, 10)
    assert ArrayStore(folder.load(KEY)).expand(*asked) == ArrayStore(ARRAYS).expand(*asked)


def test_another_catalog_or_concept_layer_is_another_graph(folder):
    keys = {KEY, graph_key("other", ["concepts"]), graph_key("catalog", ["other"])}
    assert len(keys) == 3
    for key in keys - {KEY}:
        with pytest.raises(StageUnavailable, match="no saved graph"):
            folder.load(key)


@pytest.mark.parametrize("place", [0.05, 0.5, 0.95])
def test_a_flipped_byte_is_caught(folder, place):
    [path] = folder.root.iterdir()
    data = bytearray(path.read_bytes())
    data[int(len(data) * place)] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(StageUnavailable, match="damaged"):
        folder.load(KEY)


@pytest.mark.parametrize("content", [b"", b"junk"])
def test_junk_is_caught_and_saving_again_mends_it(folder, content):
    [path] = folder.root.iterdir()
    path.write_bytes(content)
    with pytest.raises(StageUnavailable, match="damaged"):
        folder.load(KEY)
    folder.save(KEY, ARRAYS)
    assert folder.load(KEY).ids == ARRAYS.ids


def test_tidying_removes_other_graphs_and_litter_and_leaves_foreign_files(folder):
    (folder.root / ".4242.part").write_bytes(b"half")
    (folder.root / f"{'0' * 16}-{'1' * 16}.npz").write_bytes(b"old")
    (folder.root / f"{'0' * 16}.lbug").write_bytes(b"old")
    (folder.root / "notes.txt").write_text("mine")
    before = {p.name for p in folder.root.glob(f"{KEY}-*")}
    folder.save(KEY, ARRAYS)
    folder.tidy(KEY)
    assert {p.name for p in folder.root.iterdir()} == {*before, "notes.txt"}


def test_a_folder_that_cannot_be_written_raises_and_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        GraphFolder(tmp_path / "file" / "graph").save(KEY, ARRAYS)
