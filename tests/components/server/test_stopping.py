"""A request to end that comes while the page is being launched ends it as one that comes later."""

from __future__ import annotations

import signal
import socket
import threading
from threading import Event

import gradio as gr
import pytest

from components.server import ending_early


def launched():
    with gr.Blocks() as page:
        gr.Markdown("here")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    page.launch(server_name="127.0.0.1", server_port=port, prevent_thread_lock=True, quiet=True)
    return page


def test_a_server_that_answers_already_is_stopped_and_the_end_is_no_failure():
    page, stopping = launched(), Event()
    with pytest.raises(SystemExit) as end, ending_early(page, stopping):
        signal.raise_signal(signal.SIGINT)
    assert end.value.code == 0
    assert stopping.is_set()
    assert not page.is_running
    assert not page.server.thread.is_alive()


def test_a_page_without_a_server_yet_ends_too():
    with gr.Blocks() as page:
        gr.Markdown("here")
    stopping, before = Event(), threading.active_count()
    with pytest.raises(SystemExit) as end, ending_early(page, stopping):
        raise KeyboardInterrupt
    assert (end.value.code, stopping.is_set()) == (0, True)
    assert threading.active_count() <= before


def test_a_launch_that_fails_says_why_itself():
    with pytest.raises(OSError, match="port"), ending_early(gr.Blocks(), Event()):
        raise OSError("port in use")
