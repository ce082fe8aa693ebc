"""What events are wired with, and values that Gradio passes to the page without inspecting them.

Gradio makes a component anew for every update it knows as one, and looks through every dict and
list for files. A model it hands on as it is, and writes as what it says of itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from pydantic import BaseModel, ConfigDict, RootModel, model_serializer

EVENT_DEFAULTS: dict[str, Any] = {
    "show_progress": "hidden",
    "show_progress_on": [],
    "api_visibility": "private",
}
"""Without a place for progress, Gradio's page does not read back what each message may touch."""


SEARCHES: dict[str, Any] = {"concurrency_limit": 4, "concurrency_id": "search"}
"""Of every event and endpoint that searches. Gradio needs a number while a page is built;
`serve.limit_searches` replaces it by that of the processors before the start."""


class Update(BaseModel):
    """New properties of a component for the browser alone; without any it stays as it is.

    For events wired with ``postprocess=False`` and components whose properties no handler reads.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    @model_serializer
    def _as_update(self) -> dict[str, Any]:
        return {"__type__": "update", **(self.model_extra or {})}


SAME = Update()
"""What `gradio.skip` says."""


class Sealed(RootModel[dict[str, Any]]):
    """JSON without a file in it."""


def sealed(endpoint: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    """The endpoint under its own name and types, its answer sealed."""

    @wraps(endpoint)
    def answer(*args: Any, **keywords: Any) -> Sealed:  # noqa: ANN401 - what the endpoint takes
        return Sealed.model_construct(endpoint(*args, **keywords))

    return answer
