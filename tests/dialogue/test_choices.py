"""Several values of one filter in a remark."""

from __future__ import annotations

import pytest

from retrieval.core.types import Filters
from tests.dialogue.test_follow_up import after


@pytest.mark.parametrize(
    ("text", "field", "values", "line"),
    [
        (
            "only MIT or GPL",
            "licenses",
            {"MIT", "GPL-3.0-only", "MIT OR LicenseRef-Own"},
            "MIT or only GPL",
        ),
        (
            "entweder GPL oder MIT",
            "licenses",
            {"MIT", "GPL-3.0-only", "MIT OR LicenseRef-Own"},
            "its kind or MIT",
        ),
        (
            "desktop, or a command line",
            "interfaces",
            {"desktop", "command line"},
            "desktop or command line",
        ),
        (
            "a Python library, command line, desktop",
            "interfaces",
            {"Python", "desktop", "command line"},
            " or desktop",
        ),
        ("open source, MIT", "licenses", {"MIT", "MIT OR LicenseRef-Own"}, "licence: MIT ("),
        ("MIT, rather GPL", "licenses", {"GPL-3.0-only"}, "licence: only GPL"),
    ],
)
def test_values_of_one_filter_in_a_list_are_joined(text, field, values, line):
    told = after(text)
    assert getattr(told.query.filters, field) == values
    assert line in told.understood[-1]


def test_a_denial_of_several_values_filters_for_none_of_them():
    told = after("not MIT or GPL")
    assert told.query.filters == Filters()
