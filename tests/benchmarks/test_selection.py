"""What a language model reads to select tools, by three ways to the same list."""

from __future__ import annotations

import pytest

from benchmarks.selection import selections, table


@pytest.mark.model
def test_three_stages_read_less_than_a_model_over_many_records_and_ask_once() -> None:
    """Seed 000, line 3: faster than a selection by the language model alone."""
    rows = selections(["segment lungs in CT", "scRNA-seq clustering"])
    staged, some, every, plaza = rows.values()
    for one, over_some, over_every in zip(staged, some, every, strict=True):
        assert one.calls == 1 < over_some.calls < over_every.calls
        assert 2 * one.tokens < over_some.tokens < over_every.tokens
    assert [(one.calls, one.tokens) for one in plaza] == [(0, 0), (0, 0)]
    assert len(table(rows).splitlines()) == 6
