"""The answers a language model gives about tools; a row that cannot be used costs only itself."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _id(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _is_id(value: object) -> bool:
    return isinstance(_id(value), str)


def _rows(value: object) -> object:
    if not isinstance(value, list):
        return value
    named = [row if isinstance(row, dict) else {"id": row} for row in value]
    return [row for row in named if _is_id(row.get("id"))]


def _ids(value: object) -> object:
    if not isinstance(value, list):
        return value
    bare = [row.get("id") if isinstance(row, dict) else row for row in value]
    return [_id(item) for item in bare if _is_id(item)]


class Pick(BaseModel):
    """A tool, one sentence of reason, and the tools of the answer whose output it takes."""

    id: Annotated[str, BeforeValidator(_id)]
    why: Annotated[str, BeforeValidator(_text)] = ""
    after: Annotated[list[str], BeforeValidator(_texts)] = []


class Ranking(BaseModel):
    """Tools in the order of a pipeline."""

    tools: Annotated[list[Pick], BeforeValidator(_rows)]


class ToolIds(BaseModel):
    """Ids of tools, best first; ``Found`` is its title in the JSON schema and in scripts."""

    model_config = ConfigDict(title="Found")

    ids: Annotated[list[str], BeforeValidator(_ids)]
