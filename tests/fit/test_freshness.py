"""How fresh a tool is, on a day that is handed in."""

from __future__ import annotations

from datetime import date

import pytest

from retrieval.fit.freshness import freshness

TODAY = date(2026, 11, 21)
CHECKED = date(2026, 10, 1)


@pytest.mark.parametrize(
    ("released", "mark", "months"),
    [
        ("2026-11-21", "fresh", 0),
        ("2026-10-22", "fresh", 0),
        ("2026-10-21", "fresh", 1),
        ("2025-05-21", "fresh", 18),
        ("2025-04", "ageing", 19),
        ("2022-11-21", "ageing", 48),
        ("2022-10-01", "dormant", 49),
        ("2014-11-08", "dormant", 144),
        ("2027-01", "fresh", 0),
        (None, "unknown", None),
    ],
)
def test_months_since_the_last_release_give_the_mark(released, mark, months):
    found = freshness(released, CHECKED, TODAY)
    assert (found.mark, found.months, found.checked_months) == (mark, months, 1)


def test_an_old_release_that_was_looked_up_long_ago_is_unknown():
    long_ago = date(2025, 1, 1)
    assert freshness("2024-01", long_ago, TODAY).mark == "unknown"
    assert freshness("2024-01", None, TODAY).mark == "unknown"
    assert freshness("2026-01", None, TODAY).mark == "fresh"
