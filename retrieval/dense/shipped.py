"""The default encoder from what is shipped: its graph, and the weights of the installed package.

``graph.onnx`` holds no weights: it names places in the package's ``model.safetensors``, so that a
first start exports nothing and imports no torch. ONNX Runtime maps what it finds there: of the
vectors of word pieces, half of all weights, those that no text needs take no memory. The matrices,
the other half, are rounded to eight bits when the encoder is opened: a text is encoded in six
tenths of the time, since 11 MB are read in place of 42 (`benchmarks/levers.md`).
``python -m retrieval.dense.shipped MODEL.onnx FOLDER`` writes the graph of an exported model.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
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
BLOCK = 128
"""Weights of a row that share a scale. Of 32, 64 and 128 each leaves a mean cosine to the unrounded
encoder of .9992 or more over 120 requests; 128 takes the least time."""

LEVELS = 127
"""Steps to each side of zero; zero is the byte LEVELS + 1."""

VALUES, SCALES = ".values", ".scales"
"""Behind the name of a matrix: its rounded weights, (outputs, blocks, BLOCK) uint8, and the size of
a step in each block, (outputs * blocks,) float32."""

DOMAIN = "com.microsoft"
"""Of the operators that ONNX Runtime adds to ONNX."""

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
        weights=_rounded(weights / WEIGHTS, facts["matrices"]),
        weights_folder=weights,
    )


def _rounded(path: Path, matrices: Mapping[str, str]) -> dict[str, NDArray[Any]]:
    """The matrices of a safetensors file in eight bits, by the graph's names for them.

    ``matrices`` are names in the file by those in the graph.
    """
    from safetensors import safe_open

    arrays: dict[str, NDArray[Any]] = {}
    with safe_open(path, framework="np") as file:
        for name, source in matrices.items():
            tensor = file.get_tensor(source)
            blocks = tensor.reshape(len(tensor), -1, BLOCK)
            steps = np.maximum(np.abs(blocks).max(axis=2, keepdims=True), 1e-12) / LEVELS
            arrays[name + VALUES] = (np.rint(blocks / steps) + LEVELS + 1).astype(np.uint8)
            arrays[name + SCALES] = steps.ravel()
    return arrays


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
    path = packaged_weights() / WEIGHTS
    tensors, offsets = load_file(path), _offsets(path)
    matrices = _round_matrices(graph.graph, tensors, offsets)
    sources = {array.tobytes(): name for name, array in tensors.items()}
    for tensor in graph.graph.initializer:
        source = sources.get(tensor.raw_data)
        if source is not None:
            _keep_outside(tensor, *offsets[source])
    graph.opset_import.append(onnx.helper.make_opsetid(DOMAIN, 1))
    _without_remarks(graph)
    data = graph.SerializeToString()
    if len(data) > SMALL:
        raise ValueError("the exported model holds weights that the package does not")

    def write(aside: Path) -> None:
        (aside / GRAPH).write_bytes(data)
        facts = {"dim": dim, "tokens": tokens, "matrices": matrices}
        (aside / FACTS).write_text(json.dumps(facts, indent=1), "utf-8")

    return folder.make(write)


def _round_matrices(
    graph: Any,  # noqa: ANN401 - onnx has no types
    tensors: Mapping[str, NDArray[Any]],
    offsets: Mapping[str, tuple[int, int]],
) -> dict[str, str]:
    """Multiply by rounded matrices where the package's are multiplied by; their names, by its own.

    The operator (MatMulNBits of ONNX Runtime) rounds what comes in to eight bits as well.
    """
    turned = {np.ascontiguousarray(a.T).tobytes(): n for n, a in tensors.items() if a.ndim == 2}
    sources = {tensor.name: turned.get(tensor.raw_data, "") for tensor in graph.initializer}
    products = [n for n in graph.node if n.op_type == "MatMul" and sources.get(n.input[1])]
    matrices = {node.input[1]: sources[node.input[1]] for node in products}
    for node in products:
        node.CopyFrom(_rounded_product(node, tensors[matrices[node.input[1]]].shape))
    others = [tensor for tensor in graph.initializer if tensor.name not in matrices]
    del graph.initializer[:]
    graph.initializer.extend(others)
    for name, source in matrices.items():
        count = tensors[source].size // BLOCK
        shape = (len(tensors[source]), count // len(tensors[source]), BLOCK)
        _add_place(graph, name + VALUES, np.zeros(shape, np.uint8), offsets[source][0])
        _add_place(graph, name + SCALES, np.zeros(count, np.float32), offsets[source][0])
    return matrices


def _rounded_product(node: Any, shape: tuple[int, ...]) -> Any:  # noqa: ANN401
    """The product of what a node multiplies by a matrix (outputs, inputs) in eight bits."""
    from onnx import helper

    before, name = node.input
    product = helper.make_node(
        "MatMulNBits", [before, name + VALUES, name + SCALES], list(node.output), domain=DOMAIN
    )
    facts = {"K": shape[1], "N": shape[0], "bits": 8, "block_size": BLOCK, "accuracy_level": 4}
    product.attribute.extend(helper.make_attribute(key, value) for key, value in facts.items())
    return product


def _add_place(graph: Any, name: str, array: NDArray[Any], first: int) -> None:  # noqa: ANN401
    """A tensor like an array that is given when the graph is opened; no file is read for it."""
    from onnx import numpy_helper

    tensor = numpy_helper.from_array(array, name)
    _keep_outside(tensor, first, first + array.nbytes)
    graph.initializer.append(tensor)


def _keep_outside(tensor: Any, first: int, end: int) -> None:  # noqa: ANN401 - onnx has no types
    """Leave the data of a tensor out: it is at this place of the package's file."""
    tensor.ClearField("raw_data")
    tensor.data_location = tensor.EXTERNAL
    del tensor.external_data[:]
    for key, value in {"location": WEIGHTS, "offset": first, "length": end - first}.items():
        tensor.external_data.add(key=key, value=str(value))


def _without_remarks(graph: Any) -> None:  # noqa: ANN401 - onnx has no types
    """Leave out where in torch's source every operation comes from: most of the bytes."""
    for part in (graph, graph.graph, *graph.graph.node):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    graph.graph.ClearField("value_info")


if __name__ == "__main__":
    exported = Path(sys.argv[1])
    meta = json.loads((exported.parent / "meta.json").read_text("utf-8"))
    target = Path(sys.argv[2])
    write_graph(
        exported, CacheFolder(target.parent, target.name), dim=meta["dim"], tokens=meta["tokens"]
    )
