"""The shipped graph with the weights of the package is the encoder that an export would give."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dense.export import PROBES
from retrieval.dense.shipped import FOLDER, GRAPH, SMALL, shipped_encoder, write_graph
from retrieval.settings import ROOT
from retrieval.storage.cache_folder import CacheFolder
from tests.damage import WAYS

pytestmark = pytest.mark.model

FIRST = """
import sys
from pathlib import Path
from retrieval.settings import Settings
from retrieval.wiring.models import loading_encoder
loading = loading_encoder(Settings(_env_file=None, cache_dir=Path(sys.argv[1])))
loading.wait()
print(loading.problem, loading.encode(["segment lungs"]).shape, "torch" in sys.modules)
"""


def test_its_vectors_are_close_to_those_of_the_exported_encoder(onnx_encoder):
    shipped = shipped_encoder()
    assert (shipped.id, shipped.dim) == (onnx_encoder.id, onnx_encoder.dim)
    cosines = (shipped.encode(PROBES) * onnx_encoder.encode(PROBES)).sum(axis=1)
    # The last probe is a single letter; over requests the lowest is .9988.
    assert cosines[:-1].min() > 0.998
    assert cosines.min() > 0.995
    for mine, other in zip(
        shipped.encode_tokens(PROBES), onnx_encoder.encode_tokens(PROBES), strict=True
    ):
        assert (mine * other).sum(axis=1).min() > 0.99


def test_a_text_has_about_the_same_vector_alone_and_among_others():
    texts = [f"{text} of one patient" for text in PROBES] * 8
    alone = [shipped_encoder().encode([text])[0] for text in texts]
    cosines = (shipped_encoder().encode(texts) * np.stack(alone)).sum(axis=1)
    assert cosines.min() > 0.998  # many rows at once are multiplied unrounded


def test_the_graph_holds_no_weights():
    assert (FOLDER.path / GRAPH).stat().st_size < SMALL


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_graph_is_named_and_not_opened(tmp_path, way):
    shutil.copytree(FOLDER.path, tmp_path / "encoder")
    WAYS[way](tmp_path / "encoder" / GRAPH)
    with pytest.raises(StageUnavailable, match=f"{GRAPH} is (damaged|missing)"):
        shipped_encoder(CacheFolder(tmp_path, "encoder"))


def test_a_first_start_exports_nothing_and_imports_no_torch(tmp_path):
    command = [sys.executable, "-c", FIRST, str(tmp_path / "cache")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "None (1, 384) False"
    assert not (tmp_path / "cache").exists()


def test_a_graph_is_written_again_as_it_is_shipped(tmp_path, onnx_folder):
    folder = CacheFolder(tmp_path, "encoder")
    write_graph(onnx_folder / "model.onnx", folder, dim=384, tokens=256)
    again = shipped_encoder(folder)
    assert np.allclose(again.encode(PROBES), shipped_encoder().encode(PROBES), atol=1e-6)
    assert Path(folder.path / GRAPH).stat().st_size < SMALL


def test_a_text_that_is_under_way_is_encoded_once(monkeypatch):
    encoder, passes = shipped_encoder(), []
    run = encoder._states
    monkeypatch.setattr(encoder, "_states", lambda ids, mask: (passes.append(1), run(ids, mask))[1])
    encoder.begin("segment lungs")
    vector, rows = encoder.encode(["segment lungs"]), encoder.encode_tokens(["segment lungs"])
    assert np.array_equal(vector, shipped_encoder().encode(["segment lungs"]))
    assert (len(passes), len(rows)) == (1, 1)
