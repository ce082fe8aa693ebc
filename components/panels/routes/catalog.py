"""The second route: the whole catalog, to look through without a search."""

from __future__ import annotations

from typing import Any

import gradio as gr

from components.data import FACETS
from components.events import EVENT_DEFAULTS
from components.panels import js_bridge, tool_pane
from components.panels.boxes import html_box
from components.panels.search.controls import counted
from components.render.results.browse import SORTS, Browse, browse_list, matching, pages_of
from components.render.search.form import NAMES
from retrieval import Engine, Filters

HEAD = """<div class="brand"><span class="mark" aria-hidden="true"></span><div><h1>Catalog</h1>
<p>Every tool that ScanScout knows, with the facts a source states.</p></div></div>"""
AT_ONCE: dict[str, Any] = {**EVENT_DEFAULTS, "queue": False}


def layout(engine: Engine, blocks: gr.Blocks) -> None:
    """Words, filters and order above; the list beside the record."""

    def open_linked(request: gr.Request) -> str:
        return tool_pane.record_of(engine, str(request.query_params.get("tool", ""))[:200])

    bridge = js_bridge.layout()
    html_box(HEAD, "browse")
    fields = _fields(engine)
    with gr.Row(elem_id="split"):
        with gr.Column(scale=3, min_width=320, elem_id="left"):
            list_box = html_box(_list_and_pages(engine, Browse())[0], "browselist")
        pane = tool_pane.layout(beside=True)
    _events(engine, fields, list_box, bridge)
    tool_pane.events(pane, bridge, engine)
    blocks.load(open_linked, None, pane.record, **AT_ONCE)


def _fields(engine: Engine) -> list[Any]:
    """Words, order, page, then the filters."""
    with gr.Row(elem_id="browseform"):
        words = gr.Textbox(label="Words", elem_id="browsewords", max_length=500, min_width=220)
        order = [(label, name) for name, label in SORTS.items()]
        sort = gr.Dropdown(order, value="name", label="Order", elem_id="browsesort", min_width=160)
        # Without bounds: Gradio refuses a number outside them before any handler can answer.
        page = gr.Number(1, label="Page", precision=0, elem_id="browsepage")
    with gr.Row():
        facets = [
            gr.Dropdown(
                counted(engine, name),
                value=[],
                multiselect=True,
                label=NAMES[name],
                elem_id=f"browse-{name}",
                min_width=140,
            )
            for name in FACETS
        ]
    return [words, sort, page, *facets]


def browse_of(words: object, sort: object, page: object, *facets: Any) -> Browse:  # noqa: ANN401
    """What the components ask for, in the order of the form.

    Words are cut at 500 characters; a page that is no number is page 1.
    """
    codes_by_facet = {n: frozenset(map(str, v or ())) for n, v in zip(FACETS, facets, strict=True)}
    number = int(page) if isinstance(page, int | float) else 1
    filters = Filters(**codes_by_facet)
    return Browse(words=str(words or "")[:500], filters=filters, sort=str(sort), page=number)


def _list_and_pages(engine: Engine, browse: Browse) -> tuple[str, int]:
    matches = matching(engine.catalog.values(), browse)
    return browse_list(matches, browse, len(engine.catalog)), pages_of(matches)


def _events(engine: Engine, fields: list[Any], list_box: gr.HTML, bridge: gr.HTML) -> None:
    words, sort, page, *facets = fields

    def fresh(*values: Any) -> tuple[str, Any]:  # noqa: ANN401 - component values
        # Page 1: a page of the wider list may not exist in the narrower one.
        return _list_and_pages(engine, browse_of(values[0], values[1], 1, *values[3:]))[0], 1

    def turned(*values: Any) -> tuple[str, Any]:  # noqa: ANN401 - component values
        browse = browse_of(*values)
        html, last = _list_and_pages(engine, browse)
        # The box keeps what is typed, a page that there is none of excepted.
        return html, gr.skip() if 1 <= browse.page <= last else min(max(browse.page, 1), last)

    def leafed(event: gr.EventData, *values: Any) -> tuple[str, Any]:  # noqa: ANN401
        text = js_bridge.sent(event)
        number = int(text) if text.isdecimal() else 1
        return turned(values[0], values[1], number, *values[3:])[0], number

    narrowing = [words.change, sort.input, *(facet.change for facet in facets)]
    # Typing outruns the answers: only the last of several waiting events runs.
    gr.on(narrowing, fresh, fields, [list_box, page], trigger_mode="always_last", **AT_ONCE)
    page.input(turned, fields, [list_box, page], trigger_mode="always_last", **AT_ONCE)
    listen: Any = bridge
    listen.turn(leafed, fields, [list_box, page], **AT_ONCE)
