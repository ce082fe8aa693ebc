"""Small models in the shape of those that the imaging agent names, in a cache of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.settings import ROOT
from tests.word_tokenizer import word_tokenizer

WORDS = [
    "segment",
    "lungs",
    "lung",
    "brain",
    "count",
    "cells",
    "tool",
    "does",
    "work",
    "format:DICOM",
    "mri",
    "ct",
]
REVISION = "0123456789abcdef0123456789abcdef01234567"
ROWS = [
    {
        "id": "lungmask",
        "name": "lungmask",
        "description": "segment lungs on CT",
        "keywords": ["ct"],
    },
    {"id": "synthseg", "name": "SynthSeg", "description": "segment brain on MRI"},
    {"id": "cellpose", "name": "Cellpose", "description": "segment and count cells"},
]


def _cached(cache: Path, model: str) -> Path:
    """The folder of a model's only revision in a hub cache."""
    home = cache / f"models--{model.replace('/', '--')}"
    folder = home / "snapshots" / REVISION
    folder.mkdir(parents=True)
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(REVISION)
    return folder


@pytest.fixture(scope="session")
def hub_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """BGE-M3 and its re-ranker as XLM-RoBERTa of one layer, 1,024 wide, with random weights."""
    from sentence_transformers import SentenceTransformer, models
    from transformers import (
        XLMRobertaConfig,
        XLMRobertaForSequenceClassification,
        XLMRobertaModel,
        set_seed,
    )

    set_seed(0)
    cache = tmp_path_factory.mktemp("cache")
    words = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *WORDS]
    marks = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    fast = word_tokenizer(words, mask_token="<mask>", cls_token="<s>", sep_token="</s>", **marks)
    config = XLMRobertaConfig(
        vocab_size=len(words),
        hidden_size=1024,
        num_hidden_layers=1,
        num_attention_heads=16,
        intermediate_size=64,
        num_labels=1,
    )
    plain = tmp_path_factory.mktemp("plain")
    XLMRobertaModel(config).save_pretrained(plain)
    fast.save_pretrained(plain)
    encoder = models.Transformer(str(plain))
    pooling = models.Pooling(1024, pooling_mode="cls")
    SentenceTransformer(modules=[encoder, pooling]).save(str(_cached(cache, "BAAI/bge-m3")))
    reranker = _cached(cache, "BAAI/bge-reranker-v2-m3")
    XLMRobertaForSequenceClassification(config).save_pretrained(reranker)
    fast.save_pretrained(reranker)
    return cache


@pytest.fixture
def in_process(hub_cache: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs Python in a process of its own over that cache, as an app would; what it printed."""
    catalog = tmp_path / "tools.jsonl"
    catalog.write_text("\n".join(map(json.dumps, ROWS)))
    settings = {"CATALOG": catalog, "INDEX_DIR": tmp_path / "i", "CACHE_DIR": tmp_path / "c"}
    environment = {
        **os.environ,
        **{f"SCANSCOUT_{name}": str(value) for name, value in settings.items()},
        **{"HF_HUB_CACHE": str(hub_cache), "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)},
        **{"SCANSCOUT_ONNX": "false", "SCANSCOUT_ENV_FILE": ""},
    }

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        ran = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr[-2000:]
        return ran.stdout

    return run
