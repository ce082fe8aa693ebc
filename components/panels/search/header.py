"""The head of the page: name, promise, status pill, banner."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from components.events import EVENT_DEFAULTS
from components.panels.boxes import html_box
from components.render.search.notices import degraded
from components.render.search.status import pill
from retrieval import Engine

TITLE = """<div class="brand"><span class="mark" aria-hidden="true"></span><div>
<h1>ScanScout</h1>
<p>Say what you want to do, add a scan, and get the tools that can do it on that scan.</p>
</div></div>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Status pill, banner, and the timer that looks whether loading is over."""

    pill: gr.HTML
    banner: gr.HTML
    timer: gr.Timer


def layout(engine: Engine) -> Header:
    """Title to the left, status to the right; the banner is placed below the bar.

    One page serves every visit for days: what is written here holds at each of them. Whether the
    engine is loaded is asked when the page is visited.
    """
    with gr.Row(elem_id="top", equal_height=True):
        html_box(TITLE, scale=4)
        state = html_box(
            pill(ready=None, tools=len(engine.catalog), model=engine.language_model),
            "pill",
            min_width=200,
        )
    settled = degraded(ready=True, language_model=bool(engine.language_model))
    banner = html_box(settled, "banner", render=False)
    return Header(pill=state, banner=banner, timer=gr.Timer(1.5, active=False))


def events(header: Header, engine: Engine, blocks: gr.Blocks) -> None:
    """Pill and banner at the time of a visit, and again until everything is loaded."""

    def look() -> tuple[str, str, gr.Timer]:
        ready = engine.ready
        model = engine.language_model
        banner = degraded(ready=ready, language_model=bool(model))
        state = pill(ready=ready, tools=len(engine.catalog), model=model)
        # The timer stops once everything is loaded.
        return state, banner, gr.Timer(active=not ready)

    outputs = [header.pill, header.banner, header.timer]
    for event in (blocks.load, header.timer.tick):
        event(look, None, outputs, queue=False, **EVENT_DEFAULTS)
