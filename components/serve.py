"""How the page is launched: middleware, limits, and which parts of Gradio are switched off."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache, partial
from threading import Event
from typing import Any

import gradio as gr
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from components.api import brief_for_agents, calls_of
from components.api_arguments import agent_schemas
from components.events import SEARCHES
from components.render.search.first_box import first_box
from components.server import (
    AllowedHosts,
    ArgumentCheck,
    Doors,
    FirstPage,
    Metrics,
    Monitored,
    PageFunctions,
    RequestIds,
    Sessions,
    SessionStates,
    SessionTable,
    UploadBudget,
    Uploads,
    ending_early,
    interrupt_on_signals,
    keep_input_out_of_logs,
    limited_server,
    mark_events,
    opening,
    own_upload_folder,
    parse_networks,
    remove_folder,
    run_until_stopped,
    serve_agents,
    session_table,
    sweeping,
)
from components.server.assets import MOUNT, served
from components.server.connections.event_json import write_answers_fast
from components.server.malloc import share_heaps
from components.server.requests.guard import Guard
from components.theme import theme
from retrieval import Engine, Settings, keep_reader_ready

NEVER = 10**9
"""Events between two of Gradio's statistics, which no route of this page shows."""

TELL_S = 2.0
"""Seconds between two queue reports to waiting clients; more often costs each start of a search
a message to all of them."""

WAITING_SEARCHES = 8
"""Searches at once where each may wait for a language model, which takes no processor here."""

UPLOAD_FACTOR = 3
"""An upload request may hold this many times one file's limit (a folder of many files)."""


def _uploads(settings: Settings, stopping: Event) -> Uploads:
    return Uploads(
        file_bytes=settings.max_upload_mb * 1_000_000,
        request_bytes=settings.max_upload_mb * UPLOAD_FACTOR * 1_000_000,
        budget=UploadBudget(
            per_address=settings.upload_mb_per_minute * 1_000_000,
            overall=settings.upload_mb_per_minute_all * 1_000_000,
        ),
        trusted=parse_networks(settings.trusted_proxies),
        stopping=stopping,
    )


def launch_options(
    settings: Settings,
    monitored: Monitored | None = None,
    stopping: Event | None = None,
) -> dict[str, Any]:
    """Arguments for Blocks.launch; the author's duties are in here.

    ``stopping`` is set when the page is asked to end; uploads under way are then cut.
    """
    trusted = parse_networks(settings.trusted_proxies)
    ids = Middleware(RequestIds, trusted=trusted)
    doors = Middleware(
        Doors,
        hosts=AllowedHosts.of(settings.page_hosts),
        trusted=trusted,
        monitored=monitored or Monitored(),
    )
    # Gradio packs files that end in .js or .css; the page itself, 370 kB of text, has no ending.
    packed = Middleware(GZipMiddleware, minimum_size=20_000, compresslevel=5)
    uploads = _uploads(settings, stopping or Event())
    guard = Middleware(Guard, mount=MOUNT, uploads=uploads, files=served())
    return {
        "server_name": settings.host,
        "server_port": settings.port or None,
        "theme": theme(),
        "app_kwargs": {
            "middleware": [ids, packed, doors, guard],
            "docs_url": None,
            "redoc_url": None,
        },
        "max_file_size": f"{settings.max_upload_mb}mb",
        "footer_links": ["api"],
        "run_history": False,
        "enable_monitoring": False,
        "show_error": False,
        "share": False,
        "ssr_mode": False,
        "mcp_server": settings.mcp,
        "strict_cors": True,
        "allowed_paths": [],
        "quiet": True,
    }


def monitored(engine: Engine, settings: Settings) -> Monitored:
    """What monitors learn of an engine; its answers are counted where the setting says so."""
    metrics = Metrics() if settings.metrics else None
    if metrics is not None:
        engine.watchers.append(metrics.observe)
    return Monitored(
        ready=lambda: engine.ready,
        details=engine.state,
        metrics=metrics.text if metrics is not None else None,
    )


def limit_searches(page: gr.Blocks, settings: Settings) -> None:
    """How many searches run at once; the others wait their turn.

    A search that waits for no model computes all the time, and Python runs one thread: of three
    pairs of short runs on two cores, two at once took 50 and 52 ms of CPU for an answer where
    four took 67 and 58; in the third pair, which other programs disturbed, 67 and 60.
    """
    waits = bool(settings.llm_provider or settings.llm_script)
    at_once = WAITING_SEARCHES if waits else max(2, min(4, os.cpu_count() or 2))
    for event in page.fns.values():
        if event.concurrency_id == SEARCHES["concurrency_id"]:
            event.concurrency_limit = at_once


def serve(
    page: gr.Blocks,
    settings: Settings,
    *,
    prevent_thread_lock: bool = False,
    up: Callable[[], None] = lambda: None,
    monitored: Monitored | None = None,
    modes: Sequence[str] = ("hybrid",),
    **more: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Start the page with bounded queues; ``more`` goes to Blocks.launch.

    ``up`` is called when the page answers, before this waits for its end; ``monitored`` is what
    monitors may learn. ``modes`` are those an agent may choose. Ends the program with one line
    when host or port cannot be used.
    """
    # Gradio reads this variable when it starts; it has no argument for it.
    os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", str(NEVER))
    keep_input_out_of_logs()
    write_answers_fast()
    share_heaps()
    limit_searches(page, settings)
    page.queue(status_update_rate=TELL_S, max_size=64, default_concurrency_limit=8)
    mark_events(page._queue)
    folder, stopping, table = own_upload_folder(), Event(), session_table(settings)
    if not prevent_thread_lock:
        interrupt_on_signals()
    options = {**launch_options(settings, monitored, stopping), **more, "prevent_thread_lock": True}
    options["app_kwargs"]["middleware"] += _inner_checks(page, settings, table)
    options["app_kwargs"]["lifespan"] = sweeping(partial(_forget_files, page))
    with nullcontext() if prevent_thread_lock else ending_early(page, stopping):
        with limited_server(parse_networks(settings.trusted_proxies)):
            opened = page.launch(**options)
        if page.mcp_server_obj:
            serve_agents(page.mcp_server_obj, agent_schemas(modes), brief_for_agents)
        # After the launch, which creates the application and its own store.
        page.app.state_holder = page.state_holder = SessionStates(page, table)
        keep_reader_ready()
    # Tests and notebooks go on in this thread; the folder is removed when the process ends.
    if prevent_thread_lock:
        up()
    else:
        run_until_stopped(page, up, stopping)
        remove_folder(folder)
    return opened


def _inner_checks(page: gr.Blocks, settings: Settings, table: SessionTable) -> list[Middleware]:
    """What looks at bodies, so it stands behind the guard, which bounds them."""
    trusted = parse_networks(settings.trusted_proxies)
    functions = PageFunctions(page)
    first = opening({one.get_block_name() for one in page.blocks.values()}, first_box())
    return [
        *([Middleware(FirstPage, opening=first)] if first else []),
        Middleware(Sessions, table=table, functions=functions, trusted=trusted),
        Middleware(ArgumentCheck, calls=cache(lambda: calls_of(page))),
    ]


def _forget_files(page: gr.Blocks) -> None:
    """Gradio notes every file that it sees, to delete it; here the sweep does that."""
    for paths in page.temp_file_sets:
        paths.clear()
