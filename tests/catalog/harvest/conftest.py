"""Folders of small repositories, written for each test."""

from __future__ import annotations

import pytest

from retrieval.catalog.harvest import harvest_folder


@pytest.fixture
def harvest(tmp_path):
    """Writes files below a folder named ``lungcut`` and returns what is proposed from them."""

    def run(files):
        root = tmp_path / "lungcut"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        return harvest_folder(root)

    return run


@pytest.fixture
def facts(harvest):
    """As ``harvest``; the proposals of one field as value, file, line and whether it is a hint."""

    def run(field, files):
        return [
            (str(p.value), p.file, p.line, p.hint)
            for p in harvest(files).proposals
            if p.field == field
        ]

    return run
