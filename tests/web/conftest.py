"""What the tests of web search share."""

from __future__ import annotations

import pytest

from tests.web.farming import Farm


@pytest.fixture
def farm(tmp_path):
    made = Farm(tmp_path)
    yield made
    made.close()
