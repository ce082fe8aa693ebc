"""A route for many subjects: a folder or zip in, tools for every kind of series out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import gradio as gr

from components.boundary import guarded
from components.events import EVENT_DEFAULTS
from components.panels import js_bridge, tool_pane
from components.panels.boxes import html_box
from components.render.questions.cohort import cohort_panel, findings_csv
from components.render.search.notices import trouble
from components.render.search.status import line
from components.render.words import FATE_OF_FILES, count
from components.server.files.stored_files import stored_then_deleted
from components.server.visitors.halting import Halts, seen, so_far
from retrieval import (
    Answer,
    Cohort,
    Engine,
    Halt,
    Progress,
    cohort_json,
    stream_cohort,
    stream_subjects,
)

HEAD = """<div class="brand"><span class="mark" aria-hidden="true"></span><div><h1>Cohort</h1>
<p>Many subjects at once: tools for every kind of series, and what is wrong with which scan.</p>
</div></div>"""
HINT = f"""<p class='sub'>A zip keeps its folders, one per subject; several zips without such
folders are one subject each. In a folder, names that begin with <code>sub-</code> tell subjects
apart (BIDS). {FATE_OF_FILES}</p>"""
ADD = "Add a zip or a folder."
View = tuple[Any, ...]
Begin = Callable[[], AbstractContextManager[Halt]]


def layout(engine: Engine) -> None:
    """Task and files above, status, then groups and findings."""
    bridge = js_bridge.layout()
    html_box(HEAD, "browse")
    text = gr.Textbox(
        label="What do you want to do with them?", elem_id="cohorttext", max_length=20_000
    )
    with gr.Row():
        files = gr.File(label="Zip of subjects", file_count="multiple", height=132, elem_id="files")
        folder = gr.UploadButton(
            "Choose a folder", file_count="directory", size="sm", elem_id="folder", min_width=120
        )
    html_box(HINT, "cohorthint")
    with gr.Row(elem_id="go"):
        go = gr.Button("Find tools", variant="primary", elem_id="find")
        stop = gr.Button("Stop", interactive=False, elem_id="stop")
    status = html_box(line(ADD, "idle"), "status")
    with gr.Column(elem_id="cohortfound"):
        cohort_box = html_box("", "cohort")
        with gr.Row(elem_id="export"):
            buttons = {n: gr.Button(t, size="sm", elem_id=f"cohort{n}") for n, t in EXPORTS.items()}
    pane = tool_pane.layout()
    last, uploads = gr.State(None), gr.State(())
    tool_pane.events(pane, bridge, engine, _answer_of, [last])
    outputs, halts = [cohort_box, last, status, stop], Halts()
    for widget in (files, folder):
        run = _reader(engine, halts)
        into = [widget, uploads, *outputs]
        widget.upload(run, [widget, text], into, concurrency_limit=1, **EVENT_DEFAULTS)
    gr.on(
        [go.click, text.submit],
        _searcher(engine, halts),
        [uploads, text],
        outputs,
        **EVENT_DEFAULTS,
    )
    # Without the queue, so that Stop is not behind the reading that it ends.
    stop.click(halts.ask, None, None, queue=False, **EVENT_DEFAULTS)
    for name, button in buttons.items():
        button.click(_exporter(name), last, bridge, **EVENT_DEFAULTS)


def _reader(engine: Engine, halts: Halts) -> Callable[..., Iterator[View]]:
    """Files in, what they are kept for the next task, and groups out."""

    def run(paths: Any, text: str, request: gr.Request) -> Iterator[View]:  # noqa: ANN401
        path_list = paths if isinstance(paths, list) else [paths] if paths else []
        begin = partial(halts.running, request)
        views = _reading_views(engine, begin, path_list, str(text or ""))
        yield from guarded("a cohort", views, lambda reason: (None, (), *_broken(reason)))

    return run


def _searcher(engine: Engine, halts: Halts) -> Callable[..., Iterator[View]]:
    """Another task for the files that were read."""

    def run(uploads: Any, text: str, request: gr.Request) -> Iterator[View]:  # noqa: ANN401
        begin = partial(halts.running, request)
        views = _searched(engine, begin, uploads, str(text or ""))
        yield from guarded("a cohort", views, _broken)

    return run


def _reading_views(engine: Engine, begin: Begin, paths: list[str], text: str) -> Iterator[View]:
    """Counts of files, then groups. Stop ends the reading, a second one the searching."""
    busy = gr.Button(interactive=True)
    uploads: tuple[Any, ...] = ()
    yield None, (), "", None, line("Reading headers …", "running"), busy
    with stored_then_deleted(paths) as stored, begin() as halt:
        for part in seen(stream_subjects(stored, halt=halt)):
            if isinstance(part, Progress):
                yield None, (), "", None, line(so_far(part), "running"), busy
            else:
                uploads = part
    # The files are deleted by now; what was read of them stays in the session.
    for view in _searched(engine, begin, uploads, text):
        yield None, uploads, *view


def _searched(engine: Engine, begin: Begin, uploads: tuple[Any, ...], text: str) -> Iterator[View]:
    """One group after another, then the end."""
    busy, idle = gr.Button(interactive=True), gr.Button(interactive=False)
    if not uploads:
        yield "", None, line(ADD, "idle"), idle
        return
    with begin() as halt:
        for cohort in stream_cohort(engine, text, uploads, halt=halt):
            kinds = count(len(cohort.groups), "kind")
            progress_words = f"Searched for {cohort.searched} of {kinds} of series …"
            status = line(" ".join([*cohort.notes, progress_words]), "running")
            yield cohort_panel(cohort), cohort, status, busy
    message = line(" ".join([*cohort.notes, "Done."]), "stopped" if cohort.notes else "done")
    yield cohort_panel(cohort), cohort, message, idle


def _broken(reason: str | None) -> View:
    message = "The search failed." if reason is None else "The files were not searched with."
    return trouble(reason), None, line(message, "failed"), gr.Button(interactive=False)


def _answer_of(kind: str, cohort: Cohort | None) -> Answer | None:
    """The search for the kind of series that a name was listed under."""
    groups = cohort.groups if cohort else ()
    number = int(kind) if kind.isdecimal() else -1
    return groups[number].answer if 0 <= number < len(groups) else None


EXPORTS = {"csv": "Findings as CSV", "json": "All as JSON"}
WRITERS: dict[str, tuple[str, Callable[[Cohort], str]]] = {
    "csv": ("text/csv;charset=utf-8", findings_csv),
    "json": (
        "application/json",
        lambda c: json.dumps(cohort_json(c), ensure_ascii=False, indent=2),
    ),
}


def _exporter(name: str) -> Callable[[Cohort | None], Any]:
    media, write = WRITERS[name]

    def export(cohort: Cohort | None) -> Any:  # noqa: ANN401 - a Gradio value
        if cohort is None:
            return gr.skip()
        return js_bridge.download(f"cohort.{name}", media, write(cohort))

    return export
