"""Memory of taste: a switch that starts off, what is remembered, and a way to erase it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.data import Data
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.search.controls import comparison
from components.render.search.form import memory_panel
from components.taste import NO_TASTE, Taste, taste_of
from retrieval import Engine, Tool

if TYPE_CHECKING:
    from components.parts import Parts

KEY = "scanscout-taste"
"""Where the browser keeps it. The secret only keeps it readable after the server restarts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPanel:
    """The switch, the list, and the browser's own store."""

    on: gr.Checkbox
    output: gr.HTML
    erase: gr.Button
    store: gr.BrowserState

    @property
    def shown(self) -> list[Any]:
        """What changes when something is remembered or forgotten."""
        return [self.store, self.output]

    def updates(self, data: Data, catalog: Mapping[str, Tool]) -> dict[Any, Any]:
        """Updates after a choice or exclusion; none while the memory is off."""
        if not data.taste.on:
            return {}
        return {self.store: data.taste.stored(), self.output: memory_panel(data.taste, catalog)}

    def opened(self, stored: object, catalog: Mapping[str, Tool]) -> tuple[Taste, dict[Any, Any]]:
        """The taste stored in a browser, and the updates that show it."""
        taste = taste_of(stored, catalog)
        return taste, {self.on: taste.on, self.output: memory_panel(taste, catalog)}


def layout() -> MemoryPanel:
    """An accordion that starts closed."""
    store = gr.BrowserState(NO_TASTE.stored(), storage_key=KEY, secret=KEY)
    with gr.Accordion("My taste", open=False, elem_id="memory"):
        with gr.Row():
            on = gr.Checkbox(
                False,
                label="Remember my taste in this browser",
                info="Only which tools you choose and exclude; never your words or scans.",
                elem_id="remember",
                min_width=320,
            )
            erase = gr.Button("Erase", size="sm", elem_id="erase", min_width=90, scale=0)
        output = html_box(memory_panel(NO_TASTE, {}), "taste")
    return MemoryPanel(on=on, output=output, erase=erase, store=store)


def events(parts: Parts, engine: Engine) -> None:
    """The switch and the eraser; nothing is searched again."""
    panel = parts.memory
    outputs = [parts.data, *panel.shown]

    def remember(data: Data, taste: Taste) -> tuple[Data, Any, str]:
        changed = replace(data, taste=taste)
        return changed, taste.stored(), memory_panel(taste, engine.catalog)

    def switch(on: bool, data: Data) -> tuple[Data, Any, str]:
        return remember(data, replace(data.taste, on=bool(on)))

    def erase(data: Data) -> tuple[Data, Any, str]:
        return remember(data, data.taste.erased)

    changes = (
        panel.on.input(switch, [panel.on, parts.data], outputs, **EVENT_DEFAULTS),
        panel.erase.click(erase, parts.data, outputs, **EVENT_DEFAULTS),
    )
    for change in changes:
        change.then(**comparison(parts))
