"""Inner products of stored 8-bit rows with float rows, by integer arithmetic of ONNX Runtime.

The graph is one MatMulInteger (ONNX operators, since version 10): on a processor with 8-bit dot
products a query of 12 rows against 16,000 stored ones takes 1.6 ms, where widening the stored rows
and a product in floats take 8.1. ``python -m retrieval.dense.int8_product FILE`` writes the graph.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.core import Vectors
from retrieval.settings import ROOT

GRAPH = ROOT / "assets" / "products" / "int8.onnx"
MOST = 63
"""Largest value of a query's digits. Two products of an unsigned byte and a digit must fit in 16
signed bits, 2 * 255 * 63 = 32,130: processors without 8-bit dot products add them there."""

FINE = 2 * MOST
"""What a second digit counts of a first one: its range covers half a step to each side."""

SIGN = np.uint8(128)
"""Added to a stored value so that it is unsigned, as the operator wants it; it subtracts it."""


def products(rows: NDArray[np.uint8], query: Vectors) -> Vectors:
    """Inner products, (n, q) float32, of n stored rows and q query rows.

    ``rows`` is (n, dim): 8-bit values plus 128. ``query`` is (q, dim) float32; each value is
    written with two digits of a scale of its row, so that a cosine is off by at most some
    5e-5 (and the order of 150 shipped searches is that of products in floats).
    """
    scale = np.maximum(np.abs(query).max(axis=1, keepdims=True), 1e-12) / MOST
    coarse = np.rint(query / scale)
    fine = np.rint((query / scale - coarse) * FINE)
    digits = np.ascontiguousarray(np.concatenate([coarse, fine]).T, dtype=np.int8)
    [whole] = _session().run(None, {"rows": rows, "digits": digits})
    count = len(query)
    exact: Vectors = whole[:, :count] + whole[:, count:] * np.float32(1 / FINE)
    exact *= scale.T
    return exact


@lru_cache(maxsize=1)
def _session() -> Any:  # noqa: ANN401 - onnxruntime has no types
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    # Its pool keeps what the largest products at once took: 340 MB after four long texts.
    options.enable_cpu_mem_arena = False
    return ort.InferenceSession(str(GRAPH), options, providers=["CPUExecutionProvider"])


def write_graph(path: Path) -> None:
    """Write the graph: the product of ``rows`` less 128 and ``digits`` as 32-bit integers."""
    from onnx import TensorProto, helper

    zero = helper.make_tensor("zero", TensorProto.UINT8, [], [int(SIGN)])
    product = helper.make_node("MatMulInteger", ["rows", "digits", "zero"], ["whole"])
    rows = helper.make_tensor_value_info("rows", TensorProto.UINT8, ["n", "dim"])
    digits = helper.make_tensor_value_info("digits", TensorProto.INT8, ["dim", "q"])
    whole = helper.make_tensor_value_info("whole", TensorProto.INT32, ["n", "q"])
    graph = helper.make_graph([product], "int8 product", [rows, digits], [whole], [zero])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.write_bytes(model.SerializeToString())


if __name__ == "__main__":
    write_graph(Path(sys.argv[1]))
