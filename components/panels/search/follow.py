"""A remark that refines the search on the page: "only open licences", "without GPU", "not FSL"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.data import Data, Form, Shown, form_of
from components.events import QUIET
from components.panels.boxes import html_box
from components.render.search.form import chips
from components.render.search.notices import refused_input
from components.render.words import understood
from retrieval import BadInput, Engine, Query, parse_query, tags_in

if TYPE_CHECKING:
    from components.parts import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowPanel:
    """The box for a remark, and what was understood of it."""

    text: gr.Textbox
    output: gr.HTML


def layout() -> FollowPanel:
    """One line beside the chips; what was understood stands below."""
    text = gr.Textbox(
        label="Refine this search",
        placeholder="Refine: only open licences · without GPU · not FSL",
        max_length=1_000,
        elem_id="followtext",
        min_width=240,
    )
    return FollowPanel(text=text, output=html_box("", "understood", render=False))


def events(parts: Parts, engine: Engine, again: Callable[[Any], None]) -> None:
    """Enter changes the form as the remark says, then searches."""
    panel = parts.follow
    inputs = [panel.text, parts.shown, *parts.form]
    outputs = [panel.text, panel.output, *parts.form, parts.query.chips]
    again(panel.text.submit(_follower(parts, engine), inputs, outputs, **QUIET))


def _follower(parts: Parts, engine: Engine) -> Callable[..., dict[Any, Any]]:
    panel = parts.follow

    def follow(remark: str, shown: Shown, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        *form, data = values
        if shown.answer is None or not remark.strip():
            return {panel.output: ""}
        try:
            follow_up = engine.follow_up(shown.answer.query, remark)
        except BadInput as exc:
            return {panel.output: refused_input(str(exc))}
        after, changed = followed(form_of(form), data, follow_up.query)
        return {
            panel.text: "",
            panel.output: understood(follow_up.understood),
            **parts.form_updates(after),
            parts.data: changed,
            parts.query.chips: chips(changed, after),
        }

    return follow


def followed(form: Form, data: Data, query: Query) -> tuple[Form, Data]:
    """Form and data that search for a query; tokens that no scan states count as typed.

    Scan tokens that the query dropped are muted, so that the next search leaves them out too.
    """
    read = set(data.upload.search_tokens) if data.upload else set()
    typed = tuple(token for token in query.tokens if token not in read)
    muted = data.muted | {token for token in read if token not in query.tokens}
    # Mode and switched-off stages are not part of a query: they stay. So do tags, in the text.
    tagged = parse_query(tags_in(form.text))
    after = replace(
        form,
        text=f"{query.text} {tags_in(form.text)}".strip(),
        excluded=tuple(name for name in query.excluded if name not in tagged.excluded),
        rerank=query.rerank or not tagged.rerank,
        refine=query.refine and not tagged.refine,
        filters=query.filters,
    )
    return after, replace(data, typed=typed, muted=muted, undo="")
