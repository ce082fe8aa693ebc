"""The core stays small: what one folder alone needs lives there."""

from __future__ import annotations

from retrieval.settings import ROOT

MOST_LINES = 1_600


def test_the_core_has_at_most_1600_lines():
    files = (ROOT / "retrieval" / "core").glob("*.py")
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST_LINES
