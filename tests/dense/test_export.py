from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dense.export import FORM, exported
from retrieval.settings import ROOT
from retrieval.storage.cache_folder import CacheFolder


@pytest.mark.model
def test_the_written_model_takes_texts_of_any_length_and_number(onnx_encoder):
    import numpy as np

    alone = np.array([[101, 6903, 2102, 102]], dtype=np.int64)
    several = np.array([[101, 6903, 2102, 102, 0, 0], [101, 5, 6, 7, 8, 102]], dtype=np.int64)
    short = onnx_encoder._states(alone, np.ones_like(alone))
    padded = onnx_encoder._states(several, (several > 0).astype(np.int64))
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
    assert left == {".lock", sound.name, "another--model"}


SCRIPT = """
from pathlib import Path
from retrieval.core import StageUnavailable
from retrieval.dense import exported
try:
    exported("sentence-transformers/all-MiniLM-L6-v2", Path("{disk}") / "cache")
except StageUnavailable as problem:
    print(problem)
"""


@pytest.mark.model
def test_an_export_on_a_full_disk_names_the_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=1m tmpfs {disk}"
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*alone, mount], check=False).returncode:
        pytest.skip("this system lets nobody mount a disk in a name space of its own")
    script = SCRIPT.format(disk=disk)
    done = subprocess.run(
        [*alone, f"{mount} && exec {sys.executable} -c '{script}'"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert "exported to the cache (No space left on device)" in done.stdout, done.stderr
