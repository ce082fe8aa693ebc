"""Filters are exact, and hold inside every stage of every mode."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import Filters, ScanInfo
from retrieval.query.parse import select
from retrieval.wiring.parts import Sizes
from tests.fakes import SMALL, ids, make_query, small_engine

TEXTS = ("segment lungs", "measure airways and count cells", "lungmask", "zzz", "")
CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3, units="HU")

ASKED = {
    "licenses": ("MIT", "Apache-2.0"),
    "modalities": ("CT", "MRI", "fluorescence microscopy"),
    "formats": ("NIfTI", "DICOM"),
    "dimensions": ("2D", "3D"),
    "domains": ("radiology", "microscopy"),
    "interfaces": ("Python", "web"),
    "gpu": ("none", "required"),
}
FILTERS = [
    Filters(**{name: frozenset([value])}) for name, values in ASKED.items() for value in values
]
BOTH = [
    Filters(modalities=frozenset(["CT", "MRI"]), licenses=frozenset(["MIT"])),
    Filters(domains=frozenset(["radiology"]), dimensions=frozenset(["3D"])),
    Filters(modalities=frozenset(["CT"]), gpu=frozenset(["none"])),
]


@pytest.fixture(scope="module")
def small():
    return small_engine()


@pytest.fixture(scope="module")
def retrying():
    """One whose plaza mode finds everything too little, and asks again twice."""
    return small_engine(Sizes(floor=2.0))


def listed(result):
    """Every tool that any node of the tree lists, draws, or names in a reason or as evidence."""
    for node in (*result.walk(), result):
        for candidate in node.state.candidates:
            yield node.name, candidate.tool.id
            for fit in candidate.fit or ():
                yield from ((node.name, name) for name in via(fit))
        graph = node.graph
        yield from ((node.name, n.id) for n in (graph.nodes if graph else ()) if n.kind == "tool")


def via(fit):
    if fit.fact != "format" or ", after " not in (fit.tool or ""):
        return []
    return [step.partition(":")[0] for step in fit.tool.split(", after ")[1].split(", then ")]


def refused(engine, filters):
    return {t.id for t in engine.catalog.values() if not filters.admits(t)}


@pytest.mark.parametrize("filters", [*FILTERS, *BOTH])
@pytest.mark.parametrize("mode", small_engine().modes)
def test_no_stage_of_any_mode_lists_a_tool_that_the_filter_refuses(small, mode, filters):
    out = refused(small, filters)
    for text in TEXTS:
        for scans in ((), (CT,)):
            if not text and not scans:
                continue
            query = make_query(text, filters=filters, scans=scans)
            seen = [(n, i) for n, i in listed(small.run(query, mode).result) if i in out]
            assert seen == [], (text, mode)


@pytest.mark.parametrize("filters", [*FILTERS[:5], *BOTH])
def test_a_retry_of_plaza_keeps_the_filter(retrying, filters):
    result = retrying.run(make_query("segment lungs", filters=filters), "plaza").result
    rounds = [node.name for node in result.walk() if node.name.count("/") == 1]
    assert any(name.startswith("retrieval/round 3") for name in rounds), rounds
    out = refused(retrying, filters)
    assert [(n, i) for n, i in listed(result) if i in out] == []


@pytest.mark.parametrize("filters", [*FILTERS, *BOTH])
def test_the_dense_list_is_the_unfiltered_ranking_of_the_kept_rows(small, filters):
    kept = {t.id for t in SMALL if filters.admits(t)}
    for text in ("segment lungs", "count cells"):
        whole = small.run(make_query(text), "vector").candidates
        some = small.run(make_query(text, filters=filters), "vector").candidates
        expected = [(c.tool.id, c.score) for c in whole if c.tool.id in kept]
        assert [(c.tool.id, c.score) for c in some] == expected


@pytest.mark.parametrize("filters", [*FILTERS, *BOTH])
def test_the_keyword_list_is_the_unfiltered_ranking_of_the_kept_rows(small, filters):
    kept = {t.id for t in SMALL if filters.admits(t)}
    whole = small.run(make_query("segment lungs"), "keyword").candidates
    some = small.run(make_query("segment lungs", filters=filters), "keyword").candidates
    expected = [(c.tool.id, c.score) for c in whole if c.tool.id in kept]
    assert [(c.tool.id, c.score) for c in some] == expected


def test_a_tool_that_does_not_state_a_fact_is_refused_by_its_filter():
    silent = next(t for t in SMALL if t.id == "runner")
    for name in ASKED:
        assert not replace(Filters(), **{name: frozenset(["anything"])}).admits(silent)


def test_every_field_of_the_filters_is_tried_here():
    assert {f.name for f in fields(Filters)} == set(ASKED)


def test_filters_and_exclusions_hold_together():
    query = make_query(filters=Filters(modalities=frozenset(["CT"])), excluded=("Lungmask",))
    selection = select(SMALL, query)
    assert [t.id for t in SMALL if selection.admits(t.id)] == ["nodules"]


SHIPPED = [
    Filters(licenses=frozenset(["MIT", "Apache-2.0"])),
    Filters(modalities=frozenset(["PET"])),
    Filters(formats=frozenset(["OME-TIFF"])),
    Filters(gpu=frozenset(["none", "optional"])),
    Filters(interfaces=frozenset(["web"])),
    Filters(dimensions=frozenset(["4D"])),
    Filters(domains=frozenset(["pathology"])),
    Filters(interfaces=frozenset(["Python"]), gpu=frozenset(["required"])),
]


@pytest.mark.model
@pytest.mark.parametrize("filters", SHIPPED)
def test_over_the_shipped_catalog_no_stage_lists_what_is_refused(engine, filters):
    out = refused(engine, filters)
    assert 0 < len(out) < len(engine.catalog)
    for mode in engine.modes:
        query = make_query("segment lesions and measure their volume", filters=filters, scans=(CT,))
        found = engine.run(query, mode)
        assert [(n, i) for n, i in listed(found.result) if i in out] == [], mode
        assert found.candidates, mode


@pytest.mark.model
@pytest.mark.parametrize("filters", SHIPPED)
def test_over_the_shipped_catalog_the_dense_list_is_exact(engine, filters):
    text = "register two brain scans"
    whole = engine.run(make_query(text, top_k=50), "vector").candidates
    some = engine.run(make_query(text, filters=filters, top_k=50), "vector").candidates
    kept = [c for c in whole if filters.admits(c.tool)]
    assert ids(some[: len(kept)]) == ids(kept)
    # The sums of a product over fewer rows may differ in the last digit.
    assert [c.score for c in some[: len(kept)]] == pytest.approx([c.score for c in kept], abs=2e-6)
    assert len(some) == min(50, sum(map(filters.admits, engine.catalog.values())))
