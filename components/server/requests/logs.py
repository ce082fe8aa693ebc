"""Keeps what a visitor typed or sent out of the log, whatever fails and wherever.

Texts of exceptions hold arguments (``invalid literal for int(): 'John Doe'``), and so do messages
that libraries put together themselves. Above DEBUG a log line states an exception by type and
place, and a library's message only where its text stands in the library's source.
"""

from __future__ import annotations

import linecache
import logging
import sys
import threading
import traceback
import warnings
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from components.server.requests.request_ids import current_id

logger = logging.getLogger(__name__)

OWN = frozenset({"components", "retrieval", "retriever", "__main__", "tests"})
"""First parts of the names of our own loggers; their messages hold no input by rule."""

FRAMES = 8
"""Places named for one exception, innermost first: enough to cross a framework into our code."""

STATEMENT_LINES = range(-3, 6)
"""Lines round a logging call where its text may stand: calls are wrapped, texts named before."""

PRINTING = ("gradio.queueing", "gradio.routes", "gradio.route_utils")
"""Modules that print the text of exceptions raised by requests to stdout and stderr."""


def keep_input_out_of_logs() -> None:
    """Install everything below for this process; more than once is the same as once."""
    if logging.getLogRecordFactory() is not _record:
        logging.setLogRecordFactory(_record)
    warnings.showwarning = _warned
    threading.excepthook = _thread_failed
    sys.unraisablehook = _unraisable
    for name in PRINTING:
        module: Any = import_module(name)
        if hasattr(module, "traceback"):
            module.traceback = SimpleNamespace(print_exc=_failed, format_exc=_formatted)
        module.print = _printed


def exception_place(error: BaseException) -> str:
    """``ValueError at gradio/blocks.py:2064 in validate_inputs, ...``; nothing of its text.

    Innermost frame first, at most ``FRAMES``; of its cause only the type is named.
    """
    frames = traceback.extract_tb(error.__traceback__)[: -FRAMES - 1 : -1]
    places = ", ".join(f"{_short(f.filename)}:{f.lineno} in {f.name}" for f in frames)
    name = type(error).__name__
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    because = f"; after {type(cause).__name__}" if cause is not None else ""
    return (f"{name} at {places}" if places else name) + because


def _record(*args: Any, **keywords: Any) -> logging.LogRecord:  # noqa: ANN401 - as logging gives them
    """Replaces ``logging.LogRecord``: no input of a visitor; the id of the request comes first."""
    record = _without_input(*args, **keywords)
    id = current_id()
    if id:
        # An id holds no "%", so that the arguments still fit the text.
        record.msg = f"[{id}] {record.msg}"
    return record


def _without_input(*args: Any, **keywords: Any) -> logging.LogRecord:  # noqa: ANN401 - as above
    """What a visitor may have typed is left out above DEBUG.

    Of a library's record numbers stay; other arguments, and a text that is not in the source,
    are left out.
    """
    record = logging.LogRecord(*args, **keywords)
    if record.levelno <= logging.DEBUG:
        return record
    if record.exc_info and record.exc_info[1] is not None:
        # A formatter takes this text where it is there, instead of making a traceback.
        record.exc_text = exception_place(record.exc_info[1])
    if record.name.partition(".")[0] in OWN:
        return record
    if isinstance(record.args, Mapping):
        record.args = {key: _plain(value) for key, value in record.args.items()}
    elif record.args:
        record.args = tuple(map(_plain, record.args))
    elif not _in_source(str(record.msg), record.pathname, record.lineno):
        record.msg = _left_out(str(record.msg), record.pathname, record.lineno)
    return record


def _plain(value: object) -> object:
    return value if isinstance(value, int | float) else "..."


def _in_source(text: str, path: str, line: int) -> bool:
    lines = (linecache.getline(path, line + more) for more in STATEMENT_LINES)
    return bool(text.strip()) and text.strip() in "".join(lines)


def _left_out(text: str, path: str, line: int) -> str:
    return f"a message of {len(text):,} characters from {_short(path)}:{line}, left out here"


def _short(path: str) -> str:
    return "/".join(Path(path).parts[-2:])


def _failed(*_: object, **__: object) -> None:
    """Replaces ``traceback.print_exc``."""
    error = sys.exception()
    if error is not None:
        logger.error("a request failed: %s", exception_place(error))
        logger.debug("the same with its text", exc_info=error)


def _formatted(*_: object, **__: object) -> str:
    error = sys.exception()
    return exception_place(error) if error is not None else ""


def _printed(*values: object, **_: object) -> None:
    """Replaces ``print`` in a module of the framework."""
    frame = sys._getframe(1)
    text = " ".join(map(str, values))
    logger.warning("%s", _left_out(text, frame.f_code.co_filename, frame.f_lineno))


def _warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: str | None = None,
) -> None:
    text = str(message)
    safe_text = text if _in_source(text, filename, lineno) else _left_out(text, filename, lineno)
    logger.warning("%s: %s", category.__name__, safe_text)


def _thread_failed(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        logger.error("a thread failed: %s", exception_place(args.exc_value))


def _unraisable(args: Any) -> None:  # noqa: ANN401 - a type that exists for type checkers only
    if args.exc_value is not None:
        logger.error("closing failed: %s", exception_place(args.exc_value))
