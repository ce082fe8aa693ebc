"""The index folder: pointer, checksums, atomic states (S0-09, S1-18, S1-22)."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import faiss
import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dense.folder import IndexFolder
from retrieval.dense.stores import FaissStore
from tests.dense.conftest import TOOLS, made

FILES = ["index.faiss", "meta.json", "terms.json", "terms.npy"]


@pytest.fixture
def folder(tmp_path, stored):
    saved = IndexFolder(tmp_path / "index")
    saved.save(stored)
    return saved


def live(folder):
    return folder.root / folder.live()


def refusal(folder):
    """Why a folder is no index; its remedy is checked here."""
    with pytest.raises(StageUnavailable) as caught:
        folder.load()
    assert "run: python -m retrieval sync" in str(caught.value)
    return str(caught.value)


def test_what_is_saved_is_what_is_loaded(folder, stored):
    loaded = folder.load()
    assert loaded.store.vectors.tolist() == stored.store.vectors.tolist()
    assert loaded.meta.ids == tuple(t.id for t in TOOLS)
    assert replace(loaded.meta, files={}) == stored.meta
    assert loaded.terms == ("lung", "brain")
    assert loaded.term_vectors == pytest.approx(stored.term_vectors, abs=1e-3)


@pytest.mark.requirement("S0-09")
def test_faiss_itself_opens_the_file(folder):
    index = faiss.read_index(str(live(folder) / "index.faiss"))
    assert (index.ntotal, type(index).__name__) == (len(TOOLS), "IndexFlatIP")


@pytest.mark.requirement("S1-18")
def test_the_pointer_names_a_folder_with_the_files(folder):
    assert (folder.root / "CURRENT").read_text().strip() == live(folder).name
    assert {p.name for p in live(folder).iterdir()} == set(FILES)


@pytest.mark.requirement("S1-22")
def test_meta_says_what_the_index_was_made_of(folder):
    meta = json.loads((live(folder) / "meta.json").read_text())
    told = (meta["model"], meta["dim"], meta["template"], meta["catalog_sha256"])
    assert told == ("hashing", 64, "biocortex", "c1")
    assert meta["ids"] == [t.id for t in TOOLS]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_flipped_byte_in_any_file_is_caught(folder, file, place):
    path = live(folder) / file
    data = bytearray(path.read_bytes())
    data[int(len(data) * place)] ^= 1
    path.write_bytes(bytes(data))
    assert "damaged" in refusal(folder)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("content", [b"", b"junk", b"\x00" * 4096, None])
def test_a_file_that_is_junk_cut_or_missing_is_caught(folder, file, content):
    path = live(folder) / file
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    assert "damaged" in refusal(folder)


@pytest.mark.parametrize("file", FILES)
def test_a_file_cut_short_by_one_byte_is_caught(folder, file):
    path = live(folder) / file
    path.write_bytes(path.read_bytes()[:-1])
    assert "damaged" in refusal(folder)


def test_vectors_that_are_no_numbers_are_refused(tmp_path, stored):
    vectors = stored.store.vectors.copy()
    vectors[2, 3] = np.nan
    folder = IndexFolder(tmp_path)
    folder.save(replace(stored, store=FaissStore(stored.meta.ids, vectors)))
    assert "damaged" in refusal(folder)


@pytest.mark.parametrize(
    "pointer", [b"", b"0123456789abcdef", b"../..", b"..", b"\xff\xfe", b"a\x00b"]
)
def test_a_pointer_to_nothing_or_elsewhere_is_no_index(folder, pointer):
    (folder.root / "CURRENT").write_bytes(pointer)
    with pytest.raises(StageUnavailable):
        folder.load()


def test_a_folder_that_was_never_written_is_no_index(tmp_path):
    assert "there is no index yet" in refusal(IndexFolder(tmp_path / "nowhere"))


def test_an_index_of_another_format_version_is_refused(tmp_path, stored):
    folder = IndexFolder(tmp_path)
    folder.save(replace(stored, meta=replace(stored.meta, format=99)))
    assert "another version" in refusal(folder)


def test_a_save_that_was_killed_before_the_pointer_leaves_the_old_state_live(folder, tmp_path):
    before = folder.live()
    for name in (".new-abc", ".new-def"):
        shutil.copytree(live(folder), folder.root / name)
        (folder.root / name / "meta.json").unlink()
    shutil.copytree(live(folder), folder.root / "00000000000000aa")
    (folder.root / ".CURRENT-999").write_text("00000000000000aa")
    assert folder.live() == before
    assert folder.load().meta.ids == tuple(t.id for t in TOOLS)


def test_the_next_save_clears_what_a_killed_one_left(folder, encoder):
    shutil.copytree(live(folder), folder.root / ".new-abc")
    before = folder.live()
    folder.save(made(encoder, TOOLS[:3]))
    folders = {p.name for p in folder.root.iterdir() if p.is_dir()}
    assert folders == {before, folder.live()}


def test_a_new_state_is_another_folder_and_the_one_before_is_kept_for_readers(folder, encoder):
    before = folder.live()
    folder.save(made(encoder, TOOLS[:3]))
    assert folder.live() != before
    assert (folder.root / before).is_dir()
    assert len(folder.load().meta.ids) == 3


def test_saving_the_same_state_again_does_not_touch_the_live_folder(folder, stored):
    inode = (live(folder) / "index.faiss").stat().st_ino
    folder.save(stored)
    assert (live(folder) / "index.faiss").stat().st_ino == inode


def test_saving_mends_a_damaged_live_state(folder, stored):
    (live(folder) / "index.faiss").write_bytes(b"junk")
    folder.save(stored)
    assert folder.load().meta.ids == stored.meta.ids


def test_foreign_files_in_the_folder_are_left_alone(folder, encoder):
    (folder.root / "plaza").mkdir()
    (folder.root / "notes.txt").write_text("mine")
    folder.save(made(encoder, TOOLS[:3]))
    assert (folder.root / "plaza").is_dir()
    assert (folder.root / "notes.txt").is_file()


def test_no_file_of_an_index_is_a_pickle(folder):
    np.load(live(folder) / "terms.npy", allow_pickle=False)
    assert all(not (live(folder) / f).read_bytes().startswith(b"\x80") for f in FILES)
