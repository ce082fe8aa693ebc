"""Folders of text documents as collections: one record per file."""

from __future__ import annotations

import os
import sys

import pytest

from retrieval.wiring.collections import MAX_BYTES, Collections, documents_of

NAMES = (
    "notes.md",
    "notes.txt",
    "肺.md",
    "肺1.md",
    "脳1.md",
    "a b.md",
    "a-b.md",
    "deep/a/b.md",
    "-.md",
)


@pytest.mark.requirement("S4-02")
def test_every_file_is_a_record_whatever_its_name(tmp_path):
    for name in NAMES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"text of {name}", "utf-8")
    catalog = documents_of(tmp_path)
    assert {r.description for r in catalog.records} == {f"text of {name}" for name in NAMES}
    assert {"notes", "a-b", "1", "deep-a-b"} <= {r.id for r in catalog.records}
    assert documents_of(tmp_path).sha256 == catalog.sha256


@pytest.mark.parametrize("mark", ["\x1b[31m", "\x00", "\x07\r\n", "\ufeff", "\x7f"])
def test_control_characters_of_a_text_are_blanks(tmp_path, light_settings, mark):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "log.txt").write_text(f"{mark}lung {mark} CT", "utf-8")
    (tool,) = Collections(light_settings, tmp_path).parts("logs").tools.values()
    assert tool.description.startswith(("lung", "[31m"))
    assert tool.description.endswith("CT")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_text_costs_no_file(tmp_path):
    for name in (b"\xff\xfe.md", b"\x07.md", b"a\x1bb.md"):
        with open(os.path.join(os.fsencode(tmp_path), name), "w") as file:
            file.write("lung")
    assert len(documents_of(tmp_path).records) == 3


def test_files_that_are_left_out_are_counted_in_the_log(tmp_path, caplog):
    (tmp_path / "good.md").write_text("lung")
    (tmp_path / "empty.md").write_text(" \n")
    (tmp_path / "huge.md").write_text("x" * (MAX_BYTES + 1))
    (tmp_path / "other.pdf").write_text("x")
    (tmp_path / "link.md").symlink_to(tmp_path / "good.md")
    assert [r.id for r in documents_of(tmp_path).records] == ["good"]
    assert caplog.messages == ["3 documents of a collection were left out"]
