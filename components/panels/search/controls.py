"""The closed drawer of choices: mode, switches, exclusions, filters with counts, stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.data import FACETS, NO_FORM, SIZE_NAMES, SWITCHES, TOP_K, Form, form_of
from components.events import EVENT_DEFAULTS
from components.panels.tool_names import offer_names, tool_box
from components.render.codes import code_name
from components.render.search.form import NAMES, SIZE_WORDS, drawer_label
from components.render.search.stale import staleness
from components.render.words import MODES, stage_label
from retrieval import SIZES, Engine, Tool

if TYPE_CHECKING:
    from components.parts import Parts

Choices = list[tuple[str, str]]

_FACTS: Mapping[str, Callable[[Tool], Iterable[object]]] = {
    "licenses": lambda tool: (tool.license,),
    "modalities": lambda tool: tool.modalities,
    "formats": lambda tool: {*tool.formats_in, *tool.formats_out},
    "dimensions": lambda tool: tool.dimensions,
    "interfaces": lambda tool: tool.interfaces,
    "gpu": lambda tool: (tool.gpu,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """The form beside the text, in the order in which data.form_of takes it, and its drawer."""

    drawer: gr.Accordion
    mode: gr.Dropdown
    rerank: gr.Checkbox
    refine: gr.Checkbox
    excluded: gr.Dropdown
    facets: tuple[gr.Dropdown, ...]
    stages: gr.CheckboxGroup
    sizes: Mapping[str, gr.Textbox]

    @property
    def all(self) -> list[Any]:
        """Every control, in order."""
        first = [self.mode, self.rerank, self.refine, self.excluded]
        return [*first, *self.facets, self.stages, *self.sizes.values()]


def counted(engine: Engine, facet: str) -> Choices:
    """The values of a facet with the number of tools that state each, the most frequent first.

    Pairs of a label in words and the value as a record has it; ties in alphabetical order of the
    labels without regard to case.
    """
    counts = Counter(str(v) for t in engine.catalog.values() for v in _FACTS[facet](t) if v)
    rows = ((-number, code_name(value), value) for value, number in counts.items())
    ordered = sorted(rows, key=lambda row: (row[0], row[1].casefold(), row[2]))
    return [(f"{label} ({-minus})", value) for minus, label, value in ordered]


def layout(engine: Engine) -> Controls:
    """Four rows in an accordion that starts closed."""
    with gr.Accordion(drawer_label(NO_FORM), open=False, elem_id="controls") as drawer:
        with gr.Row():
            mode, rerank, refine = _switches(engine)
        with gr.Row():
            facets = tuple(_facet(engine, name) for name in FACETS)
        with gr.Row():
            excluded = tool_box(
                value=[], multiselect=True, label="Exclude tools", elem_id="excluded", min_width=220
            )
            stages = _stages()
        with gr.Row():
            sizes = {name: _size(engine, name) for name in SIZE_NAMES}
    offer_names(drawer, excluded, engine)
    return Controls(
        drawer=drawer,
        mode=mode,
        rerank=rerank,
        refine=refine,
        excluded=excluded,
        facets=facets,
        stages=stages,
        sizes=sizes,
    )


def _switches(engine: Engine) -> tuple[gr.Dropdown, gr.Checkbox, gr.Checkbox]:
    modes = [(MODES.get(name, name), name) for name in engine.modes]
    return (
        gr.Dropdown(modes, value=engine.modes[0], label="Mode", elem_id="mode", min_width=220),
        gr.Checkbox(
            True,
            label="Re-rank the best",
            info="By a model, if one is set up. Same as leaving out [NO_RERANK].",
            elem_id="rerank",
            min_width=200,
        ),
        gr.Checkbox(
            False,
            label="Ask me back",
            info="Offer a question that narrows the list. Same as [REFINE].",
            elem_id="refine",
            min_width=200,
        ),
    )


def _facet(engine: Engine, name: str) -> gr.Dropdown:
    """A filter; a remark may set a value of the closed lists that no tool of the catalog states."""
    return gr.Dropdown(
        counted(engine, name),
        value=[],
        multiselect=True,
        allow_custom_value=True,
        label=NAMES[name],
        elem_id=f"filter-{name}",
        min_width=150,
    )


def _stages() -> gr.CheckboxGroup:
    labels = {name: stage_label(name) for name in SWITCHES} | {"tokens": "Scan facts"}
    return gr.CheckboxGroup(
        [(label, name) for name, label in labels.items()],
        value=list(SWITCHES),
        label="Stages that run (untick one to search without it)",
        elem_id="stages",
        min_width=320,
    )


def _size(engine: Engine, name: str) -> gr.Textbox:
    """A size of this search; empty as set, and out of range refused by the search in words.

    A box for text: Gradio's box for numbers sends 0 once it is drawn empty, and its own bounds
    would end the event with a message that names no control.
    """
    setting, least, most = SIZES.get(name, (TOP_K, 1, MOST_LISTED))
    return gr.Textbox(
        "",
        max_lines=1,
        max_length=4,
        label=SIZE_WORDS[name],
        info=f"{SIZE_INFO[name]}, {least} to {most}",
        placeholder=str(engine.settings.get(setting, "as set")),
        elem_id=f"size-{name}",
        min_width=150,
    )


SIZE_INFO = {
    TOP_K: "Length of the list",
    "candidates": "Tools that each source gives",
    "hops": "Steps that the graph expansion walks",
    "nodes": "Tools after the expansion",
}
MOST_LISTED = 50
"""The longest list; the library refuses a longer one."""


def events(parts: Parts) -> None:
    """Every change of a control is counted, and compared with the form of the list on the page."""
    triggers = [one.input for one in parts.controls.all]
    gr.on(triggers, **comparison(parts), trigger_mode="always_last")


def comparison(parts: Parts) -> dict[str, Any]:
    """The event that says whether the list on the page is of this form and these scans."""

    def compare(*values: Any) -> dict[Any, Any]:  # noqa: ANN401 - component values
        *fields, data, on_page = values
        form = form_of(fields)
        return {parts.stale: staleness(form, data, on_page), **headed(parts.controls, form)}

    outputs = [parts.stale, parts.controls.drawer]
    return {
        "fn": compare,
        "inputs": [*parts.form, parts.shown],
        "outputs": outputs,
        **EVENT_DEFAULTS,
    }


def headed(controls: Controls, form: Form) -> dict[Any, Any]:
    """The head of the drawer for a form."""
    return {controls.drawer: gr.update(label=drawer_label(form))}


def updates(controls: Controls, form: Form) -> dict[Any, Any]:
    """The controls set to a form, and the head of their drawer.

    Values in the order of ``Controls.all``; the stages box lists what stays on.
    """
    stages = [name for name in SWITCHES if name not in form.off]
    values = [form.mode, form.rerank, form.refine, list(form.excluded)]
    values += [sorted(getattr(form.filters, facet)) for facet in FACETS]
    sizes = [str(dict(form.sizes).get(name, "")) for name in SIZE_NAMES]
    boxes = dict(zip(controls.all, [*values, stages, *sizes], strict=True))
    return {**boxes, **headed(controls, form)}
