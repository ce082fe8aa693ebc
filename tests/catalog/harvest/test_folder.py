"""Reading a folder of untrusted files."""

from __future__ import annotations

import os

import pytest

from retrieval.catalog.harvest import SourceFolder, harvest_folder
from retrieval.catalog.harvest.folder import MAX_BYTES, MAX_DEPTH
from retrieval.core import BadInput


def test_links_out_of_the_folder_are_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "README.md").write_text("pip install lungcut")
    root = tmp_path / "lungcut"
    root.mkdir()
    (root / "README.md").symlink_to(secret / "README.md")
    (root / "docs").symlink_to(secret, target_is_directory=True)
    assert harvest_folder(root).proposals == ()
    assert SourceFolder(root).read("README.md").text == ""


def test_pipes_are_not_opened(tmp_path):
    os.mkfifo(tmp_path / "README.md")
    assert SourceFolder(tmp_path).files == ()


def test_a_large_file_is_read_up_to_the_limit(tmp_path):
    (tmp_path / "README.md").write_bytes(b"\xff\x00" * MAX_BYTES)
    text = SourceFolder(tmp_path).read("README.md").text
    assert len(text) == MAX_BYTES
    assert "\x00" not in text


def test_a_byte_order_mark_and_line_ends_of_other_systems_are_removed(tmp_path):
    (tmp_path / "README.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree")
    assert SourceFolder(tmp_path).read("README.md").text == "one\ntwo\nthree"


def test_deep_folders_and_those_of_other_people_are_left_out(tmp_path):
    for path in ("/".join("d" * MAX_DEPTH), "node_modules/x", "vendor"):
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / "setup.py").write_text("")
    (tmp_path / "LICENSE").write_text("")
    assert SourceFolder(tmp_path).paths == {"LICENSE"}


def test_the_topmost_manifest_describes_the_whole(tmp_path):
    for path in ("a", "b/c"):
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / "setup.py").write_text("")
    assert [s.path for s in SourceFolder(tmp_path).nearest(r"setup\.py")] == ["a/setup.py"]


def test_a_path_that_is_no_folder_is_refused(tmp_path):
    with pytest.raises(BadInput, match="not a folder"):
        harvest_folder(tmp_path / "absent")
