"""Weights on request: fetched from a hub on this machine, gone on with, checked by hash."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.cli import main
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.settings import ROOT, Settings
from retrieval.wiring import weights
from retrieval.wiring.models import cross_encoder
from tests.wiring.hub import Hub, hub_of
from tests.word_tokenizer import word_tokenizer

pytestmark = pytest.mark.process
PIECE = 10 * 1024 * 1024
"""Bytes that huggingface_hub keeps at a time."""
SMALL = "cross-encoder/ms-marco-MiniLM-L6-v2"


SCORE = """
from retrieval.settings import read_settings
from retrieval.wiring.models import cross_encoder
settings = read_settings()
scorer = cross_encoder(settings.cross_encoder, settings).get()
print(*scorer.scores("segment lung", ["lung", "count brain"]))
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real cross-encoder as its folder is on the hub, of three of the pieces that are fetched."""
    from transformers import BertConfig, BertForSequenceClassification, set_seed

    set_seed(0)
    folder = tmp_path_factory.mktemp("hub") / "tiny"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "lung", "brain", "segment", "count"]
    marks = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]"}
    fast = word_tokenizer(words, sep_token="[SEP]", mask_token="[MASK]", **marks)
    fast.save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=512,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2048,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture
def hub(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """The hub, with a cache of its own for this process and for the one that fetches."""
    cache = tmp_path / "cache"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    with hub_of({SMALL: tiny}) as serving:
        monkeypatch.setenv("HF_ENDPOINT", serving.address)
        monkeypatch.setenv("SCANSCOUT_CROSS_ENCODER", "small")
        yield serving


def test_a_model_that_is_fetched_is_complete_and_is_used_by_its_short_name(hub: Hub) -> None:
    assert weights.model_state("small") == "not here"
    weights.fetch_model("small")
    assert weights.model_state("small") == "complete"
    # In a process of its own, as the app is: the libraries read the cache's place when imported.
    ran = subprocess.run(
        [sys.executable, "-c", SCORE], capture_output=True, text=True, check=True, cwd=ROOT
    )
    one, other = ran.stdout.split()
    assert one != other


def test_a_fetch_that_broke_off_goes_on_where_it_ended(hub: Hub) -> None:
    hub.broken_after = 2 * PIECE + 1_000
    weights.fetch_model("small")
    assert f"bytes={2 * PIECE}-" in hub.ranges
    assert weights.model_state("small") == "complete"


def test_damage_is_found_without_the_hub_and_mended_by_a_fetch(
    hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = weights.fetch_model("small")
    blob = max((folder / "blobs").iterdir(), key=lambda path: path.stat().st_size)
    content = blob.read_bytes()
    blob.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert main(["models", "check", "--json"]) == 2
    shown = capsys.readouterr()
    row = next(row for row in json.loads(shown.out) if row["name"] == "small")
    assert (row["state"], row["damaged"]) == ("damaged", [blob.name])
    assert shown.err == "fetch again before use: small\n"
    weights.fetch_model("small")
    assert blob.read_bytes() == content
    assert weights.model_state("small") == "complete"
    assert main(["models", "check"]) == 0


def test_a_check_without_a_model_names_the_folder_that_it_looked_at(
    hub: Hub, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "_packaged", lambda: False)
    assert main(["models", "check"]) == 0
    assert capsys.readouterr().out == f"no model is in the hub's cache, {tmp_path / 'cache'}\n"


def test_a_fetch_that_was_stopped_is_unfinished_at_any_point_and_names_the_command(
    hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = weights.cached_folder("small")
    (folder / "blobs").mkdir(parents=True)
    half = folder / "blobs" / f"{'a' * 64}.incomplete"
    half.write_bytes(b"half")
    for _ in range(2):
        # First nothing else is there; then all but one file is.
        assert weights.model_state("small") == "unfinished"
        assert main(["models", "check"]) == 2
        assert "unfinished: python -m retrieval models fetch small" in capsys.readouterr().out
        half.unlink(missing_ok=True)
        weights.fetch_model("small")
        capsys.readouterr()
        (next(folder.glob("snapshots/*/model.safetensors"))).unlink()


def test_what_the_hub_sends_damaged_is_refused(hub: Hub) -> None:
    hub.corrupt = True
    with pytest.raises(StageUnavailable, match="is damaged after it"):
        weights.fetch_model("small")


def test_without_a_hub_the_way_by_hand_is_told(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert main(["models", "fetch", "small"]) == 2
    assert "set SCANSCOUT_CROSS_ENCODER to the folder's path" in capsys.readouterr().err


def test_what_is_no_name_is_refused_before_anything_is_asked(hub: Hub) -> None:
    with pytest.raises(BadInput, match="neither one of minilm"):
        weights.fetch_model("../etc")


def test_every_model_of_the_seeds_is_listed_with_size_licence_and_purpose(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["models", "list", "--json"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    assert {"BAAI/bge-m3", "BAAI/bge-reranker-v2-m3", SMALL} <= set(rows)
    assert all(row["megabytes"] and row["licence"] and row["purpose"] for row in rows.values())


def test_a_model_that_is_not_here_names_the_command_that_fetches_it(hub: Hub) -> None:
    scorer = cross_encoder("small", Settings(_env_file=None))
    assert scorer is not None
    with pytest.raises(StageUnavailable, match=f"models fetch {SMALL}"):
        scorer.get()
