"""A shared link back into the form; what the link does not say stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gradio as gr
from starlette.datastructures import QueryParams

from components.data import FACETS, SWITCHES, Data, Form
from components.events import EVENT_DEFAULTS
from components.panels.js_bridge import sent
from components.panels.search.controls import counted, headed
from components.parts import SEARCH, Parts
from components.remarks import reread
from components.share import KEYS, Parameters, sizes_in, values
from retrieval import WISH, BadInput, Engine, Filters

Runner = Callable[..., Any]


def events(
    parts: Parts, engine: Engine, blocks: gr.Blocks, run: Runner, searches: list[Any]
) -> None:
    """Fill the form from address and browser memory, then search if there is a query.

    Values that the library or the page does not know are ignored: a link can be typed by anybody.
    """
    search_due = gr.State(False)
    loaded = blocks.load(
        _boot(parts, engine, search_due),
        parts.memory.store,
        [*parts.settable, search_due, parts.memory.on, parts.memory.output],
        **EVENT_DEFAULTS,
        queue=False,
    )

    def go(wants: bool, *searched: Any) -> Any:  # noqa: ANN401 - views of a search
        if wants:
            yield from run(*searched)
        else:
            yield parts.placed({})

    searches.append(loaded.then(go, [search_due, *parts.searched], parts.outputs, **SEARCH))


def visits(parts: Parts, engine: Engine, again: Callable[[Any], None]) -> None:
    """A step of the browser's history searches as its link says; the scan stays as it is."""

    def visit(event: gr.EventData, data: Data) -> dict[Any, Any]:
        parameters = QueryParams(sent(event).removeprefix("?"))
        form = linked_form(engine, parameters)
        after = linked_data(data, _accepted(engine, values(parameters, "t")), _words(parameters))
        form, after = _remarked(engine, form, after, parameters)
        return {**parts.form_updates(form), parts.data: after}

    again(parts.bridge.visit(visit, parts.data, parts.settable, **EVENT_DEFAULTS))


def _remarked(engine: Engine, form: Form, data: Data, parameters: Parameters) -> tuple[Form, Data]:
    """Form and data after the remarks of a link; one that cannot be read ends them."""
    try:
        return reread(engine, form, data, values(parameters, "r"))
    except BadInput:
        return form, data


def _words(parameters: Parameters) -> tuple[str, ...]:
    """The wishes of a link whose words are searched."""
    names = values(parameters, "w")
    return tuple(name for name in names if name.startswith(f"{WISH}:") and name.count(":") >= 3)


def linked_form(engine: Engine, parameters: Parameters) -> Form:
    """The form of a link; what the link does not say is as on a fresh page."""
    text, mode = values(parameters, "q"), values(parameters, "mode", engine.modes)
    codes_by_facet = {
        facet: frozenset(values(parameters, key, (value for _, value in counted(engine, facet))))
        for facet, key in KEYS.items()
    }
    return Form(
        text=text[0] if text else "",
        mode=mode[0] if mode else engine.modes[0],
        rerank=not values(parameters, "nr", ("1",)),
        refine=bool(values(parameters, "rf", ("1",))),
        excluded=tuple(name[:200] for name in values(parameters, "ex")),
        filters=Filters(**codes_by_facet),
        off=frozenset(values(parameters, "off", SWITCHES)),
        sizes=sizes_in(parameters),
    )


def linked_data(data: Data, tokens: tuple[str, ...], words: tuple[str, ...] = ()) -> Data:
    """The visitor's data with exactly the tokens of a link in effect.

    ``words`` are the wishes that are searched as words.
    """
    scan_tokens = data.upload.search_tokens if data.upload else ()
    typed = tuple(token for token in tokens if token not in scan_tokens)
    muted = frozenset(token for token in scan_tokens if token not in tokens) | {*words}
    # Without the text searched last: to that the words of the link would be new.
    return replace(data, typed=typed, muted=muted, undo="", remarks=(), text="")


def _boot(parts: Parts, engine: Engine, search_due: gr.State) -> Callable[..., dict[Any, Any]]:
    def boot(stored: Any, request: gr.Request) -> dict[Any, Any]:  # noqa: ANN401
        parameters = request.query_params
        text = values(parameters, "q")
        tokens = _accepted(engine, values(parameters, "t"))
        out = _choices(parts, engine, parameters)
        out |= {parts.query.text: text[0]} if text else {}
        taste, remembered = parts.memory.opened(stored, engine.catalog)
        data = Data(typed=tokens, muted=frozenset(_words(parameters)), taste=taste)
        if values(parameters, "r"):
            form, data = _remarked(engine, linked_form(engine, parameters), data, parameters)
            out = parts.form_updates(form)
        out |= {parts.data: data, **remembered}
        return {**out, search_due: bool(text or tokens)}

    return boot


def _choices(parts: Parts, engine: Engine, parameters: Parameters) -> dict[Any, Any]:
    one = parts.controls
    out: dict[Any, Any] = {}
    for facet, box in zip(FACETS, one.facets, strict=True):
        codes = values(parameters, KEYS[facet], (value for _, value in counted(engine, facet)))
        out |= {box: codes} if codes else {}
    excluded = [name[:200] for name in values(parameters, "ex")]
    out |= {one.excluded: excluded} if excluded else {}
    mode = values(parameters, "mode", engine.modes)
    out |= {one.mode: mode[0]} if mode else {}
    off = values(parameters, "off", SWITCHES)
    out |= {one.stages: [name for name in SWITCHES if name not in off]} if off else {}
    out |= {one.sizes[name]: size for name, size in sizes_in(parameters)}
    out |= {one.rerank: False} if values(parameters, "nr", ("1",)) else {}
    out |= {one.refine: True} if values(parameters, "rf", ("1",)) else {}
    return out | (headed(one, linked_form(engine, parameters)) if out else {})


def _accepted(engine: Engine, tokens: list[str]) -> tuple[str, ...]:
    """The tokens of a link that the library takes; others are ignored."""
    accepted = []
    for token in tokens:
        try:
            # Tokens are checked before the first stage runs, so the first view is enough.
            next(iter(engine.stream("", tokens=(token,))))
        except BadInput:
            continue
        accepted.append(token)
    return tuple(accepted)
