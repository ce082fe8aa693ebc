"""What the tests of databases share."""

from __future__ import annotations

import pytest

from tests.web.loopback import Loopback


@pytest.fixture
def serving():
    """Starts servers that end with the test."""
    held = []

    def serve(answers):
        held.append(Loopback(answers))
        return held[-1]

    yield serve
    for one in held:
        one.close()
