from __future__ import annotations

import json

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dense.bert import is_bert, write_bert
from retrieval.dense.encoder import packaged_weights
from retrieval.dense.export import FORM, exported
from retrieval.storage.cache_folder import CacheFolder

PLAIN = {"model_type": "bert", "hidden_act": "gelu"}


def folder_of(path, config, *, weights=True):
    (path / "config.json").write_text(json.dumps(config), "utf-8")
    if weights:
        (path / "model.safetensors").touch()
    return path


def test_a_plain_bert_in_one_file_is_known_as_one(tmp_path):
    assert is_bert(folder_of(tmp_path, PLAIN))


@pytest.mark.parametrize(
    "config",
    [
        {},
        {**PLAIN, "model_type": "xlm-roberta"},
        {**PLAIN, "hidden_act": "relu"},
        {**PLAIN, "position_embedding_type": "relative_key"},
    ],
)
def test_any_other_model_is_traced_instead(tmp_path, config):
    assert not is_bert(folder_of(tmp_path, config))


def test_without_config_or_weights_nothing_is_a_bert(tmp_path):
    assert not is_bert(tmp_path)
    assert not is_bert(folder_of(tmp_path, PLAIN, weights=False))


@pytest.mark.model
def test_the_written_model_takes_texts_of_any_length_and_number(tmp_path):
    import numpy as np
    import onnxruntime

    write_bert(packaged_weights(), tmp_path / "model.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    alone = np.array([[101, 6903, 2102, 102]], dtype=np.int64)
    several = np.array([[101, 6903, 2102, 102, 0, 0], [101, 5, 6, 7, 8, 102]], dtype=np.int64)
    (short,) = session.run(None, {"input_ids": alone, "attention_mask": np.ones_like(alone)})
    mask = (several > 0).astype(np.int64)
    (padded,) = session.run(None, {"input_ids": several, "attention_mask": mask})
    assert short.shape == (1, 4, 384)
    assert padded.shape == (2, 6, 384)
    assert np.abs(padded[0, :4] - short[0]).max() < 1e-4


def test_an_export_of_another_form_is_not_taken_and_is_removed(tmp_path):
    model = str(tmp_path / "nothing here")
    root, name = tmp_path / "cache" / "onnx", model.replace("/", "--")
    old = [name, f"{name}--{FORM - 1}", f"{name}--{FORM}--8bit", ".new-dead"]
    for folder in (*old, "another--model"):
        (root / folder).mkdir(parents=True)
    with pytest.raises(StageUnavailable, match="could not be exported"):
        exported(model, tmp_path / "cache")
    sound = CacheFolder(root, f"{name}--{FORM}")
    sound.make(lambda folder: (folder / "meta.json").write_text("{}"))
    assert exported(model, tmp_path / "cache") == sound.path
    left = {path.name for path in root.iterdir()}
    assert left == {sound.name, "another--model"}
