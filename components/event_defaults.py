"""What every event that is no public endpoint is wired with."""

from __future__ import annotations

from typing import Any

QUIET: dict[str, Any] = {
    "show_progress": "hidden",
    "show_progress_on": [],
    "api_visibility": "private",
}
"""Without a place for progress, Gradio's page does not read back what each message may touch."""
