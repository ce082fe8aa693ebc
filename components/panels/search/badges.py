"""Marks on cards and detail by what the visitor says of purpose and machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from components.data import Data
from components.event_defaults import QUIET
from components.panels.search.profile import mine_of
from components.parts import Parts
from components.render.results.cards import cards
from components.render.results.detail import detail, nothing_chosen
from retrieval import Engine


def events(parts: Parts, engine: Engine) -> None:
    """Every change marks cards and detail anew; nothing is searched again."""

    def mark(*values: Any) -> tuple[Data, Any, Any]:  # noqa: ANN401 - component values
        *answers, data, shown, looking = values
        changed = replace(data, mine=mine_of(*answers))
        if shown.answer is None:
            return changed, gr.skip(), gr.skip()
        first = shown.answer.candidates[0].tool.id if shown.answer.candidates else ""
        tool = engine.catalog.get(looking or first)
        panel = detail(tool, shown.answer, changed) if tool else nothing_chosen()
        return changed, cards(shown.answer, changed), panel

    inputs = [*parts.mine.all, parts.data, parts.shown, parts.looking]
    outputs = [parts.data, parts.results.cards, parts.results.detail]
    triggers = [one.change for one in parts.mine.all]
    gr.on(triggers, mark, inputs, outputs, trigger_mode="always_last", **QUIET)
