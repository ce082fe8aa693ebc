"""An embedding that was killed goes on where it stood; a damaged shard is made again."""

from __future__ import annotations

import json
import logging

import pytest

from retrieval.core.errors import BadInput
from retrieval.dense.journal import Journal
from retrieval.settings import Settings
from retrieval.wiring.index.indexes import HYBRID, folder_of
from retrieval.wiring.index.sync import sync
from tests.fakes import HashingEncoder

RECORDS, SHARD = 30, 4


class Stops(HashingEncoder):
    """Ends like a killed process after so many calls."""

    def __init__(self, calls):
        super().__init__()
        self.left = calls

    def encode(self, texts, batch_size=32):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().encode(texts, batch_size)


@pytest.fixture
def settings(tmp_path):
    made = Settings(_env_file=None, catalog=tmp_path / "c.jsonl", index_dir=tmp_path / "index")
    rows = ({"id": f"t{n}", "name": f"T{n}", "description": f"does {n}"} for n in range(RECORDS))
    made.catalog.write_text("\n".join(map(json.dumps, rows)))
    return made


def killed(settings, calls=4):
    with pytest.raises(KeyboardInterrupt):
        sync(settings, Stops(calls), shard=SHARD)
    return sorted(settings.index_dir.glob(".journal-*/*.shard"))


def answers(settings):
    stored = folder_of(settings.index_dir, HYBRID).load()
    return stored.meta.ids, stored.store.vectors.tolist(), stored.term_vectors.tolist()


@pytest.mark.requirement("S0-08")
def test_the_second_run_embeds_only_what_the_first_did_not(settings, tmp_path):
    assert len(killed(settings)) == 4
    whole, resumed = HashingEncoder(), HashingEncoder()
    elsewhere = settings.model_copy(update={"index_dir": tmp_path / "other"})
    sync(elsewhere, whole, shard=SHARD)
    told = sync(settings, resumed, shard=SHARD)
    assert told["added"] == RECORDS
    assert len(resumed.texts) == len(whole.texts) - 4 * SHARD
    assert answers(settings) == answers(elsewhere)


def test_nothing_is_left_of_the_journal_after_a_sync(settings):
    killed(settings)
    sync(settings, HashingEncoder(), shard=SHARD)
    assert {p.name for p in settings.index_dir.rglob(".*")} == {".lock"}


@pytest.mark.parametrize("harm", [lambda d: d[:-1], lambda d: b"", lambda d: d[:9] + b"x" + d[10:]])
def test_a_damaged_shard_is_found_and_its_texts_are_embedded_again(settings, harm, caplog):
    shards = killed(settings)
    shards[1].write_bytes(harm(shards[1].read_bytes()))
    resumed = HashingEncoder()
    with caplog.at_level(logging.WARNING):
        sync(settings, resumed, shard=SHARD)
    assert "damaged" in caplog.text
    whole = HashingEncoder()
    sync(settings.model_copy(update={"index_dir": settings.index_dir / "other"}), whole)
    assert len(resumed.texts) == len(whole.texts) - 3 * SHARD


def test_a_journal_of_another_model_or_template_is_not_used(tmp_path):
    vectors = {"0" * 24: HashingEncoder().encode(["x"])[0]}
    Journal(tmp_path, "one", "biocortex").write(vectors)
    assert list(Journal(tmp_path, "one", "biocortex").read()) == ["0" * 24]
    assert Journal(tmp_path, "two", "biocortex").read() == {}
    assert Journal(tmp_path, "one", "plaza").read() == {}


def test_a_catalog_changed_in_between_takes_what_it_still_holds(settings):
    killed(settings)
    lines = settings.catalog.read_text().splitlines()
    settings.catalog.write_text("\n".join(lines[:10]))
    sync(settings, HashingEncoder(), shard=SHARD)
    assert len(folder_of(settings.index_dir, HYBRID).load().meta.ids) == 10


def test_a_journal_that_cannot_be_written_ends_the_sync_at_once_with_the_remedy(settings):
    settings.index_dir.write_text("in the way")
    encoder = HashingEncoder()
    with pytest.raises(BadInput, match="--index"):
        sync(settings, encoder, shard=SHARD)
    assert len(encoder.texts) == SHARD


def test_without_strictness_it_costs_the_journal_and_not_the_embedding(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    journal = Journal(tmp_path / "file", "m", "t", strict=False)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            journal.write({"0" * 24: HashingEncoder().encode(["x"])[0]})
    assert caplog.text.count("cannot be written") == 1


def test_the_bar_is_drawn_on_stderr_when_asked_for_and_not_otherwise(settings, capsys):
    sync(settings, HashingEncoder(), shard=SHARD)
    assert capsys.readouterr().err == ""
    settings.catalog.write_text(settings.catalog.read_text().replace("does", "makes"))
    sync(settings, HashingEncoder(), progress=True, shard=SHARD)
    told = capsys.readouterr()
    assert told.out == ""
    assert "embedding (biocortex): 100%" in told.err


def test_the_bar_of_a_resumed_run_starts_where_it_stood(settings, capsys):
    killed(settings, 6)
    sync(settings, HashingEncoder(), progress=True, shard=SHARD)
    drawn = capsys.readouterr().err
    assert "100%" in drawn
