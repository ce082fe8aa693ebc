"""Repeated log lines are counted instead of written."""

from __future__ import annotations

import io
import logging

import pytest

from components.server.connections import log_limits
from components.server.connections.log_limits import (
    ALL_LINES,
    SAME_LINES,
    RepeatLimit,
    limit_repeats,
)

pytestmark = pytest.mark.process


@pytest.fixture
def written(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(log_limits, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(RepeatLimit())
    logger = logging.getLogger("test of repeats")
    logger.propagate = False
    logger.addHandler(handler)
    yield logger, stream, clock
    logger.removeHandler(handler)


def test_a_repeated_line_is_written_a_few_times_a_minute_then_counted(written):
    logger, stream, clock = written
    for minute in (0.0, 61.0):
        clock[0] = minute
        for n in range(1000):
            logger.error("no descriptors left, connection %d", n)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2 * SAME_LINES
    assert lines[SAME_LINES].endswith(
        f"({1000 - SAME_LINES} lines were left out in the last minute)"
    )


def test_other_lines_are_written_beside_a_repeated_one(written):
    logger, stream, _ = written
    for n in range(100):
        logger.error("repeated %d", n)
    logger.error("another")
    assert stream.getvalue().splitlines()[-1] == "another"


def test_all_lines_of_a_minute_have_a_limit(written):
    logger, stream, _ = written
    for line in range(1000):
        record = logger.makeRecord(logger.name, logging.ERROR, "file", line, "x", (), None)
        logger.handle(record)
    assert len(stream.getvalue().splitlines()) == ALL_LINES


def test_every_handler_of_the_page_is_limited_once():
    limit_repeats()
    limit_repeats()
    handler = logging.lastResort
    assert sum(isinstance(one, RepeatLimit) for one in handler.filters) == 1
    for one in list(handler.filters):
        handler.removeFilter(one)
