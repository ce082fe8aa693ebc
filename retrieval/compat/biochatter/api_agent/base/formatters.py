"""Parameters as a call that a person can read."""

from __future__ import annotations

from urllib.parse import urlencode

from pydantic import BaseModel

from retrieval.databases import UUID

NOT_SENT = {UUID, "base_url", "endpoint", "method_name"}


def format_as_rest_call(model: BaseModel) -> str:
    """The address with the parameters that are set."""
    values = model.model_dump(exclude_none=True)
    base = "/".join(str(values[k]).strip("/") for k in ("base_url", "endpoint") if k in values)
    query = urlencode({k: v for k, v in values.items() if k not in NOT_SENT})
    return f"{base}?{query}" if query else base


def format_as_python_call(model: BaseModel) -> str:
    """A function call with the parameters that are set."""
    values = model.model_dump(exclude_none=True)
    name = str(values.get("method_name", type(model).__name__))
    arguments = ", ".join(f"{k}={v!r}" for k, v in values.items() if k not in NOT_SENT)
    return f"{name}({arguments})"
