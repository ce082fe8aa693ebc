"""Where answers appear: cards beside the detail, then the board and the graph."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from components.panels.results import compare_modes, replay, similar, why
from components.panels.search import model, remark
from components.render.graphs.frame import graph_box
from components.render.results.detail import nothing_chosen
from components.server.assets import script
from retrieval import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The outputs of a search; the page hides their place until the first one."""

    cards: gr.HTML
    detail: gr.HTML
    board: gr.HTML
    graph: gr.HTML
    chosen: gr.HTML
    similar: similar.SimilarPanel
    why: why.WhyPanel
    follow: remark.FollowPanel
    model: model.ModelPanel
    plan: gr.HTML
    recipe: gr.HTML
    export: dict[str, gr.Button]
    replay: replay.ReplayPanel
    compare: compare_modes.ComparePanel


EXPORTS = {
    "csv": "CSV",
    "json": "JSON",
    "report": "Report",
    "bibtex": "BibTeX",
    "citation": "CITATION",
    "copylink": "Copy link",
}
"""Buttons below the cards, by the name of their element."""


def _html(value: str, name: str, scale: int | None = None) -> gr.HTML:
    return gr.HTML(value, js_on_load=None, apply_default_css=False, elem_id=name, scale=scale)


def layout(engine: Engine) -> Results:
    """Cards first, then the stages that led to them, then the graph."""
    with gr.Column(elem_id="results"):
        follow = remark.layout()
        with gr.Column(elem_id="answer"), gr.Row(elem_id="split"):
            with gr.Column(scale=3, min_width=320, elem_id="left"):
                cards = _html("", "cards")
                with gr.Row(elem_id="export"):
                    export = {
                        name: gr.Button(label, size="sm", elem_id=name, min_width=90)
                        for name, label in EXPORTS.items()
                    }
                    file = replay.button()
                replayed = replay.answer_place()
            with gr.Column(scale=2, min_width=320, elem_id="right"):
                detail = _html(nothing_chosen(), "detail")
                plan = _html("", "plan")
                recipe = _html("", "recipe")
        chosen = _html("", "chosen")
        alike = similar.layout()
        board = _html("", "board")
        why_panel = why.layout(engine)
        compare_panel = compare_modes.layout(engine)
        model_panel = model.layout(engine)
        graph = gr.HTML(
            {"nodes": [], "edges": []},
            html_template=graph_box(),
            js_on_load=script("graph.js"),
            apply_default_css=False,
            elem_id="graph",
        )
    return Results(
        cards=cards,
        detail=detail,
        board=board,
        graph=graph,
        chosen=chosen,
        similar=alike,
        why=why_panel,
        follow=follow,
        model=model_panel,
        plan=plan,
        recipe=recipe,
        export=export,
        replay=replay.ReplayPanel(file=file, output=replayed),
        compare=compare_panel,
    )
