"""The arguments of the published endpoints: which values each takes, and the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradio.data_classes import ListFiles
from pydantic import ValidationError

from components.server import FULL_SCHEMA, claim, is_stored
from components.server.requests.arguments import Argument
from retrieval import SIZES

Json = dict[str, Any]

STRICT = {"validate_meta": True}
"""Gradio takes file data only with the mark of its kind."""


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        # JSON can hold lone surrogates, which no encoder and no log can write.
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _with_file_data(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """A list of files in which the path of a stored upload has the form of Gradio's file data."""
    if not isinstance(value, list):
        return value
    return [_file_data(one) if isinstance(one, str) and is_stored(one) else one for one in value]


def _file_data(path: str) -> Json:
    """Side effect: the upload is claimed, as the guard does with paths in file data."""
    claim(path)
    return {"path": path, "meta": {"_type": "gradio.FileData"}}


def _is_file_list(value: object) -> bool:
    try:
        ListFiles.model_validate([] if value is None else _with_file_data(value), context=STRICT)
    except ValidationError:
        return False
    return True


def _is_integer(value: object) -> bool:
    # True and False are integers in Python.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, int) or value.is_integer()


TEXT = Argument(
    name="text",
    accepts=lambda value: value is None or _is_text(value),
    expected="a text of valid Unicode",
)
TOKENS = Argument(
    name="tokens",
    accepts=lambda value: value is None or (isinstance(value, list) and all(map(_is_text, value))),
    expected="a list of texts",
    optional=True,
)
FILES = Argument(
    name="files",
    accepts=_is_file_list,
    expected="a list of uploaded files, such as the paths that /gradio_api/upload returned",
    for_gradio=_with_file_data,
)
MODE = Argument(name="mode", accepts=_is_text, expected="the name of a mode", optional=True)
TOP_K = Argument(
    name="top_k", accepts=_is_integer, expected="a whole number from 1 to 50", optional=True
)
ADDED_SIZES = tuple(
    Argument(
        name=name,
        accepts=lambda value: value is None or _is_integer(value),
        expected=f"a whole number from {least} to {most}",
        optional=True,
        added=True,
    )
    for name, (_, least, most) in SIZES.items()
)
ADDED_RULES = (
    *(
        Argument(
            name=name,
            accepts=TOKENS.accepts,
            expected=TOKENS.expected,
            optional=True,
            added=True,
        )
        for name in ("exclude", "filters", "require")
    ),
    Argument(
        name="rerank",
        accepts=lambda value: value is None or isinstance(value, bool),
        expected="true or false",
        optional=True,
        added=True,
    ),
)
"""The options ``--exclude``, ``--filter``, ``--require``, ``--no-rerank`` of the command line."""

ENDPOINTS = {
    "recommend": (TEXT, TOKENS, MODE, TOP_K, *ADDED_SIZES, *ADDED_RULES),
    "find_tools": (TEXT, TOKENS, TOP_K, *ADDED_RULES),
    "recommend_files": (TEXT, FILES, MODE, TOP_K, *ADDED_RULES),
    "recommend_cohort": (TEXT, FILES),
}
"""The arguments of every published endpoint, in their order."""

TEXT_SCHEMA: Json = {
    "type": "string",
    "description": "The task in words; control tags such as [EXCLUDE:a|b] or [NO_RERANK] work.",
}
TOKENS_SCHEMA: Json = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Facts of a scan, such as format:DICOM, format:CT, format:3D.",
}
FILES_SCHEMA: Json = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Paths that a POST of scan files to /gradio_api/upload of this page returned; "
    "addresses and contents are not taken.",
}


def _top_k_schema(default: int) -> Json:
    words = {"description": "How many tools, 1 to 50.", "default": default}
    return {"type": "integer", "minimum": 1, "maximum": 50, **words}


TEXTS = {"type": ["array", "null"], "items": {"type": "string"}, "default": None}

RULE_SCHEMAS: dict[str, Json] = {
    "exclude": {**TEXTS, "description": "Tools to leave out, by id or name."},
    "filters": {
        **TEXTS,
        "description": "Only tools that state it: licence, modality, format, dimension, "
        "interface, domain or gpu, such as licence=MIT; values of one kind are alternatives.",
    },
    "require": {
        **TEXTS,
        "description": "What software must be: language=Python, host=3D Slicer, gpu=none, ...",
    },
    "rerank": {
        "type": ["boolean", "null"],
        "default": None,
        "description": "False asks no re-ranking model; no other stage is left out.",
    },
}
"""The JSON schema of each rule, by its name."""


def _size_schemas() -> dict[str, Json]:
    words = {
        "candidates": "Tools that each source of the search gives",
        "hops": "Steps that the expansion over the knowledge graph walks",
        "nodes": "Tools at most after that expansion",
    }
    return {
        name: {
            "type": ["integer", "null"],
            "minimum": least,
            "maximum": most,
            "description": f"{words[name]}, {least} to {most}; as set where it is left out.",
            "default": None,
        }
        for name, (_, least, most) in SIZES.items()
    }


def agent_schemas(modes: Sequence[str]) -> dict[str, Json]:
    """The JSON schema of the arguments of every endpoint, without references."""
    mode = {"type": "string", "enum": list(modes), "default": "hybrid"}
    mode["description"] = "How tools are searched and ordered."
    text, top_k = {"text": TEXT_SCHEMA}, {"top_k": _top_k_schema(15)}
    files = {"files": FILES_SCHEMA}
    arguments: dict[str, Json] = {
        "recommend": {
            **text,
            "tokens": TOKENS_SCHEMA,
            "mode": mode,
            **top_k,
            **_size_schemas(),
            **RULE_SCHEMAS,
        },
        "find_tools": {
            **text,
            "tokens": TOKENS_SCHEMA,
            "top_k": _top_k_schema(8),
            **RULE_SCHEMAS,
        },
        "recommend_files": {**text, **files, "mode": mode, **top_k, **RULE_SCHEMAS},
        "recommend_cohort": {**text, **files},
    }
    return {
        name: {
            "type": "object",
            "properties": {**own, "full": FULL_SCHEMA},
            "required": [argument for argument in ("text", "files") if argument in own],
        }
        for name, own in arguments.items()
    }
