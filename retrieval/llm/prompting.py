"""The texts of prompts, which stand in files beside the stages that use them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def prompt_file(name: str, folder: str = "llm") -> str:
    """The text of ``prompts/<name>.txt`` in a folder of the library, read once per process.

    Raises FileNotFoundError for a name that has no file.
    """
    return files(f"retrieval.{folder}").joinpath(f"prompts/{name}.txt").read_text("utf-8")
