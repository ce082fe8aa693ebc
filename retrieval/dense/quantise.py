"""Eight-bit weights of an exported encoder: ``python -m retrieval.dense.quantise FOLDER NEW``.

Runs in a process of its own, as the export does. Every channel has a scale of its own; one
scale for a whole matrix loses too much.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
from pathlib import Path

from retrieval.core import StageUnavailable
from retrieval.dense.export import PROBES, made_by
from retrieval.dense.onnx_encoder import EIGHT_BIT, WHOLE, OnnxEncoder
from retrieval.storage import CacheFolder, Say, silent

FIDELITY = 0.98
"""Lowest mean cosine to the exported encoder that eight bits may have on the probe texts."""


def eight_bit(folder: Path, say: Say = silent) -> Path:
    """The folder of an exported encoder's eight-bit weights, every file checked; made if need be.

    Raises StageUnavailable when they cannot be made here.
    """
    small = CacheFolder(folder.parent, f"{folder.name}--8bit")
    command = [sys.executable, "-m", "retrieval.dense.quantise", str(folder)]
    return made_by(command, small, "the eight-bit encoder is", "eight-bit weights", say)


def write(source: Path, folder: Path) -> None:
    """Make the weights in an empty folder, and compare them with the whole ones on PROBES."""
    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.getLogger().setLevel(logging.ERROR)
    quantize_dynamic(
        source / WHOLE,
        folder / EIGHT_BIT,
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul"],
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
    for name in ("tokenizer.json", "meta.json"):
        shutil.copyfile(source / name, folder / name)
    full, small = OnnxEncoder.open(source), OnnxEncoder.open(folder, EIGHT_BIT)
    cosine = float((full.encode(PROBES) * small.encode(PROBES)).sum(axis=1).mean())
    if cosine < FIDELITY:
        raise StageUnavailable(f"eight bits differ from the encoder ({cosine:.4f})")


if __name__ == "__main__":
    try:
        write(Path(sys.argv[1]), Path(sys.argv[2]))
    except (StageUnavailable, OSError, ImportError) as problem:
        sys.stderr.write(f"{problem}\n")
        os._exit(3)
