"""What is left of exceptions, messages and warnings in the log above DEBUG."""

from __future__ import annotations

import logging
import sys
import threading
import warnings

import pytest

from components.server.requests import logs

SECRET = "zqplanted"


@pytest.fixture
def lines(caplog):
    """Every line that is logged while the guard is in place, as a handler writes it."""
    factory, hooks = logging.getLogRecordFactory(), (threading.excepthook, sys.unraisablehook)
    shown = warnings.showwarning
    logs.keep_input_out_of_logs()
    caplog.handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    with caplog.at_level(logging.INFO):
        yield lambda: caplog.text
    logging.setLogRecordFactory(factory)
    threading.excepthook, sys.unraisablehook = hooks
    warnings.showwarning = shown


def fail() -> None:
    raise ValueError(f"invalid literal: {SECRET}")


def test_an_exception_is_logged_by_type_and_place(lines):
    for name in ("components.x", "uvicorn.error"):
        try:
            fail()
        except ValueError:
            logging.getLogger(name).exception("a search failed")
    assert lines().count("ValueError at server/test_logs.py:") == 2
    assert "in fail" in lines()
    assert SECRET not in lines()
    assert "Traceback" not in lines()


def test_what_the_framework_prints_of_an_exception_is_a_line(lines, capfd):
    from gradio import queueing

    try:
        fail()
    except ValueError as exc:
        queueing.traceback.print_exc()
        queueing.print(str(exc))
    assert "a request failed: ValueError at server/test_logs.py:" in lines()
    assert "a message of 26 characters from server/test_logs.py:" in lines()
    assert SECRET not in "".join([lines(), *capfd.readouterr()])


@pytest.mark.parametrize("name", ["starlette", "mcp.server", "asyncio"])
def test_a_librarys_message_is_logged_without_arguments(lines, name):
    logging.getLogger(name).warning("Unknown value %r in %d parts", SECRET, 7)
    logging.getLogger(name).warning("Unknown %(what)s", {"what": SECRET})
    logging.getLogger(name).error(f"Failed to validate {SECRET}")
    logging.getLogger(name).error("Cannot bind the address")
    assert "Unknown value '...' in 7 parts" in lines()
    assert "a message of 28 characters from server/test_logs.py:" in lines()
    assert "Cannot bind the address" in lines()
    assert SECRET not in lines()


def test_our_own_messages_stay_as_they_are(lines):
    logging.getLogger("retrieval.wiring").warning("the index could not be saved: %s", "disk full")
    assert "the index could not be saved: disk full" in lines()


def test_a_thread_that_fails_is_a_line(lines, capfd):
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert "a thread failed: ValueError at server/test_logs.py:" in lines()
    assert SECRET not in "".join([lines(), *capfd.readouterr()])


def test_a_warning_shows_its_text_only_where_that_is_in_the_source(lines):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = logs._warned
        warnings.warn(f"not among the choices: {SECRET}", UserWarning, stacklevel=1)
        warnings.warn("choices are missing", UserWarning, stacklevel=1)
    assert "UserWarning: choices are missing" in lines()
    assert SECRET not in lines()


def test_debug_shows_everything(lines, caplog):
    with caplog.at_level(logging.DEBUG):
        try:
            fail()
        except ValueError:
            logging.getLogger("components.x").debug("in detail", exc_info=True)
    assert SECRET in caplog.text
