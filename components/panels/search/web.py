"""Web and literature search: nothing is sent while its switch is off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.boundary import guarded
from components.data import Shown
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.js_bridge import download, sent
from components.render.search.notices import refused_input, trouble
from components.render.search.web import (
    about_tool,
    asking,
    not_allowed,
    offered,
    ready,
    web_answer,
)
from retrieval import Engine, Tool, WebAnswer, WebSearch, bibtex, evidence_markdown

if TYPE_CHECKING:
    from components.parts import Parts


NAMES = {"web": "First service that answers", "literature": "Literature: all scientific sources"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPanel:
    """``area`` is hidden until the first search; ``last`` is the answer shown in the panel."""

    area: gr.Column
    shown: gr.HTML
    switch: gr.Checkbox
    service: gr.Dropdown
    again: gr.Button
    row: gr.Row
    files: dict[str, gr.Button]
    last: gr.State


def layout(web: WebSearch) -> WebPanel:
    """What came back, then the switch and "search again with"."""
    last = gr.State(None)
    with gr.Column(elem_id="webarea", visible="hidden") as area:
        result_box = html_box("", "web")
        with gr.Row(elem_id="webrow", visible=web.on):
            switch = gr.Checkbox(
                label="Search the web and the literature when a question asks for it",
                value=False,
                elem_id="webswitch",
                scale=3,
            )
            service = gr.Dropdown(
                [(NAMES.get(name, name), name) for name in web.presets],
                value="literature",
                label="Search again with",
                elem_id="webservice",
                scale=2,
            )
            again = gr.Button("Search the web", elem_id="webagain", min_width=130, scale=1)
        with gr.Row(elem_id="webfiles", visible=False) as row:
            files = {
                "md": gr.Button("Papers as Markdown", size="sm", elem_id="webmd", min_width=150),
                "bib": gr.Button("Papers as BibTeX", size="sm", elem_id="webbib", min_width=150),
            }
    return WebPanel(
        area=area,
        shown=result_box,
        switch=switch,
        service=service,
        again=again,
        row=row,
        files=files,
        last=last,
    )


FILES = {
    "md": ("text/markdown;charset=utf-8", evidence_markdown),
    "bib": ("text/x-bibtex;charset=utf-8", bibtex),
}
ASKING: dict[str, Any] = {**EVENT_DEFAULTS, "concurrency_limit": 8, "concurrency_id": "web"}
"""Of every event that may send something."""

View = tuple[str, WebAnswer | None]


def followed(web: WebSearch, text: str, *, on: bool) -> Iterator[View]:
    """After a search: nothing, an offer, or, where web search is switched on, its answer.

    The last view is the final one; every earlier one is replaced by the next.
    """
    offer = web.offer(text) if text else None
    if offer is None:
        yield "", None
    # The visitor's switch and the server's setting both have to be on.
    elif not (on and web.on):
        yield offered(offer, allowed=web.on), None
    else:
        yield asking(offer), None
        yield from _answered(web, text, offer.preset)


def pressed(web: WebSearch, text: str, preset: str, *, on: bool) -> Iterator[View]:
    """Search again with one choice; while switched off, what it would send."""
    offer = web.offer(text, preset) if text else None
    if offer is None:
        yield refused_input("Search for something first."), None
    elif not (on and web.on):
        yield ready(offer), None
    else:
        yield asking(offer), None
        yield from _answered(web, text, preset)


def papers(web: WebSearch, tool: Tool, *, on: bool) -> Iterator[View]:
    """Papers about a tool; while switched off, what asking for them would send."""
    offer = web.papers(tool)
    if not web.on:
        yield about_tool(tool, not_allowed()), None
    elif not on:
        yield about_tool(tool, ready(offer)), None
    else:
        yield about_tool(tool, asking(offer)), None
        answer = web.evidence(tool)
        yield web_answer(answer, tool.name), answer


def _answered(web: WebSearch, text: str, preset: str) -> Iterator[View]:
    answer = web.run(text, preset)
    yield web_answer(answer), answer


def events(parts: Parts, engine: Engine, searches: Iterable[Any]) -> None:
    """Every search that ends, the switch, the button, the papers of a tool, the files."""
    Wiring(parts, engine).wire(searches)


class Wiring:
    """The events of one page's panel."""

    def __init__(self, parts: Parts, engine: Engine) -> None:
        self.parts, self.engine = parts, engine
        self.panel, self.web = parts.web, parts.searching
        panel = self.panel
        self._out = [panel.area, panel.shown, panel.last, panel.row]

    def wire(self, searches: Iterable[Any]) -> None:
        """Every search that ends, the switch, the button, the papers of a tool, the files."""
        one, panel = self.parts.shown, self.panel
        for search in searches:
            search.success(self._follow, [one, panel.switch], self._out, **ASKING)
        panel.switch.change(self._follow, [one, panel.switch], self._out, **ASKING)
        panel.again.click(self._press, [one, panel.service, panel.switch], self._out, **ASKING)
        self.parts.bridge.papers(self._papers, [panel.switch], self._out, **ASKING)
        for kind, button in panel.files.items():
            button.click(_maker(kind), panel.last, self.parts.bridge, **EVENT_DEFAULTS)

    def _follow(self, shown: Shown, on: bool) -> Iterator[tuple[Any, ...]]:
        yield from self._placed(followed(self.web, _text(shown), on=on))

    def _press(self, shown: Shown, preset: str, on: bool) -> Iterator[tuple[Any, ...]]:
        yield from self._placed(pressed(self.web, _text(shown), preset, on=on))

    def _papers(self, on: bool, event: gr.EventData) -> Iterator[tuple[Any, ...]]:
        tool = self.engine.catalog.get(sent(event))
        if tool is not None:
            yield from self._placed(papers(self.web, tool, on=on))

    def _placed(self, parts: Iterator[View]) -> Iterator[tuple[Any, ...]]:
        """Views as updates; whatever goes wrong ends in words in the panel."""
        for html, answer in guarded("a web search", parts, lambda reason: (trouble(reason), None)):
            files, area_visible = bool(answer and answer.pages), bool(html) or self.web.on
            yield gr.Column(visible=area_visible), html, answer, gr.Row(visible=files)


def _text(on_page: Shown) -> str:
    return on_page.answer.query.text if on_page.answer else ""


def _maker(kind: str) -> Any:  # noqa: ANN401 - a Gradio handler
    media, write = FILES[kind]

    def export(last: WebAnswer | None) -> Any:  # noqa: ANN401 - a Gradio value
        if last is None or not last.pages:
            return gr.skip()
        return download(f"papers.{kind}", media, write(last.pages))

    return export
