"""Folders that can be made again: damage is named, one maker at a time, no leftovers."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from retrieval.storage.cache_folder import CacheFolder, rebuilt
from tests.damage import FLIPS, flip

FILES = {"a.bin": os.urandom(300_000), "b.json": b"[1]"}
NAMES = "[a-z]+"


def write(folder: Path) -> None:
    for name, data in FILES.items():
        (folder / name).write_bytes(data)


@pytest.fixture
def folder(tmp_path: Path) -> CacheFolder:
    one = CacheFolder(tmp_path / "cache", "one")
    one.make(write)
    return one


def test_what_was_made_is_sound_and_is_not_made_again(folder: CacheFolder) -> None:
    assert folder.damage() == ""
    reasons: list[str] = []
    rebuilt(folder, "it is", lambda aside: reasons.append("made"), reasons.append)
    assert reasons == []


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("place", FLIPS)
def test_a_flipped_byte_is_named_and_the_files_are_made_again(
    folder: CacheFolder, file: str, place: float
) -> None:
    flip(folder.path / file, place)
    reasons: list[str] = []
    rebuilt(folder, "it is", write, reasons.append)
    assert reasons == [f"warming up: it is made again because {file} is damaged"]
    assert {p.name: p.read_bytes() for p in folder.path.iterdir() if p.name in FILES} == FILES
    assert folder.damage() == ""


@pytest.mark.parametrize("file", [*FILES, "manifest.json"])
@pytest.mark.parametrize("size", [0, 1])
def test_a_file_that_is_cut_off_or_missing_is_named(
    folder: CacheFolder, file: str, size: int
) -> None:
    os.truncate(folder.path / file, size)
    assert folder.damage() == f"{file} is damaged"
    (folder.path / file).unlink()
    assert folder.damage() == f"{file} is missing"
    (folder.path / file).mkdir()
    assert file in folder.damage()
    folder.make(write)
    assert folder.damage() == ""


@pytest.mark.parametrize("text", ["{}", '{"files": {}}', "[]", '{"files": {"a.bin": 3}}', "\ud800"])
def test_a_manifest_of_another_shape_is_damage(folder: CacheFolder, text: str) -> None:
    (folder.path / "manifest.json").write_text(text, "utf-8", errors="surrogatepass")
    assert folder.damage() == "manifest.json is damaged"


def test_a_first_making_is_no_damage(tmp_path: Path) -> None:
    reasons: list[str] = []
    rebuilt(CacheFolder(tmp_path / "cache", "one"), "it is", write, reasons.append)
    assert reasons == []


def test_a_writer_that_fails_leaves_nothing_and_what_was_there(folder: CacheFolder) -> None:
    def fail(aside: Path) -> None:
        (aside / "half").write_bytes(b"x")
        raise OSError(28, "No space left on device")

    flip(folder.path / "a.bin", 0.5)
    with pytest.raises(OSError, match="No space"):
        folder.make(fail)
    assert sorted(p.name for p in folder.root.iterdir()) == [".lock", "one"]


def test_of_two_that_want_a_folder_one_makes_it(tmp_path: Path) -> None:
    calls: list[int] = []
    together = threading.Barrier(2)

    def slow(aside: Path) -> None:
        calls.append(1)
        write(aside)

    def make() -> None:
        together.wait()
        CacheFolder(tmp_path / "cache", "one").make(slow)

    threads = [threading.Thread(target=make) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert calls == [1]


def test_leftovers_and_old_folders_go_and_the_folder_used_last_stays(folder: CacheFolder) -> None:
    (folder.root / ".new-dead").mkdir()
    (folder.root / ".new-dead" / "half").write_bytes(b"x")
    for age, name in enumerate(["recent", "old", "older"]):
        (folder.root / name).mkdir()
        os.utime(folder.root / name, (1e9 - age, 1e9 - age))
    (folder.root / "former").write_bytes(b"a file of an earlier edition")
    (folder.root / "not ours").mkdir()
    folder.clean(NAMES, keep=1)
    assert sorted(p.name for p in folder.root.iterdir()) == [".lock", "not ours", "one", "recent"]
    folder.clean(NAMES)
    assert sorted(p.name for p in folder.root.iterdir()) == [".lock", "not ours", "one"]


def test_nothing_is_removed_while_another_writes(folder: CacheFolder) -> None:
    seen: list[list[str]] = []

    def watched(aside: Path) -> None:
        folder.clean(NAMES)
        seen.append(sorted(p.name for p in folder.root.iterdir()))
        write(aside)

    CacheFolder(folder.root, "two").make(watched)
    assert [name[:5] for name in seen[0]] == [".lock", ".new-", "one"]
