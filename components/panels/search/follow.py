"""A remark that refines the search on the page: "only open licences", "without GPU", "not FSL"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.data import Data, Form, Note, Shown, form_of
from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.panels.js_bridge import sent
from components.remarks import after_remark, offers, widest
from components.render.search.form import chips
from components.render.search.notices import refused_input
from components.render.words import offered_remarks, understood
from retrieval import BadInput, Engine

if TYPE_CHECKING:
    from components.parts import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowPanel:
    """The box for a remark, what was understood of it, and remarks that would narrow the list."""

    text: gr.Textbox
    output: gr.HTML
    offers: gr.HTML


def layout() -> FollowPanel:
    """One line beside the chips; what was understood stands below."""
    text = gr.Textbox(
        label="Refine this search",
        placeholder="Refine: only open licences · without GPU · not FSL",
        max_length=1_000,
        elem_id="followtext",
        min_width=240,
    )
    offered = html_box("", "offers", render=False)
    return FollowPanel(text=text, output=html_box("", "understood", render=False), offers=offered)


def events(parts: Parts, engine: Engine, again: Callable[[Any], None]) -> None:
    """Enter or an offer changes the form as the remark says, then searches."""
    panel = parts.follow
    inputs = [panel.text, parts.shown, *parts.form]
    outputs = [panel.text, panel.output, *parts.settable, parts.query.chips]
    again(panel.text.submit(_follower(parts, engine), inputs, outputs, **EVENT_DEFAULTS))
    offer_inputs = [parts.shown, parts.data]
    parts.bridge.offers(_offers(engine), offer_inputs, panel.offers, **EVENT_DEFAULTS)
    shown_inputs = [parts.shown, *parts.form]
    again(parts.bridge.remark(_offered(parts, engine), shown_inputs, outputs, **EVENT_DEFAULTS))


def _offers(engine: Engine) -> Callable[[Shown, Data], str]:
    def offer(shown: Shown, data: Data) -> str:
        if shown.answer is None:
            return ""
        tools = len(widest(shown.answer))
        return offered_remarks(offers(shown.answer, shown.form, data, engine), tools)

    return offer


def _offered(parts: Parts, engine: Engine) -> Callable[..., dict[Any, Any]]:
    def take(event: gr.EventData, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        return _follower(parts, engine)(sent(event), *values)

    return take


def _follower(parts: Parts, engine: Engine) -> Callable[..., dict[Any, Any]]:
    panel = parts.follow

    def follow(remark: str, shown: Shown, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        form, data = form_of(values[:-1]), values[-1]

        def noted(html: str, form: Form, data: Data) -> dict[Any, Any]:
            # The search that follows shows it again, and any other takes it away.
            note = Note(html=html, form=form)
            return {panel.output: html, parts.data: replace(data, note=note)}

        if not remark.strip():
            return noted("", form, data)
        try:
            listed = [one.tool for one in shown.answer.candidates] if shown.answer else ()
            (after, changed), lines = after_remark(engine, form, data, remark, listed)
        except BadInput as exc:
            return noted(refused_input(str(exc)), form, data)
        return {
            panel.text: "",
            **parts.form_updates(after),
            **noted(understood(lines), after, changed),
            parts.query.chips: chips(changed, after, catalog=engine.catalog),
        }

    return follow
