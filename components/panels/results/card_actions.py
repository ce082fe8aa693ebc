"""Events of the buttons inside rendered HTML: show, choose or compare a tool, edit the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from typing import Any

import gradio as gr

from components.data import Data, Shown, form_of
from components.demos import read_demo
from components.edits import EDITS, Ask, edited
from components.events import EVENT_DEFAULTS
from components.panels.js_bridge import kind, sent
from components.parts import Parts
from components.remarks import taken_back
from components.render.results.compare import MOST, chosen_panel
from components.render.search.form import chips
from components.render.search.scan import scan_panel
from components.run import tools_of
from components.tool_detail import detail_of
from retrieval import Engine, Tool

Again = Callable[[Any], None]


def events(parts: Parts, engine: Engine, again: Again, without_scan: Again) -> None:
    """Wire every event that the page's script sends for a button of a card or chip.

    ``again`` searches after an act, ``without_scan`` after the one that removes the scan.
    """

    def choose(shown: Shown, data: Data, event: gr.EventData) -> tuple[str, str]:
        tool = engine.catalog.get(sent(event))
        return detail_of(tool, shown.answer, data, engine.catalog), sent(event)

    inputs, selected = [parts.shown, parts.data], [parts.results.detail, parts.looking]
    parts.bridge.select(choose, inputs, selected, **EVENT_DEFAULTS)
    outputs = [*parts.settable, parts.query.chips, parts.scan.panel]
    outputs += parts.memory.shown
    for name in EDITS:
        listen = getattr(parts.bridge, name)
        edit_event = listen(_editor(name, parts, engine), parts.form, outputs, **EVENT_DEFAULTS)
        (without_scan if name == "clear" else again)(edit_event)


def choice_events(parts: Parts, engine: Engine) -> None:
    """A click puts a tool among those compared and cited, or takes it or all of them out.

    Nothing is searched.
    """

    def updated(changed: Data, shown: Shown, refused: Tool | None = None) -> dict[Any, Any]:
        panel = chosen_panel(
            tools_of(changed, engine), shown.answer, refused, catalog=engine.catalog
        )
        remembered = parts.memory.updates(changed, engine.catalog)
        return {parts.data: changed, parts.results.chosen: panel, **remembered}

    def choose(data: Data, shown: Shown, event: gr.EventData) -> dict[Any, Any]:
        id = sent(event)
        changed = toggled(data, id) if id in engine.catalog else data
        return updated(changed, shown, engine.catalog.get(id) if changed is data else None)

    def unchoose(data: Data, shown: Shown) -> dict[Any, Any]:
        return updated(reduce(toggled, data.chosen, data), shown)

    inputs, outputs = [parts.data, parts.shown], [parts.data, parts.results.chosen]
    outputs += parts.memory.shown
    parts.bridge.choose(choose, inputs, outputs, **EVENT_DEFAULTS)
    parts.bridge.unchoose(unchoose, inputs, outputs, **EVENT_DEFAULTS)


def _editor(name: str, parts: Parts, engine: Engine) -> Callable[..., dict[Any, Any]]:
    def edit(event: gr.EventData, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        *form, data = values
        ask = Ask(
            form=form_of(form),
            data=data,
            id=sent(event),
            kind=kind(event),
            catalog=engine.catalog,
            read=partial(read_demo, engine),
            unsaid=partial(taken_back, engine),
        )
        after, changed = edited(name, ask)
        return {
            **parts.form_updates(after),
            parts.data: changed,
            parts.query.chips: chips(changed, after, catalog=engine.catalog),
            parts.scan.panel: scan_panel(changed),
            **parts.memory.updates(changed, engine.catalog),
        }

    return edit


def toggled(data: Data, id: str) -> Data:
    """The data with one tool more or one less; the same while as many as possible are chosen.

    Ids stay in the order of choice. The taste changes with it while the memory is on.
    """
    taste = data.taste
    if id in data.chosen:
        remaining_ids = tuple(one for one in data.chosen if one != id)
        return replace(data, chosen=remaining_ids, taste=taste.forgets(id))
    if len(data.chosen) >= MOST:
        return data
    return replace(data, chosen=(*data.chosen, id), taste=taste.likes(id))
