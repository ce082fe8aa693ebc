"""Gradio's store of what sessions hold, bounded by the table of sessions instead of by a count.

Gradio ends the session that was used least recently as soon as any request names a new hash, and
keeps messages that were never fetched for good. Here a session ends when its table says so, and
everything of it goes: values (with their ``delete_callback``), component updates and messages.
"""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any

import gradio as gr
from gradio.state_holder import SessionState, StateHolder

from components.server.visitors.session_table import SessionTable

UNLISTED = 64
"""Sessions that no table lists: those of ``/call`` without a hash, as many as may wait in a queue.

Gradio gives each of these the id of its event as a hash; public endpoints keep no values in it."""


class SessionStates(StateHolder):
    """What each session of a table holds."""

    def __init__(self, page: gr.Blocks, table: SessionTable) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._table, self._queue = table, page._queue
        # Gradio copies every component's settings for its deep links, which are shut here; the
        # copy takes half a megabyte and a fifth of a search's time, for API callers too.
        self.blocks: Any = SimpleNamespace(default_config=page.default_config, blocks={})
        table.discard, table.is_busy = self.discard, self.is_busy

    def __getitem__(self, session_id: str) -> SessionState:
        with self.lock:
            if session_id not in self.session_data:
                # Of the sessions that the table does not list only the newest few are kept.
                unlisted = [name for name in self.session_data if name not in self._table]
                for name in unlisted[: max(0, len(unlisted) - UNLISTED + 1)]:
                    if not self.is_busy(name):
                        self.discard(name)
                self.session_data[session_id] = SessionState(self.blocks)
            self.time_last_used[session_id] = datetime.now()
            return self.session_data[session_id]

    def update(self, session_id: str) -> None:
        """Nothing: recency is the table's."""

    def delete_all_expired_state(self) -> None:
        """Called by Gradio once a second: values past their own time, then idle sessions."""
        super().delete_all_expired_state()  # type: ignore[no-untyped-call]
        self._table.end_idle()

    def is_busy(self, session_hash: str) -> bool:
        """Whether an event of the session waits or runs."""
        pending = self._queue.pending_event_ids_session.get(session_hash, ())
        return any(event in self._queue.event_ids_to_events for event in pending)

    def discard(self, session_hash: str) -> None:
        """Remove everything that Gradio keeps under a hash."""
        self.delete_state(session_hash)
        self.session_data.pop(session_hash, None)
        self.time_last_used.pop(session_hash, None)
        self._queue.pending_messages_per_session.pop(session_hash, None)
        self._queue.pending_event_ids_session.pop(session_hash, None)
