"""The components of one page, laid out, and the lists that searches read and write."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter_ns
from typing import Any

import gradio as gr

from components.data import Data, Form, Shown
from components.events import EVENT_DEFAULTS, SAME, SEARCHES, Update
from components.panels import js_bridge
from components.panels.boxes import html_box
from components.panels.results import results
from components.panels.search import controls, follow, header, memory, model, profile, query, scan
from components.render.search.status import idle
from components.run import View
from retrieval import Engine, Settings, open_web

SEARCH: dict[str, Any] = {
    **EVENT_DEFAULTS,
    **SEARCHES,
    "trigger_mode": "always_last",
    "postprocess": False,
}
"""Of every event that searches. Its views are text and leaves already."""

WAITING_S = 1.0
"""Seconds between two looks whether the encoder is there that a shown search lacked."""


class Parts:
    """Everything on the page, in reading order."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self.data, self.shown = gr.State(Data()), gr.State(Shown())
        self.bridge = js_bridge.layout()
        # Runs while a search by words waits for the encoder.
        self.waiting = gr.Timer(WAITING_S, active=False)
        self.searching = open_web(settings)
        self._bar(engine, settings)
        # Rendered below the bar, although they were created in it.
        query.place(self.scan.panel)
        query.samples()
        self._line(engine)
        self.looking = gr.State("")
        query.place(self.query.notices)
        query.place(self.header.banner)
        self.results = results.layout(engine, self.searching)
        self.web = self.results.web

    def _bar(self, engine: Engine, settings: Settings) -> None:
        """Name, query and files: above everything, and in view while an answer is read."""
        with gr.Column(elem_id="bar"):
            self.header = header.layout(engine)
            with gr.Row(elem_id="ask"):
                with gr.Column(scale=3, min_width=200, elem_id="askleft"):
                    self.query = query.layout(idle(engine.language_model, web=self.searching.on))
                with gr.Column(scale=2, min_width=90, elem_id="askright"):
                    self.scan = scan.layout(settings.max_upload_mb)

    def _line(self, engine: Engine) -> None:
        """What the search takes into account, the drawers to change it, and how it goes."""
        with gr.Row(elem_id="line"):
            query.place(self.query.chips)
            self.controls = controls.layout(engine)
            self.profile = profile.layout()
            self.memory = memory.layout()
            # Here it can be opened before the first search, which would send something.
            self.model = model.layout(engine)
            self.follow = follow.layout()
            # Right behind the box, so that the next tab stop is in it.
            query.place(self.follow.offers)
            query.place(self.query.status)
        query.place(self.follow.output)
        self.stale = html_box("", "stale")

    @property
    def form(self) -> list[Any]:
        """Text and controls in the order of data.form_of, then the visitor's data."""
        return [self.query.text, *self.controls.all, self.data]

    @property
    def searched(self) -> list[Any]:
        """What a search reads: the list on the page, then the form."""
        return [self.shown, *self.form]

    @property
    def settable(self) -> list[Any]:
        """What `form_updates` sets, and the visitor's data."""
        return [*self.form, self.controls.drawer]

    @property
    def outputs(self) -> list[Any]:
        """Everything that a search may change; `panels/results/card_actions.py` sets the form."""
        return [*self._plain.values(), self.query.stop, self.bridge, self.waiting]

    def pieces(self, names: Iterable[str]) -> list[Any]:
        """The components of some pieces of a view."""
        return [self._plain[name] for name in names]

    def placed(self, view: View) -> dict[Any, Any]:
        """A view's pieces as updates of the components they belong to; the others stay."""
        states = (self.shown, self.looking, self.data)
        out: dict[Any, Any] = {one: SAME for one in self.outputs if one not in states}
        out |= {self._plain[k]: v for k, v in view.items() if k in self._plain}
        if "link" in view:
            # The time stamp makes the value new, so that the script sees an equal link again.
            out[self.bridge] = {"link": view["link"], "answer": str(perf_counter_ns())}
        if "running" in view:
            out[self.query.stop] = Update(interactive=view["running"])
        if "waiting" in view:
            out[self.waiting] = Update(active=view["waiting"])
        return out

    @property
    def _plain(self) -> dict[str, Any]:
        one, two = self.query, self.results
        return {
            "status": one.status,
            "chips": one.chips,
            "understood": self.follow.output,
            "notices": one.notices,
            "stale": self.stale,
            "strip": two.strip,
            "cards": two.cards,
            "detail": two.detail,
            "board": two.board,
            "reached": two.reached,
            "graph": two.graph,
            "chosen": two.chosen,
            "shown": self.shown,
            "data": self.data,
            "looking": self.looking,
            "recipe": two.recipe,
            "plan": two.plan,
            "fate": two.why.output,
            "compared": two.compare.output,
        }

    def form_updates(self, form: Form) -> dict[Any, Any]:
        """Text box and controls set to a form."""
        return {self.query.text: form.text, **controls.updates(self.controls, form)}
