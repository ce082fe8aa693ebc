"""A route for many subjects: a folder or zip in, tools for every kind of series out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr

from components.boundary import guarded
from components.panels import bus as wire
from components.render.cohort import cohort_panel, findings_csv
from components.render.notices import trouble
from components.render.status import line
from components.uploading import stored_then_deleted
from retrieval import Cohort, Engine, cohort_json, read_cohort, stream_cohort

HEAD = """<div class="brand"><span class="mark" aria-hidden="true"></span><div><h1>Cohort</h1>
<p>Many subjects at once: tools for every kind of series, and what is wrong with which scan.</p>
</div></div>"""
HINT = """<p class='sub'>A zip keeps its folders, one a subject; in a folder, names that begin with
<code>sub-</code> tell subjects apart (BIDS). Headers are read, nothing is kept.</p>"""
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


def layout(engine: Engine) -> None:
    """Task and files above, status, then groups and findings."""
    bus = wire.layout()
    _html(HEAD, "browse")
    text = gr.Textbox(
        label="What do you want to do with them?", elem_id="cohorttext", max_length=20_000
    )
    with gr.Row():
        files = gr.File(label="Zip of subjects", file_count="multiple", height=132, elem_id="files")
        folder = gr.UploadButton("Choose a folder", file_count="directory", elem_id="folder")
    _html(HINT, "cohorthint")
    stop = gr.Button("Stop", interactive=False, elem_id="stop")
    status = _html(line("Add a zip or a folder.", "idle"), "status")
    shown, held = _html("", "cohort"), gr.State(None)
    with gr.Row(elem_id="export"):
        buttons = {n: gr.Button(t, size="sm", elem_id=f"cohort{n}") for n, t in EXPORTS.items()}
    outputs = [files, shown, held, status, stop]
    runs: list[Any] = [
        widget.upload(_runner(engine), [widget, text], outputs, concurrency_limit=1, **QUIET)
        for widget in (files, folder)
    ]
    stop.click(_stopped, None, [status, stop], cancels=runs, queue=False, **QUIET)
    for name, button in buttons.items():
        button.click(_exporter(name), held, bus, **QUIET)


def _html(value: str, name: str) -> gr.HTML:
    return gr.HTML(value, js_on_load=None, apply_default_css=False, elem_id=name)


def _runner(engine: Engine) -> Callable[..., Iterator[tuple[Any, ...]]]:
    def run(paths: Any, text: str) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
        listed = paths if isinstance(paths, list) else [paths] if paths else []
        yield from guarded("a cohort", _views(engine, listed, str(text or "")), _broken)

    return run


def _views(engine: Engine, paths: list[str], text: str) -> Iterator[tuple[Any, ...]]:
    busy, idle = gr.Button(interactive=True), gr.Button(interactive=False)
    yield None, "", None, line("Reading headers …", "running"), busy
    with stored_then_deleted(paths) as stored:
        uploads = read_cohort(stored)
    for found in stream_cohort(engine, text, uploads):
        yield None, cohort_panel(found), found, line(_progress(found), "running"), busy
    yield None, cohort_panel(found), found, line("Done.", "done"), idle


def _broken(reason: str | None) -> tuple[Any, ...]:
    said = "The search failed." if reason is None else "The files were not searched with."
    return None, trouble(reason), None, line(said, "failed"), gr.Button(interactive=False)


def _progress(found: Cohort) -> str:
    done = sum(group.answer is not None for group in found.groups)
    return f"Searched for {done} of {len(found.groups)} kinds of series …"


def _stopped() -> tuple[str, Any]:
    said = line("Stopped. What was found so far stays below.", "stopped")
    return said, gr.Button(interactive=False)


EXPORTS = {"csv": "Findings as CSV", "json": "All as JSON"}
MADE: dict[str, tuple[str, Callable[[Cohort], str]]] = {
    "csv": ("text/csv;charset=utf-8", findings_csv),
    "json": (
        "application/json",
        lambda c: json.dumps(cohort_json(c), ensure_ascii=False, indent=2),
    ),
}


def _exporter(name: str) -> Callable[[Cohort | None], Any]:
    media, made = MADE[name]

    def export(found: Cohort | None) -> Any:  # noqa: ANN401 - a Gradio value
        if found is None:
            return gr.skip()
        return {"file": {"name": f"cohort.{name}", "type": media, "text": made(found)}}

    return export
