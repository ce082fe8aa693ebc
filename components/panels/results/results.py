"""Where answers appear: the list beside the detail, then the board, the graph and the rest."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from components.panels.boxes import graph_place, html_box
from components.panels.results import compare_modes, exports, similar, why
from components.panels.search import web
from components.render.results.detail import nothing_chosen
from components.render.search.form import parts_of_an_answer
from retrieval import Engine, WebSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One place for a tool: its record, and the parts that are filled when they are asked for."""

    record: gr.HTML
    recipe: gr.HTML
    plan: gr.HTML
    similar: similar.SimilarPanel
    web: web.WebPanel


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The outputs of a search; the page hides their place until the first one."""

    strip: gr.HTML
    cards: gr.HTML
    detail: gr.HTML
    board: gr.HTML
    reached: gr.HTML
    graph: gr.HTML
    chosen: gr.HTML
    similar: similar.SimilarPanel
    why: why.WhyPanel
    web: web.WebPanel
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
}
"""Buttons below the answer, by the name of their element."""


def layout(engine: Engine, searching: WebSearch) -> Results:
    """List and detail, the stages that led to them, the graph, then what is asked of a list."""
    with gr.Column(elem_id="results"):
        with gr.Row(elem_id="overview"):
            strip = html_box("", "strip")
            html_box(parts_of_an_answer(), "jump")
        with gr.Column(elem_id="answer"), gr.Row(elem_id="split"):
            with gr.Column(scale=3, min_width=320, elem_id="left"):
                cards = html_box("", "cards")
            with gr.Column(scale=3, min_width=320, elem_id="right"):
                detail = _detail(searching)
        board = html_box("", "board")
        reached = html_box("", "reached")
        graph = graph_place()
        chosen_box = html_box("", "chosen")
        why_panel = why.layout(engine)
        compare_panel = compare_modes.layout(engine)
    with gr.Row(elem_id="export"):
        export = {
            name: gr.Button(label, size="sm", elem_id=name, min_width=90)
            for name, label in EXPORTS.items()
        }
        file = exports.replay_button()
    replayed = exports.replay_place()
    return Results(
        strip=strip,
        cards=cards,
        detail=detail.record,
        board=board,
        reached=reached,
        graph=graph,
        chosen=chosen_box,
        similar=detail.similar,
        why=why_panel,
        web=detail.web,
        plan=detail.plan,
        recipe=detail.recipe,
        export=export,
        replay=exports.ReplayPanel(file=file, output=replayed),
        compare=compare_panel,
    )


def _detail(searching: WebSearch) -> Detail:
    """The record with its tabs; below it the parts that tabs fill."""
    return Detail(
        record=html_box(nothing_chosen(), "detail"),
        recipe=html_box("", "recipe"),
        plan=html_box("", "plan"),
        similar=similar.layout(),
        web=web.layout(searching),
    )
