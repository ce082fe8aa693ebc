"""Write an encoder's weights as ONNX, once: ``python -m retrieval.dense.export MODEL FOLDER``.

Runs in a process of its own, so that the app need never import torch.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from retrieval.core import StageUnavailable
from retrieval.dense.encoder import DEFAULT_ID, SentenceEncoder, packaged_weights
from retrieval.dense.onnx_encoder import OnnxEncoder
from retrieval.storage import CacheFolder, Say, rebuilt, silent

SECONDS = 300
FORM = 3
"""Which graph an export holds; it is in the folder's name, and those of other forms are removed."""

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
"""Faults of the disk that the exporting process gives back as its exit status."""

FIDELITY = 0.9999
"""Lowest cosine to the original that an exported encoder may have on the probe texts."""

PROBES = (
    "segment lungs",
    "Converts DICOM series from medical scanners to NIfTI with JSON sidecars.",
    "track cells in time-lapse fluorescence microscopy of 3D tissue, 4D stacks",
    "分割肺部CT",
    "x",
)


def exported(model: str, root: Path, say: Say = silent) -> Path:
    """The folder of the exported encoder, every file checked; made when one is not sound.

    Raises StageUnavailable when the weights cannot be exported here.
    """
    name = model.replace("/", "--")
    folder = CacheFolder(root / "onnx", f"{name}--{FORM}")

    def write_apart(aside: Path) -> None:
        command = [sys.executable, "-m", "retrieval.dense.export", model, str(aside)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as exc:
            raise StageUnavailable("the encoder could not be exported in time") from exc
        if done.returncode in NO_ROOM:
            raise OSError(done.returncode, os.strerror(done.returncode))
        if done.returncode != 0:
            raise StageUnavailable("the encoder could not be exported to ONNX")

    try:
        path = rebuilt(folder, "the sentence encoder is", write_apart, say)
    except OSError as exc:
        reason = exc.strerror or type(exc).__name__
        raise StageUnavailable(
            f"the encoder could not be exported to the cache ({reason})"
        ) from exc
    # Exports of an earlier form, among them those of eight bits.
    folder.clean(rf"{re.escape(name)}(?!--{FORM}$)(--\d+)?(--8bit)?")
    return path


def write(model: str, folder: Path) -> None:
    """Export to an empty folder, and compare with the original on PROBES.

    Raises StageUnavailable for an encoder that does not average its tokens, and where the lowest
    cosine to the original is below FIDELITY; the files written by then stay.
    """
    source = packaged_weights() if model == DEFAULT_ID else Path(model)
    if not _config(source / "1_Pooling" / "config.json").get("pooling_mode_mean_tokens"):
        raise StageUnavailable("only encoders that average their tokens are exported")
    tokens = int(_config(source / "sentence_bert_config.json").get("max_seq_length") or 256)
    original = SentenceEncoder(model)
    _trace(source, folder / "model.onnx")
    shutil.copyfile(source / "tokenizer.json", folder / "tokenizer.json")
    graph, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    copy = OnnxEncoder(graph, tokenizer, id="probe", dim=original.dim, max_tokens=tokens)
    cosine = float((original.encode(PROBES) * copy.encode(PROBES)).sum(axis=1).min())
    if cosine < FIDELITY:
        raise StageUnavailable(f"the exported encoder differs from the original ({cosine:.6f})")
    facts = {"model": model, "dim": original.dim, "cosine": cosine, "tokens": tokens}
    (folder / "meta.json").write_text(json.dumps(facts), "utf-8")


def _config(path: Path) -> Mapping[str, Any]:
    settings: Mapping[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return settings


def _trace(source: Path, target: Path) -> None:
    """The model of a folder as ONNX: ids and mask (batch, token) in, last states out, float32.

    ONNX Runtime fuses its operations when it opens the file.
    """
    import torch
    from transformers import AutoModel

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            # Attention written out: ONNX Runtime runs it faster than what the fused one becomes.
            self.model = AutoModel.from_pretrained(
                source, trust_remote_code=False, attn_implementation="eager"
            ).eval()

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            out = self.model(input_ids=input_ids, attention_mask=attention_mask)
            states: torch.Tensor = out.last_hidden_state
            return states

    axes = {
        0: torch.export.Dim("batch", min=1, max=4096),
        1: torch.export.Dim("token", min=2, max=512),
    }
    ids = torch.randint(1000, 2000, (2, 12))
    torch.onnx.export(
        States(),
        (ids, torch.ones_like(ids)),
        str(target),
        input_names=["input_ids", "attention_mask"],
        output_names=["states"],
        dynamo=True,
        dynamic_shapes={"input_ids": axes, "attention_mask": axes},
        external_data=False,
        verbose=False,
    )


if __name__ == "__main__":
    try:
        write(sys.argv[1], Path(sys.argv[2]))
    except (StageUnavailable, OSError, ImportError) as problem:
        sys.stderr.write(f"{problem}\n")
        code = getattr(problem, "errno", None)
        os._exit(code if code in NO_ROOM else 3)
