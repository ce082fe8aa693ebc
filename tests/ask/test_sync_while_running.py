"""A sync while the program runs: *ask* answers about what was added, by the same encoder."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from retrieval import open_engine
from retrieval.settings import Settings
from retrieval.wiring.index.sync import sync
from retrieval.wiring.questions.desk import QuestionDesk

pytestmark = pytest.mark.model
ADDED = {
    "id": "zorbscan",
    "name": "Zorbscan",
    "description": "Reads scans of zorbs.",
    "tasks": [],
    "formats_in": ["NRRD"],
    "sources": [],
}
QUESTION = "What does Zorbscan read?"


@pytest.fixture
def settings(tmp_path: Path, model_settings: Settings) -> Settings:
    shipped = Settings(_env_file=None).catalog.read_text("utf-8").splitlines()[:12]
    catalog = tmp_path / "tools.jsonl"
    catalog.write_text("\n".join(shipped) + "\n", encoding="utf-8")
    return Settings(
        _env_file=None,
        catalog=catalog,
        index_dir=tmp_path / "index",
        cache_dir=model_settings.cache_dir,
        token_vectors="off",
        plaza_encoder="",
    )


def test_a_sync_while_the_page_runs_is_seen_by_ask(settings: Settings) -> None:
    engine = open_engine(settings)
    desk = QuestionDesk(settings, engine)
    assert "Zorbscan" in desk.question_engine().ask(QUESTION).refused
    encoder = engine.current().encoder
    with settings.catalog.open("a", encoding="utf-8") as file:
        file.write(json.dumps(ADDED) + "\n")
    assert sync(settings)["added"] == 1
    ends = time.monotonic() + 280
    while ADDED["id"] not in engine.current().tools and time.monotonic() < ends:
        time.sleep(0.05)
    asked = desk.question_engine().ask(QUESTION)
    assert [one.text for one in asked.evidence.answer] == ["Zorbscan reads NRRD."]
    assert engine.current().encoder is encoder
