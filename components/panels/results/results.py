"""Where answers appear: cards beside the detail, then the board and the graph."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from components.panels.boxes import graph_place, html_box
from components.panels.results import compare_modes, exports, similar, why
from components.panels.search import follow, model
from components.render.results.detail import nothing_chosen
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
    follow: follow.FollowPanel
    model: model.ModelPanel
    plan: gr.HTML
    recipe: gr.HTML
    export: dict[str, gr.Button]
    replay: exports.ReplayPanel
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


def layout(engine: Engine) -> Results:
    """Cards first, then the stages that led to them, then the graph."""
    with gr.Column(elem_id="results"):
        remark = follow.layout()
        with gr.Column(elem_id="answer"), gr.Row(elem_id="split"):
            with gr.Column(scale=3, min_width=320, elem_id="left"):
                cards = html_box("", "cards")
                with gr.Row(elem_id="export"):
                    export = {
                        name: gr.Button(label, size="sm", elem_id=name, min_width=90)
                        for name, label in EXPORTS.items()
                    }
                    file = exports.replay_button()
                replayed = exports.replay_place()
            with gr.Column(scale=2, min_width=320, elem_id="right"):
                detail = html_box(nothing_chosen(), "detail")
                plan = html_box("", "plan")
                recipe = html_box("", "recipe")
        chosen = html_box("", "chosen")
        alike = similar.layout()
        board = html_box("", "board")
        why_panel = why.layout(engine)
        compare_panel = compare_modes.layout(engine)
        model_panel = model.layout(engine)
        graph = graph_place()
    return Results(
        cards=cards,
        detail=detail,
        board=board,
        graph=graph,
        chosen=chosen,
        similar=alike,
        why=why_panel,
        follow=remark,
        model=model_panel,
        plan=plan,
        recipe=recipe,
        export=export,
        replay=exports.ReplayPanel(file=file, output=replayed),
        compare=compare_panel,
    )
