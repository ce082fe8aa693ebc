"""A BERT as the few fused operations that ONNX Runtime has for one, straight from its weights.

A traced model is some 250 small operations, a third of a short query's time; this one is 86.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retrieval.core import Vectors

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

FUSED = "com.microsoft"
"""The domain of the runtime's own operations."""

OPSET, IR = 20, 10


def is_bert(source: Path) -> bool:
    """Whether a model's folder holds a BERT as it was first published, in one file of weights."""
    config = _config(source)
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and (source / "model.safetensors").is_file()
    )


def write_bert(source: Path, target: Path) -> None:
    """Write the model: ids and mask (batch, token) in, the states of the last layer out."""
    import onnx
    from safetensors.numpy import load_file

    weights = {
        name.removeprefix("bert."): np.asarray(value, dtype=np.float32)
        for name, value in load_file(source / "model.safetensors").items()
    }
    onnx.save(_Writer(weights, _config(source)).model(), target)


def _config(source: Path) -> Mapping[str, Any]:
    file = source / "config.json"
    config: Mapping[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return config


class _Writer:
    """The graph as it grows, operation by operation."""

    def __init__(self, weights: Mapping[str, Vectors], config: Mapping[str, Any]) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._array = helper, numpy_helper.from_array
        self._weights, self._config = weights, config
        self._arrays: dict[str, np.ndarray] = {}
        self._nodes: list[NodeProto] = []

    def model(self) -> ModelProto:
        """The whole of it."""
        from onnx import TensorProto

        layers = int(self._config["num_hidden_layers"])
        states = self._embedded()
        for n in range(layers):
            states = self._layer(n, states, "states" if n == layers - 1 else f"states{n}")
        ints, declare = TensorProto.INT64, self._helper.make_tensor_value_info
        graph = self._helper.make_graph(
            self._nodes,
            "bert",
            [declare(name, ints, ["batch", "token"]) for name in ("input_ids", "attention_mask")],
            [declare(states, TensorProto.FLOAT, ["batch", "token", self._config["hidden_size"]])],
            [self._array(np.ascontiguousarray(a), name) for name, a in self._arrays.items()],
        )
        sets = [self._helper.make_opsetid("", OPSET), self._helper.make_opsetid(FUSED, 1)]
        return self._helper.make_model(graph, opset_imports=sets, ir_version=IR)

    def _embedded(self) -> str:
        """Words, places and the first kind of segment, added and normalised."""
        words, places, kinds = (
            self._weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        self._put("Gather", [self._hold("words", words), "input_ids"], "word")
        self._put("Shape", ["input_ids"], "length", start=1, end=2)
        zero = self._hold("zero", np.array([0], dtype=np.int64))
        table = self._hold("places", places + kinds[0])
        self._put("Slice", [table, zero, "length", zero], "place")
        self._put("Add", ["word", "place"], "sum")
        norm = [self._weight(f"embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
        self._put("Cast", ["attention_mask"], "mask", to=6)
        return self._put("LayerNormalization", ["sum", *norm], "embedded", **self._epsilon())

    def _layer(self, n: int, states: str, out: str) -> str:
        """Attention, then two products with a bend between; each is added to what came in."""
        at = f"encoder.layer.{n}."
        attention = self._attention(n, states)
        after = self._added(f"{at}attention.output", attention, states, f"attended{n}")
        wide = self._product(f"{at}intermediate.dense", after)
        bias = self._weight(f"{at}intermediate.dense.bias")
        bent = self._put("BiasGelu", [wide, bias], f"bent{n}", FUSED)
        return self._added(f"{at}output", bent, after, out)

    def _attention(self, n: int, states: str) -> str:
        """One product for queries, keys and values together."""
        at = f"encoder.layer.{n}.attention.self."
        kinds = ("query", "key", "value")
        product = np.concatenate([self._weights[f"{at}{kind}.weight"].T for kind in kinds], axis=1)
        bias = np.concatenate([self._weights[f"{at}{kind}.bias"] for kind in kinds])
        three = self._put("MatMul", [states, self._hold(f"{at}weight", product)], f"three{n}")
        parts = [f"{kind}{n}" for kind in kinds]
        self._nodes.append(
            self._helper.make_node("Split", [three], parts, axis=2, num_outputs=len(parts))
        )
        inputs = [*parts, self._hold(f"{at}bias", bias), "mask"]
        heads = {"num_heads": self._config["num_attention_heads"]}
        return self._put("MultiHeadAttention", inputs, f"found{n}", FUSED, **heads)

    def _product(self, at: str, states: str) -> str:
        weight = self._hold(f"{at}.weight", self._weights[f"{at}.weight"].T)
        return self._put("MatMul", [states, weight], f"{at}.product")

    def _added(self, at: str, states: str, before: str, out: str) -> str:
        """A product with its bias, added to what was there before and normalised."""
        parts = ("LayerNorm.weight", "LayerNorm.bias", "dense.bias")
        parameters = [self._weight(f"{at}.{part}") for part in parts]
        put = [self._product(f"{at}.dense", states), before, *parameters]
        return self._put("SkipLayerNormalization", put, out, FUSED, **self._epsilon())

    def _epsilon(self) -> dict[str, Any]:
        return {"epsilon": float(self._config["layer_norm_eps"])}

    def _weight(self, name: str) -> str:
        return self._hold(name, self._weights[name])

    def _hold(self, name: str, values: np.ndarray) -> str:
        self._arrays[name] = values
        return name

    def _put(
        self,
        kind: str,
        inputs: Sequence[str],
        out: str,
        domain: str = "",
        **how: Any,  # noqa: ANN401
    ) -> str:
        self._nodes.append(self._helper.make_node(kind, inputs, [out], domain=domain, **how))
        return out
