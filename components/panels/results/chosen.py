"""Choosing tools to compare and cite: a click puts one in or takes it out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from components.data import Data, Shown
from components.event_defaults import QUIET
from components.panels.js_bridge import sent
from components.parts import Parts
from components.render.results.compare import MOST, chosen_panel
from components.run import tools_of
from retrieval import Engine


def events(parts: Parts, engine: Engine) -> None:
    """Wire the act of the bus; nothing is searched again."""

    def choose(data: Data, shown: Shown, event: gr.EventData) -> dict[Any, Any]:
        changed = toggled(data, sent(event)) if sent(event) in engine.catalog else data
        panel = chosen_panel(tools_of(changed, engine), shown.answer)
        remembered = parts.memory.updates(changed, engine.catalog)
        return {parts.data: changed, parts.results.chosen: panel, **remembered}

    outputs = [parts.data, parts.results.chosen, *parts.memory.shown]
    parts.bus.choose(choose, [parts.data, parts.shown], outputs, **QUIET)


def toggled(data: Data, id: str) -> Data:
    """The data with one tool more or one less; beyond the most, the oldest choice goes.

    Ids stay in the order of choice. The taste changes with it while the memory is on.
    """
    taste = data.taste
    if id in data.chosen:
        chosen = tuple(one for one in data.chosen if one != id)
        return replace(data, chosen=chosen, taste=taste.forgets(id))
    return replace(data, chosen=(*data.chosen, id)[-MOST:], taste=taste.likes(id))
