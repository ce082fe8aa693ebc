"""Puts the panels together, wires their events, and is the one place that catches everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gradio as gr
from gradio.components import Navbar

from components import api
from components.data import Data, Shown, form_of
from components.events import EVENT_DEFAULTS
from components.panels import tool_pane
from components.panels.boxes import stopped
from components.panels.results import card_actions, compare_modes, exports, plan, similar, why
from components.panels.routes import about, ask, ask_events, catalog, cohort
from components.panels.search import (
    controls,
    follow,
    header,
    memory,
    model,
    profile,
    restore,
    scan,
    web,
)
from components.parts import SEARCH, Parts
from components.run import completed, emptied, search, tools_of, whatever_happens
from components.server import own_upload_folder
from retrieval import Engine, QuestionDesk, Settings


class Page:
    """The handlers that search, over the components of one page."""

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self.engine = engine
        self.parts = Parts(engine, settings)
        self.searches: list[Any] = []

    def run(self, on_page: Shown, *values: Any) -> Iterator[dict[Any, Any]]:  # noqa: ANN401
        """Search and show; whatever goes wrong ends in words on the page."""
        form, data = form_of(values[:-1]), values[-1]
        views = search(self.engine, form, data)
        views = whatever_happens(views, form, data, on_page, self.engine)
        yield from map(self.parts.placed, views)

    def again(self, after: Any) -> None:  # noqa: ANN401 - a Gradio dependency
        """Search once more when an event is through."""
        parts = self.parts
        self.searches.append(after.then(self.run, parts.searched, parts.outputs, **SEARCH))

    def without_scan(self, after: Any) -> None:  # noqa: ANN401 - a Gradio dependency
        """Once the scan is gone, so are the verdicts: search without it, or show no list."""

        def anew(shown: Shown, *values: Any) -> Iterator[dict[Any, Any]]:  # noqa: ANN401
            if shown.answer is None:
                yield parts.placed({})
            elif str(values[0] or "").strip() or values[-1].tokens:
                yield from self.run(shown, *values)
            else:
                yield parts.placed(emptied(tools_of(values[-1], self.engine)))

        parts = self.parts
        self.searches.append(after.then(anew, parts.searched, parts.outputs, **SEARCH))

    def wire_search(self) -> None:
        """Find and Enter. An empty search is refused at the box; a scan or a token is enough."""

        def valid(_: Shown, text: str | None, *values: Any) -> list[Any]:  # noqa: ANN401
            has_scan = bool(values[-1].tokens or values[-1].refused)
            is_enough = bool(str(text or "").strip()) or has_scan
            of_text = gr.validate(is_enough, "Type what you want to do, or add a scan.")
            fine = gr.validate(True, "")
            return [fine, of_text, *(fine for _ in values)]

        parts = self.parts
        triggers = [parts.query.find.click, parts.query.text.submit]
        first = gr.on(triggers, self.run, parts.searched, parts.outputs, validator=valid, **SEARCH)
        self.searches.append(first)

    def wire_waiting(self) -> None:
        """A search by words is made complete once the encoder is loaded."""

        def complete(shown: Shown, data: Data) -> Iterator[dict[Any, Any]]:
            views = completed(self.engine, shown, data)
            views = whatever_happens(views, shown.form, data, shown, self.engine)
            yield from map(parts.placed, views)

        parts = self.parts
        inputs = [parts.shown, parts.data]
        completion_event = parts.waiting.tick(complete, inputs, parts.outputs, **SEARCH)
        self.searches.append(completion_event)

    def wire_stop(self) -> None:
        """Stop ends every search of this visitor; what is on the page stays."""
        query = self.parts.query
        outputs = [query.status, query.stop]
        query.stop.click(
            stopped, None, outputs, cancels=self.searches, queue=False, **EVENT_DEFAULTS
        )


def build_page(engine: Engine, settings: Settings) -> gr.Blocks:
    """The whole page over one engine."""
    own_upload_folder()  # components note where uploads lie when they are created
    with gr.Blocks(
        title="ScanScout: tools for your task and scan",
        analytics_enabled=False,
        fill_width=True,
    ) as opened:
        blocks: gr.Blocks = opened
        Navbar(main_page_name="Search")
        page = Page(engine, settings)
        # Stop cancels the searches that are wired before it.
        page.wire_search()
        page.wire_waiting()
        card_actions.events(page.parts, engine, page.again, page.without_scan)
        scan.events(page.parts, engine)
        restore.events(page.parts, engine, blocks, page.run, page.searches)
        restore.visits(page.parts, engine, page.again)
        page.wire_stop()
        card_actions.choice_events(page.parts, engine)
        exports.events(page.parts, engine)
        plan.events(page.parts, engine)
        profile.events(page.parts, engine)
        controls.events(page.parts)
        memory.events(page.parts, engine)
        exports.replay_events(page.parts.results.replay, engine)
        compare_modes.events(page.parts, engine)
        similar.events(page.parts.results.similar, page.parts.bridge, engine)
        follow.events(page.parts, engine, page.again)
        model.events(page.parts, engine)
        why.events(page.parts.results.why, page.parts.shown, page.parts.bridge, engine)
        header.events(page.parts.header, engine, blocks)
        web.events(page.parts, engine, page.searches)
        # Before the other routes: endpoints belong to the main page.
        api.publish(engine)
        _route(blocks, "Catalog")
        catalog.layout(engine, blocks)
        _route(blocks, "Cohort")
        cohort.layout(engine)
        _route(blocks, "Ask")
        desk = QuestionDesk(settings, engine)
        asking = ask.layout(desk)
        ask_events.events(asking, desk)
        tool_pane.events(asking.pane, asking.bridge, engine)
        _route(blocks, "About")
        about.layout(engine)
    return blocks


def _route(blocks: gr.Blocks, name: str) -> None:
    """What follows belongs to a page of its own.

    ``Blocks.route`` wants the context left for every page, and makes the whole web application
    anew each time it is left.
    """
    blocks.pages.append((name.lower(), name, True))
    blocks.current_page = name.lower()
    Navbar(main_page_name="Search")
