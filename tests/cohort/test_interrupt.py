"""Ctrl-C on the command line leaves what is done, and says so."""

from __future__ import annotations

import json
import signal

import pytest

import retrieval
from retrieval import Progress, Settings, open_engine, stream_cohort, stream_subjects
from retrieval.cli import main
from retrieval.scans.limits import Limits
from retrieval.wiring.index.sync import sync
from tests.cohort.making import subjects
from tests.fakes import HashingEncoder

pytestmark = pytest.mark.process

MANY = 4000
AMPLE = Limits(batch_s=300.0, batch_s_most=300.0, files=6000)


@pytest.fixture(autouse=True)
def ctrl_c():
    """What Ctrl-C is in the foreground; a background job of a shell ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def engine(tmp_path, monkeypatch):
    paths = {"index_dir": tmp_path / "index", "cache_dir": tmp_path / "cache"}
    opened = open_engine(Settings(_env_file=None, vector_search=False, **paths))
    opened.wait()
    monkeypatch.setattr("retrieval.open_engine", lambda settings: opened)
    return opened


def test_ctrl_c_while_a_cohort_is_read_gives_what_was_read(engine, monkeypatch, capsys, tmp_path):
    folder = subjects(tmp_path / "data")
    for n in range(MANY):
        (folder / "sub-03" / f"x{n:04}").write_bytes(b"x")

    def interrupted(paths, halt):
        for part in stream_subjects(paths, halt=halt, limits=AMPLE):
            if isinstance(part, Progress) and part.read >= 24 and not halt.requested:
                signal.raise_signal(signal.SIGINT)
            yield part

    monkeypatch.setattr(retrieval, "stream_subjects", interrupted)
    assert main(["cohort", "segment organs", str(folder)]) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert told["partial"]["cause"] == "stopped"
    assert told["partial"]["of"] == MANY + 36
    assert told["subjects"] == 3
    assert all(group["candidates"] for group in told["groups"])
    assert told["notes"] == [told["partial"]["text"]] == said.err.splitlines()


def test_ctrl_c_while_a_cohort_is_searched_gives_the_groups_that_are_done(
    engine, monkeypatch, capsys, tmp_path
):
    def interrupted(*given, **how):
        for part in stream_cohort(*given, **how):
            if part.searched == 1 and not part.stopped:
                signal.raise_signal(signal.SIGINT)
            yield part

    monkeypatch.setattr(retrieval, "stream_cohort", interrupted)
    assert main(["cohort", "segment organs", str(subjects(tmp_path / "data"))]) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert [bool(group["candidates"]) for group in told["groups"]] == [True, False]
    assert said.err == "Stopped after searching for 1 of 2 kinds of series.\n"


class Interrupted(HashingEncoder):
    """Somebody presses Ctrl-C at the third batch."""

    calls = 0

    def encode(self, texts, batch_size=32):
        self.calls += 1
        if self.calls == 3:
            signal.raise_signal(signal.SIGINT)
        return super().encode(texts, batch_size)


def test_ctrl_c_while_an_index_is_made_keeps_the_batches_that_are_done(
    monkeypatch, capsys, tmp_path
):
    rows = ({"id": f"t{n}", "name": f"T{n}", "description": f"does {n}"} for n in range(30))
    catalog, index = tmp_path / "c.jsonl", tmp_path / "index"
    catalog.write_text("\n".join(map(json.dumps, rows)))
    monkeypatch.setattr(
        "retrieval.wiring.sync",
        lambda settings, progress: sync(settings, Interrupted(), shard=4, progress=progress),
    )
    assert main(["sync", "--catalog", str(catalog), "--index", str(index)]) == 130
    said = capsys.readouterr()
    assert said.out == ""
    assert "the batches that were embedded are kept" in said.err
    assert len(list(index.glob(".journal-*/*.shard"))) == 2
    made = Settings(_env_file=None, catalog=catalog, index_dir=index)
    whole, resumed = HashingEncoder(), HashingEncoder()
    sync(made.model_copy(update={"index_dir": tmp_path / "other"}), whole, shard=4)
    assert sync(made, resumed, shard=4)["added"] == 30
    assert len(resumed.texts) == len(whole.texts) - 8
