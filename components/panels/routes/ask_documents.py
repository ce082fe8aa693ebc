"""A visitor's own documents beside the question: add, list, remove; nobody else sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from components.boundary import attempted
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.js_bridge import sent
from components.render.questions import ask as render
from components.server.files.stored_files import stored_then_deleted
from retrieval import QuestionDesk

HINT = """<p class="sub">PDF or text. Only you can ask them. The file itself is deleted once it is
read. What was read stays in this server's memory, never on its disk, and goes when you remove it,
an hour after you added the last one, or when the server stops.</p>"""
MADE_UP = "Finds passages worded unlike the question. The answer itself is from the passages."
USE = "Off: they stay here, and the next question is answered without them."
NO_MODEL = "Needs a language model, and none is configured."
TYPES = [".pdf", ".txt", ".md"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsPanel:
    """``visitor`` is the secret name under which this visitor's documents are kept."""

    add: gr.UploadButton
    use: gr.Checkbox
    made_up: gr.Checkbox
    shown: gr.HTML
    visitor: gr.State


def layout(desk: QuestionDesk) -> DocumentsPanel:
    """A button, the list, and a note on what happens to a file."""

    def forget(visitor: str) -> None:
        """As a function: Gradio copies the settings it tells, and with a method its whole desk."""
        desk.forget(visitor)

    visitor = gr.State("", time_to_live=int(desk.document_seconds), delete_callback=forget)
    with gr.Accordion("Ask your own documents too", open=False, elem_id="papersbox"):
        add = gr.UploadButton(
            "Add documents", file_count="multiple", file_types=TYPES, elem_id="papersadd"
        )
        html_box(HINT, "papershint")
        document_list = html_box("", "papers")
        use = gr.Checkbox(value=True, label="Answer from them", info=USE, elem_id="papersuse")
        made_up = gr.Checkbox(
            value=desk.made_up,
            label="Search them by an answer that the language model makes up",
            info=MADE_UP if desk.has_model else NO_MODEL,
            interactive=desk.has_model,
            elem_id="papersmadeup",
        )
    return DocumentsPanel(add=add, use=use, made_up=made_up, shown=document_list, visitor=visitor)


def events(panel: DocumentsPanel, bridge: gr.HTML, desk: QuestionDesk) -> None:
    """Add files, remove one."""
    outputs = [panel.shown, panel.visitor]

    def add(paths: Any, visitor: str) -> tuple[str, str]:  # noqa: ANN401 - paths of uploads
        path_list = paths if isinstance(paths, list) else [paths] if paths else []
        return added(desk, [str(path) for path in path_list], visitor or desk.visitor())

    def remove(visitor: str, event: gr.EventData) -> str:
        desk.remove(visitor, sent(event))
        return render.documents_list(desk.documents(visitor))

    panel.add.upload(
        add, [panel.add, panel.visitor], outputs, concurrency_limit=2, **EVENT_DEFAULTS
    )
    bridge.remove(remove, panel.visitor, panel.shown, **EVENT_DEFAULTS)


def added(desk: QuestionDesk, paths: list[str], visitor: str) -> tuple[str, str]:
    """The list after adding files, with why each other was not taken; the files are gone then.

    Pairs with the visitor's secret name. Notes name files, since only this visitor sees them.
    What could not be read is refused in words above the list.
    """
    notes: list[str] = []

    def store(path: Path) -> str:
        one = desk.add(visitor, path, path.name)
        notes.extend(f"{path.name}: {note}" for note in one.notes)
        return ""

    def store_all() -> str:
        with stored_then_deleted(paths) as stored:
            troubles = [
                attempted(
                    "adding a document",
                    partial(store, path),
                    partial(render.document_trouble, name=path.name),
                )
                for path in stored
            ]
        return "".join(troubles)

    trouble = attempted("adding documents", store_all, render.document_trouble)
    return trouble + render.documents_list(desk.documents(visitor), notes), visitor
