"""Eight-bit weights of an exported encoder: ``python -m retrieval.dense.quantise FOLDER``.

Runs in a process of its own, as the export does. Every channel has a scale of its own; one
scale for a whole matrix loses too much.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

from retrieval.core.errors import StageUnavailable
from retrieval.dense.export import PROBES, SECONDS
from retrieval.dense.onnx_encoder import EIGHT_BIT, WHOLE, OnnxEncoder

FIDELITY = 0.98
"""Lowest mean cosine to the exported encoder that eight bits may have on the probe texts."""


def eight_bit(folder: Path) -> Path:
    """The folder of an exported encoder, its eight-bit weights made when they are missing.

    Raises StageUnavailable when they cannot be made here.
    """
    if (folder / EIGHT_BIT).is_file():
        return folder
    command = [sys.executable, "-m", "retrieval.dense.quantise", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise StageUnavailable("eight-bit weights could not be made in time") from exc
    if done.returncode != 0:
        raise StageUnavailable("eight-bit weights could not be made of this encoder")
    return folder


def write(folder: Path) -> None:
    """Make the weights, compare them with the whole ones on PROBES, then put them in place."""
    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.getLogger().setLevel(logging.ERROR)
    aside = folder / f".new-{os.getpid()}.onnx"
    try:
        quantize_dynamic(
            folder / WHOLE,
            aside,
            per_channel=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul"],
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
        whole, small = OnnxEncoder.open(folder), OnnxEncoder.open(folder, aside.name)
        cosine = float((whole.encode(PROBES) * small.encode(PROBES)).sum(axis=1).mean())
        if cosine < FIDELITY:
            raise StageUnavailable(f"eight bits differ from the encoder ({cosine:.4f})")
        aside.replace(folder / EIGHT_BIT)
    finally:
        aside.unlink(missing_ok=True)


if __name__ == "__main__":
    try:
        write(Path(sys.argv[1]))
    except (StageUnavailable, OSError, ImportError) as problem:
        sys.stderr.write(f"{problem}\n")
        os._exit(3)
