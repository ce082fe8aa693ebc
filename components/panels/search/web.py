"""The panel for web and literature search: a switch, a choice of services, what came back."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from retrieval import WebSearch

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
        shown = gr.HTML("", js_on_load=None, apply_default_css=False, elem_id="web")
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
        shown=shown,
        switch=switch,
        service=service,
        again=again,
        row=row,
        files=files,
        last=last,
    )
