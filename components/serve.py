"""How the page is launched: theme, limits, and everything of Gradio that is switched off."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from components.assets import MOUNT, head, served
from components.guard import Guard
from components.heap import share_heaps
from components.server import (
    AllowedHosts,
    Doors,
    PageFunctions,
    Sessions,
    SessionStates,
    limited_server,
    parse_networks,
    session_table,
)
from retrieval import Settings

FONTS = ("-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Arial", "sans-serif")
MONO = ("ui-monospace", "Menlo", "Consolas", "Liberation Mono", "monospace")
"""Fonts that are there already: nothing to download, nothing half-bundled."""

NEVER = 10**9
"""Events after which Gradio sums its statistics up, which nobody can ask for here."""

TELL_S = 2.0
"""Seconds between two words to all who wait; else every start of a search tells each of them."""

UPLOAD_FACTOR = 3
"""An upload request may hold this many times one file's limit (a folder of many files)."""


def theme() -> gr.themes.Base:
    """Gradio's default theme with the system's fonts and contrast that passes."""
    made = gr.themes.Default(
        primary_hue="emerald", neutral_hue="slate", radius_size="md", font=FONTS, font_mono=MONO
    )
    return made.set(
        button_primary_background_fill="#047857",
        button_primary_background_fill_hover="#065f46",
        button_primary_background_fill_dark="#047857",
        button_primary_background_fill_hover_dark="#065f46",
        button_primary_text_color="#ffffff",
        body_text_color_subdued="#4b5563",
        body_text_color_subdued_dark="#b6bdc9",
        block_label_text_color="#374151",
        block_label_text_color_dark="#d1d5db",
        block_info_text_color="#4b5563",
        block_info_text_color_dark="#b6bdc9",
        body_background_fill="#f5f7f6",
        body_background_fill_dark="#0d1311",
        background_fill_primary_dark="#151d1a",
        background_fill_secondary_dark="#1b2521",
        block_background_fill_dark="#151d1a",
        block_label_background_fill_dark="#1b2521",
        block_border_color="#d5ddd9",
        block_border_color_dark="#2b3833",
        border_color_primary="#d5ddd9",
        border_color_primary_dark="#2b3833",
        input_background_fill_dark="#0d1311",
        input_border_color="#7c8a84",
        input_border_color_dark="#74827c",
        button_secondary_background_fill="#ffffff",
        button_secondary_background_fill_dark="#1b2521",
        button_secondary_background_fill_hover="#eef2f0",
        button_secondary_background_fill_hover_dark="#27322d",
        button_secondary_border_color="#d5ddd9",
        button_secondary_border_color_dark="#2b3833",
        button_border_width="1px",
        input_placeholder_color="#6b7280",
        input_placeholder_color_dark="#9ca3af",
    )


def launch_options(settings: Settings, ready: Callable[[], bool] = lambda: True) -> dict[str, Any]:
    """Arguments for Blocks.launch; the author's duties are in here."""
    doors = Middleware(
        Doors,
        hosts=AllowedHosts.of(settings.page_hosts),
        trusted=parse_networks(settings.trusted_proxies),
        ready=ready,
    )
    guard = Middleware(
        Guard,
        mount=MOUNT,
        upload_bytes=settings.max_upload_mb * UPLOAD_FACTOR * 1_000_000,
        files=served(),
    )
    return {
        "server_name": settings.host,
        "server_port": settings.port or None,
        "theme": theme(),
        "head": head(),
        "app_kwargs": {"middleware": [doors, guard], "docs_url": None, "redoc_url": None},
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


def serve(
    page: gr.Blocks,
    settings: Settings,
    *,
    prevent_thread_lock: bool = False,
    up: Callable[[], None] = lambda: None,
    ready: Callable[[], bool] = lambda: True,
    **more: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Start the page with bounded queues; ``more`` goes to Blocks.launch.

    ``up`` is called when the page answers, before this waits for its end; ``ready`` says whether
    every stage is loaded. Ends the program with one line when host or port cannot be used.
    """
    os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", str(NEVER))
    share_heaps()
    page.queue(status_update_rate=TELL_S, max_size=64, default_concurrency_limit=8)
    options = {**launch_options(settings, ready), **more, "prevent_thread_lock": True}
    table = session_table(settings)
    trusted = parse_networks(settings.trusted_proxies)
    options["app_kwargs"]["middleware"].append(
        Middleware(Sessions, table=table, functions=PageFunctions(page), trusted=trusted)
    )
    with limited_server(trusted):
        opened = page.launch(**options)
    page.app.state_holder = page.state_holder = SessionStates(page, table)
    up()
    if not prevent_thread_lock:
        page.block_thread()
    return opened
