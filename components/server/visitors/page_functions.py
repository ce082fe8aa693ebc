"""What each function of the page does with a session: begins it, reads it, writes to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr

BEGINNINGS = frozenset({"upload", "clear"})
"""Events that replace what the visitor gave before: a lost session may begin with them."""

SEARCHES = frozenset({"search", "ask"})
"""Concurrency ids of the functions that search or answer anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFunction:
    """``private``: for the page only. ``begins``: may run first in a session.

    ``loads``: runs when a page opens. ``searches``: replaces the answer on the page.
    ``reads`` and ``writes`` concern values of the session.
    """

    private: bool
    loads: bool
    begins: bool
    searches: bool
    reads: bool
    writes: bool

    @property
    def uses_values(self) -> bool:
        """Whether the session must be there, or is there from then on."""
        return self.reads or self.writes


NO_FUNCTION = PageFunction(
    private=False, loads=False, begins=False, searches=False, reads=False, writes=False
)
"""Stands for what a request does not call, or what the page does not have."""


class PageFunctions:
    """The functions of a page, found as Gradio finds them: by index, else by the route's name."""

    def __init__(self, page: gr.Blocks) -> None:
        self._page = page
        self._by_index: dict[int, PageFunction] = {}

    def of_call(self, body: Mapping[str, Any], api_name: str) -> PageFunction:
        """The function that a request calls."""
        index = body.get("fn_index")
        if index is None:
            indices = (fn._id for fn in self._page.fns.values() if fn.api_name == api_name)
            index = next(indices, None)
        if type(index) is not int or index not in self._page.fns:
            return NO_FUNCTION
        if index not in self._by_index:
            self._by_index[index] = _described(self._page.fns[index])
        return self._by_index[index]


def _described(fn: Any) -> PageFunction:  # noqa: ANN401 - Gradio's BlockFunction
    events = {event for _, event in fn.targets}
    reads = any(isinstance(one, gr.State) for one in fn.inputs)
    writes = any(isinstance(one, gr.State) for one in fn.outputs)
    return PageFunction(
        private=fn.api_visibility == "private",
        loads="load" in events,
        begins="load" in events or (bool(events & BEGINNINGS) and (reads or writes)),
        searches=fn.concurrency_id in SEARCHES and bool(events & {"click", "submit"}),
        reads=reads,
        writes=writes,
    )
