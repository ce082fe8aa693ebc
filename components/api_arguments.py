"""The arguments of the published endpoints: which values each takes, and the same in words."""

from __future__ import annotations

from gradio.data_classes import ListFiles
from pydantic import ValidationError

from components.server.requests.arguments import Argument
from retrieval import SIZES

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


def _is_file_list(value: object) -> bool:
    try:
        return value is None or bool(ListFiles.model_validate(value, context=STRICT) or True)
    except ValidationError:
        return False


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
FILES = Argument(name="files", accepts=_is_file_list, expected="a list of uploaded files")
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
ENDPOINTS = {
    "recommend": (TEXT, TOKENS, MODE, TOP_K, *ADDED_SIZES),
    "find_tools": (TEXT, TOKENS, TOP_K),
    "recommend_files": (TEXT, FILES, MODE, TOP_K),
    "recommend_cohort": (TEXT, FILES),
}
"""The arguments of every published endpoint, in their order."""
