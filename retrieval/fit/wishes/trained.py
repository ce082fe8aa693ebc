"""Whether a record tells of a trained model, and whether such a model comes with the tool."""

from __future__ import annotations

import re
from functools import lru_cache

from retrieval.core import Tool
from retrieval.fit.verdict import field

MODEL_TASKS = frozenset({"model inference", "model training"})
"""Tasks of tools that hold a trained model, or train one."""

WEIGHTED_TASKS = frozenset({"model inference", "foundation model"})
"""Tasks of tools that are used with weights that somebody else has trained."""

NETWORK_TOOLS = frozenset({"monai", "nnunet", "totalsegmentator", "segment_anything", "csbdeep"})
"""Tools that others need to run the networks that they are made of."""

_LEARNS = re.compile(
    r"\b(?:deep[ -](?:learning|neural net|net)|neural net|convolutional neural|convnets?\b|cnns?\b"
    r"|u-?nets?\b|nnu-?nets?\b|transformers?\b|foundation model|segment[ -]anything|medsam\b"
    r"|pytorch\b|tensorflow\b|keras\b|generative adversarial|gans?\b|yolo(?:v\d+)?\b)"
)
"""Words of a record that say that a tool learns from examples in many layers."""


@lru_cache(maxsize=16_384)
def trained_model(tool: Tool) -> str | None:
    """What of a record tells of a trained model; None says nothing: no field states its absence."""
    return (
        field("tasks", [task for task in tool.tasks if task in MODEL_TASKS])
        or field("license_weights", [tool.license_weights] if tool.license_weights else [])
        or field("requires_tool", [one for one in tool.requires_tool if one in NETWORK_TOOLS])
        or field("keywords", [word for word in tool.keywords if _LEARNS.search(word.lower())])
        or field("description", _LEARNS.findall(f"{tool.name}: {tool.description}".lower())[:1])
    )


def has_weights(tool: Tool) -> bool:
    """Whether weights belong to a tool, whose licence is a question of its own.

    A record's words about methods alone do not tell: a library for PyTorch comes without any.
    """
    licences = tool.license_weights or tool.license_data
    networks = NETWORK_TOOLS.intersection(tool.requires_tool)
    return bool(licences or networks or WEIGHTED_TASKS.intersection(tool.tasks))
