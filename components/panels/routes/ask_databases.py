"""A form for every database beside the question: filled in, looked at, and only then sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from components.boundary import attempted
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.render.questions import ask_forms as render
from retrieval import QuestionDesk

ANY = ("any", "")
LONG = frozenset({"query"})
"""Fields that hold more than a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPanel:
    """One form: its fields by name, what it would send, and its two buttons."""

    name: str
    title: str
    fields: dict[str, Any]
    show: gr.Button
    send: gr.Button
    request: gr.HTML

    def values(self, values: Sequence[Any]) -> dict[str, Any]:
        """The values of the fields, by name."""
        return dict(zip(self.fields, values, strict=True))

    def words(self, values: Mapping[str, Any]) -> str:
        """The fields that differ from their defaults, as the question that the form asks."""
        entered = {k: v for k, v in values.items() if v not in (None, "", self.fields[k].value)}
        return f"{self.title}: {', '.join(f'{k} {v}' for k, v in entered.items())}"


def layout(desk: QuestionDesk) -> list[FormPanel]:
    """One tab per database; while databases are off, nothing can be sent and a line says why."""
    off = desk.databases.off
    with gr.Accordion("Ask a database by a form", open=False, elem_id="basesbox"):
        html_box(render.switched(off), "basesstate")
        with gr.Tabs():
            return [_form(desk, form.name, form.title, bool(off)) for form in desk.databases.forms]


def _form(desk: QuestionDesk, name: str, title: str, off: bool) -> FormPanel:
    """The most important fields are open, the others folded."""
    slug = name.replace(".", "")
    with gr.Tab(title, elem_id=f"base-{slug}"):
        with gr.Row(elem_classes="basefields"):
            fields = _fields(desk, name, folded=False)
        if desk.databases.fields(name, folded=True):
            with gr.Accordion("More fields", open=False), gr.Row(elem_classes="basefields"):
                fields |= _fields(desk, name, folded=True)
        request = html_box("", f"request-{slug}")
        with gr.Row(elem_classes="basego"):
            show = gr.Button("Show what would be sent", elem_id=f"show-{slug}", min_width=180)
            send = gr.Button(
                f"Send to {title}",
                variant="primary",
                interactive=not off,
                elem_id=f"send-{slug}",
                min_width=180,
            )
    return FormPanel(name=name, title=title, fields=fields, show=show, send=send, request=request)


def _fields(desk: QuestionDesk, name: str, *, folded: bool) -> dict[str, Any]:
    return {
        f.name: _field(f"{f.label} ({f.name})", f.kind, f.choices, f.default, f.name in LONG)
        for f in desk.databases.fields(name, folded=folded)
    }


def _field(
    label: str, kind: str, choices: Sequence[str], default: str | float | bool | None, long: bool
) -> Any:  # noqa: ANN401 - one of several components
    """A switch without a default becomes a choice of three."""
    how: dict[str, Any] = {"label": label, "min_width": 320 if kind == "choice" else 240}
    # None is a third value here: the field is then not sent at all.
    if kind == "switch" and default is None:
        return gr.Dropdown([ANY, ("yes", "true"), ("no", "false")], value="", **how)
    if kind == "switch":
        return gr.Checkbox(value=bool(default), **how)
    if kind == "choice":
        options = [(one, one) for one in choices]
        return gr.Dropdown(options if default else [ANY, *options], value=default or "", **how)
    if kind == "number":
        return gr.Number(value=default if isinstance(default, (int, float)) else None, **how)
    return gr.Textbox(value=str(default or ""), lines=4 if long else 1, max_length=21_000, **how)


def events(forms: Sequence[FormPanel], desk: QuestionDesk) -> None:
    """Looking at a request sends nothing."""
    for form in forms:
        form.show.click(
            _shower(form, desk), [*form.fields.values()], form.request, **EVENT_DEFAULTS
        )


def _shower(form: FormPanel, desk: QuestionDesk) -> Any:  # noqa: ANN401 - a handler
    def show(*values: Any) -> str:  # noqa: ANN401 - component values
        def looked() -> str:
            text = desk.databases.request(form.name, form.values(values))
            return render.request(text, form.title)

        return attempted("a form", looked, render.form_trouble)

    return show
