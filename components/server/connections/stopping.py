"""Runs the page until it is asked to stop, and lets the answers under way finish.

SIGTERM, SIGHUP (its terminal was closed) and Ctrl-C do the same: no new connection, running
uploads are cut, running answers get ``ANSWER_S``. A second signal ends the program at once.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

ANSWER_S = 10
"""Seconds for the answers under way; container services kill what has not ended after 30."""
LATE_S = 3
"""What cancelled answers and the web server may take beyond that."""


def interrupt_on_signals() -> None:
    """Let a request to end come as KeyboardInterrupt in the main thread, as Ctrl-C does.

    No effect outside the main thread, where Python allows no signal handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # nohup ignores SIGHUP, and so must the page then.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


@contextmanager
def ending_early(page: Any, stopping: Event) -> Iterator[None]:  # noqa: ANN401
    """End the program as ``run_until_stopped`` does where the end comes within the launch.

    The server answers before the launch returns, and who starts it may end it at the first answer.
    """
    try:
        yield
    except KeyboardInterrupt:
        stopping.set()
        _finish(page)
        raise SystemExit(0) from None


def run_until_stopped(page: Any, up: Callable[[], None], stopping: Event) -> None:  # noqa: ANN401
    """Call ``up``, then wait for the end; ``stopping`` is set when it comes.

    Once the end comes it takes ``ANSWER_S + LATE_S`` seconds at most, and closes the page.
    """
    try:
        up()
        while page.is_running:
            time.sleep(0.1)
    except KeyboardInterrupt:
        pass
    finally:
        stopping.set()
        _finish(page)


def _finish(page: Any) -> None:  # noqa: ANN401 - gr.Blocks, whose server is not typed
    server = getattr(page, "server", None)  # set within the launch
    if server is not None:
        server.config.timeout_graceful_shutdown = ANSWER_S
        page.app.stop_event.set()  # open pages listen to a stream that has no end else
        server.should_exit = True
        server.thread.join(ANSWER_S + LATE_S)
    page.close(verbose=False)
