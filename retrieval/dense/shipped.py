"""The default encoder from what is shipped: its graph, and the weights of the installed package.

``graph.onnx`` holds no weights: it names places in the package's ``model.safetensors``, so that a
first start exports nothing and imports no torch. ONNX Runtime maps what it finds there: of the
vectors of word pieces, half of all weights, those that no text needs take no memory.
``python -m retrieval.dense.shipped MODEL.onnx FOLDER`` writes the graph of an exported model.
"""

from __future__ import annotations

import json
import mmap
import sys
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.core import StageUnavailable
from retrieval.dense.encoder import DEFAULT_ID, packaged_weights
from retrieval.dense.onnx_encoder import OnnxEncoder
from retrieval.settings import ROOT
from retrieval.storage import CacheFolder

FOLDER = CacheFolder(ROOT / "assets", "encoder")
GRAPH, FACTS, WEIGHTS = "graph.onnx", "meta.json", "model.safetensors"
BYTES = 4
"""Of a float32."""

TURNED = ".T"
"""Behind the name of a tensor that the graph has the other way round."""

SMALL = 300_000
"""Bytes that the graph may have: with one matrix of weights left inside it would be larger."""


def shipped_encoder(folder: CacheFolder = FOLDER) -> OnnxEncoder:
    """The default encoder. Every file is checked, those of the package by their own hashes.

    Raises StageUnavailable where a file is missing or is not what was written.
    """
    damage = folder.damage()
    if damage:
        raise StageUnavailable(f"the shipped graph of the sentence encoder: {damage}")
    weights = packaged_weights()
    facts = json.loads((folder.path / FACTS).read_text("utf-8"))
    return OnnxEncoder(
        folder.path / GRAPH,
        weights / "tokenizer.json",
        id=DEFAULT_ID,
        dim=facts["dim"],
        max_tokens=facts["tokens"],
        weights=_turned(weights / WEIGHTS, facts["weights"]),
        weights_folder=weights,
    )


def _turned(path: Path, names: Mapping[str, str]) -> dict[str, NDArray[Any]]:
    """The matrices that the graph has the other way round than the file, by their names in it.

    ONNX Runtime copies them into a layout of its own; they share one mapping, which goes back to
    the system whole.
    """
    from safetensors import safe_open

    sources = {k: v.removesuffix(TURNED) for k, v in names.items() if v.endswith(TURNED)}
    turned, at = {}, 0
    with safe_open(path, framework="np") as file:
        numbers = sum(prod(file.get_slice(source).get_shape()) for source in sources.values())
        room = mmap.mmap(-1, numbers * BYTES)
        for name, source in sources.items():
            tensor = file.get_tensor(source).T
            turned[name] = np.ndarray(tensor.shape, tensor.dtype, buffer=room, offset=at)
            turned[name][:] = tensor
            at += tensor.nbytes
    return turned


def _offsets(path: Path) -> dict[str, tuple[int, int]]:
    """Where each tensor of a safetensors file begins and ends, in bytes from the file's start.

    The file: the length of its header in eight bytes, the header as JSON, the data.
    """
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    header.pop("__metadata__", None)
    return {
        name: tuple(8 + length + offset for offset in facts["data_offsets"])
        for name, facts in header.items()
    }


def write_graph(model: Path, folder: CacheFolder, *, dim: int, tokens: int) -> Path:
    """Write the graph of an exported model of the packaged weights, without those weights.

    Raises ValueError where a matrix is left that the package does not hold.
    """
    import onnx
    from safetensors.numpy import load_file

    graph = onnx.load(str(model))
    names = {}
    path = packaged_weights() / WEIGHTS
    sources = _sources(load_file(path))
    offsets = _offsets(path)
    for tensor in graph.graph.initializer:
        source = sources.get(onnx.numpy_helper.to_array(tensor).tobytes())
        if source is None:
            continue
        names[tensor.name] = source
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        del tensor.external_data[:]
        first, end = offsets[source.removesuffix(TURNED)]
        place = {"location": WEIGHTS, "offset": first, "length": end - first}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=str(value))
    _without_remarks(graph)
    data = graph.SerializeToString()
    if len(data) > SMALL:
        raise ValueError("the exported model holds weights that the package does not")

    def write(aside: Path) -> None:
        (aside / GRAPH).write_bytes(data)
        facts = {"dim": dim, "tokens": tokens, "weights": names}
        (aside / FACTS).write_text(json.dumps(facts, indent=1), "utf-8")

    return folder.make(write)


def _without_remarks(graph: Any) -> None:  # noqa: ANN401 - onnx has no types
    """Leave out where in torch's source every operation comes from: most of the bytes."""
    for part in (graph, graph.graph, *graph.graph.node):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    graph.graph.ClearField("value_info")


def _sources(tensors: Mapping[str, NDArray[Any]]) -> dict[bytes, str]:
    """Names of tensors by their bytes, and of turned matrices with ``.T`` behind."""
    turned = {
        np.ascontiguousarray(array.T).tobytes(): f"{name}{TURNED}"
        for name, array in tensors.items()
        if array.ndim == 2
    }
    return {**turned, **{array.tobytes(): name for name, array in tensors.items()}}


if __name__ == "__main__":
    exported = Path(sys.argv[1])
    meta = json.loads((exported.parent / "meta.json").read_text("utf-8"))
    target = Path(sys.argv[2])
    write_graph(
        exported, CacheFolder(target.parent, target.name), dim=meta["dim"], tokens=meta["tokens"]
    )
