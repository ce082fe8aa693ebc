"""How the page is launched: theme, limits, and everything of Gradio that is switched off."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from components.api import calls_of
from components.assets import MOUNT, head, served
from components.guard import Guard
from components.heap import share_heaps
from components.server.arguments import ArgumentCheck
from components.server.logs import keep_input_out_of_logs
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


def launch_options(settings: Settings) -> dict[str, Any]:
    """Arguments for Blocks.launch; the author's duties are in here."""
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
        "app_kwargs": {"middleware": [guard], "docs_url": None, "redoc_url": None},
        "max_file_size": f"{settings.max_upload_mb}mb",
        "state_session_capacity": settings.sessions,
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
    **more: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Start the page with bounded queues; ``more`` goes to Blocks.launch.

    ``up`` is called when the page answers, before this waits for its end.
    Ends the program with one line when the port is taken.
    """
    os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", str(NEVER))
    share_heaps()
    keep_input_out_of_logs()
    page.queue(status_update_rate=TELL_S, max_size=64, default_concurrency_limit=8)
    try:
        given = {**launch_options(settings), **more, "prevent_thread_lock": True}
        check = Middleware(ArgumentCheck, calls=cache(lambda: calls_of(page)))
        given["app_kwargs"]["middleware"].append(check)
        opened = page.launch(**given)
    except OSError as exc:
        taken = f"SCANSCOUT_PORT: port {settings.port} of {settings.host} cannot be used"
        raise SystemExit(f"{taken}; choose another, such as {settings.port + 1}") from exc
    _lighten(page)
    up()
    if not prevent_thread_lock:
        page.block_thread()
    return opened


def _lighten(page: gr.Blocks) -> None:
    """Let a session begin without a copy of every component's settings.

    Gradio keeps such a copy for its deep links, which are shut here; it takes half a megabyte
    and a fifth of a search's time, also of every caller of an endpoint.
    """
    bare: Any = SimpleNamespace(default_config=page.default_config, blocks={})
    page.state_holder.blocks = bare
