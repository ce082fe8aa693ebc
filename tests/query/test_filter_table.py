"""A table of the records by value admits what every record on its own would be asked for."""

from __future__ import annotations

import gc
from dataclasses import fields
from random import Random
from time import process_time

import numpy as np
import pytest

from retrieval import Settings
from retrieval.catalog import admitted, load_catalog, places
from retrieval.catalog.positions import _masks
from retrieval.core import Filters, Selection
from retrieval.dialogue.relax import blocks
from retrieval.explain.fate import unmatched
from retrieval.query import FilterTable, parse_filters, parse_query, select, without_tag
from retrieval.query.filter_table import FIELDS
from tests.fakes import make_query, make_tool


@pytest.fixture(scope="module")
def tools():
    return load_catalog(Settings(_env_file=None).catalog).tools


@pytest.fixture(scope="module")
def table(tools):
    return FilterTable(tools)


def test_every_field_of_the_filters_has_a_column():
    assert list(FIELDS) == [one.name for one in fields(Filters)]


def test_the_table_admits_what_each_tool_admits_for_every_value_and_for_mixed_filters(tools, table):
    stated = {
        name: sorted({value for tool in tools for value in values(tool) if value})
        for name, values in FIELDS.items()
    }
    chance = Random(5)
    filters = [Filters(**{n: frozenset([v])}) for n, values in stated.items() for v in values]
    for _ in range(60):
        names = chance.sample(list(stated), chance.randint(2, 4))
        several = {
            n: chance.sample(stated[n], min(len(stated[n]), chance.randint(1, 3))) for n in names
        }
        filters.append(
            Filters(**{n: frozenset([*some, "no such value"]) for n, some in several.items()})
        )
    some = 0
    for one in filters:
        expected = frozenset(tool.id for tool in tools if one.admits(tool))
        assert table.admitted(one) == expected
        some += bool(expected)
    assert some > len(filters) / 2


def test_a_selection_is_the_same_with_and_without_the_table(tools, table):
    query = make_query(filters=Filters(licenses=frozenset({"MIT"})), excluded=(tools[0].name,))
    assert select(tools, query, (), table) == select(tools, query)


def test_what_is_admitted_is_read_by_place_in_any_order_of_the_ids(tools, table):
    keep = table.admitted(Filters(licenses=frozenset({"MIT"})))
    gone = min(keep)
    selection = Selection(keep=keep, drop=frozenset([gone, "nobody"]))
    for ids in ([tool.id for tool in tools], sorted((t.id for t in tools), reverse=True)):
        expected = [selection.admits(id) for id in ids]
        assert admitted(places(ids), selection).tolist() == expected
        assert admitted(places(ids), selection).tolist() == expected
    assert 0 < np.count_nonzero(expected) < len(tools)


def test_nothing_is_admitted_where_no_record_states_the_value(tools, table):
    keep = table.admitted(Filters(licenses=frozenset({"no licence"})))
    assert keep == frozenset()
    assert not admitted(places([tool.id for tool in tools]), Selection(keep=keep)).any()


def test_a_mask_that_is_shared_cannot_be_changed(tools, table):
    keep = table.admitted(Filters(licenses=frozenset({"MIT"})))
    mask = admitted(places([tool.id for tool in tools]), Selection(keep=keep))
    with pytest.raises(ValueError, match="read-only"):
        mask[0] = True


class NotWalked(dict):
    """A mapping in which single keys can be looked up, and nothing else."""

    def __iter__(self):
        raise AssertionError("every record was asked")

    values = items = keys = __iter__


def test_exclusions_are_looked_up_and_no_record_is_asked(tools, table):
    for one in tools[:40]:
        query = make_query(excluded=(one.name.upper(), f" {one.id} "))
        assert select(NotWalked(), query, (), table) == select(tools, query)
    suite = next(tool.suite for tool in tools if tool.suite)
    by_suite = select(NotWalked(), make_query(), (suite,), table)
    assert by_suite == select(tools, make_query(), (suite,))
    assert len(by_suite.drop) > 0
    assert unmatched([tools[0].name], NotWalked(), table.ids_by_name) == {}


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("Se\u0301gmenteur", "S\u00e9gmenteur"),
        ("S\u00e9gmenteur", "SE\u0301GMENTEUR"),
        ("Gamma Tool", "gamma\u00a0 tool\t"),
        ("\uff23\uff34 Tool", "CT tool"),
        ("Stra\u00dfe", "STRASSE"),
    ],
)
@pytest.mark.parametrize("by_tag", [True, False])
def test_an_exclusion_names_a_record_whatever_its_blanks_marks_and_case(name, spelled, by_tag):
    excluded = [] if by_tag else [spelled]
    text = f"x [EXCLUDE:{spelled}]" if by_tag else "x"
    query = parse_query(text, excluded=excluded)
    named, other = make_tool("a", name=name), make_tool("b", name=f"{name} 2")
    for table in (None, FilterTable([named, other])):
        assert select([named, other], query, (), table).drop == {"a"}
    assert unmatched(query.excluded, {"a": named, "b": other}) == {}
    assert [blocks(query, one) != () for one in (named, other)] == [True, False]
    assert without_tag(f"x [EXCLUDE:{name}]", "exclude", spelled) == "x"


def test_an_exclusion_that_names_nothing_is_told_the_same_with_and_without_the_table(tools, table):
    by_id = {tool.id: tool for tool in tools}
    for name in ("no such tool", f"{tools[0].name}x"):
        assert unmatched([name], by_id, table.ids_by_name) == unmatched([name], by_id)
        assert name in unmatched([name], by_id, table.ids_by_name)


def test_few_of_many_ids_are_looked_up_and_the_others_are_not_asked():
    positions = NotWalked({f"t{n}": n for n in range(1_000)})
    mask = admitted(positions, Selection(keep=frozenset({"t7", "t999", "nobody"})))
    assert np.flatnonzero(mask).tolist() == [7, 999]


@pytest.mark.process
def test_a_mask_is_looked_up_without_comparing_the_ids_that_it_keeps():
    ids = [f"t{n}" for n in range(200_000)]
    positions, keep = places(ids), frozenset(ids[:150_000])
    selection, copy = Selection(keep=keep), frozenset(list(keep))
    admitted(positions, selection)
    looks, comparisons = [], []
    for _ in range(10):
        start = process_time()
        admitted(positions, selection)
        middle = process_time()
        assert keep == copy
        looks.append(middle - start)
        comparisons.append(process_time() - middle)
    assert min(looks) < min(comparisons) / 10


def test_masks_go_with_the_selection_that_they_belong_to():
    before = len(_masks)
    positions, keep = places(["a", "b", "c"]), frozenset(["a", "b"])
    assert admitted(positions, Selection(keep=keep)).tolist() == [True, True, False]
    assert len(_masks) == before + 1
    del keep
    gc.collect()
    assert len(_masks) == before


def test_a_filter_by_licence_is_read_in_the_spelling_of_the_answers_too():
    one = [make_tool("a", license="MIT")]
    assert parse_filters(["License=mit"], one).licenses == frozenset(["MIT"])
