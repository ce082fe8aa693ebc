"""Programs that are sold and in no catalog: what they are for is searched in their place."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader, text_notes
from tests.fakes import make_query, make_tool

TOOLS = (make_tool("cellpose", name="Cellpose", tasks=("segmentation",), keywords=("cells",)),)
READER = WishReader(TOOLS, {"tool": 1.0, "system": 1.0, "licence": 1.0})


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("alternative to Imaris", "spot detection"),
        ("alternativa libre a Imaris", "spot detection"),
        ("FlowJo alternative", "gating"),
        ("Ersatz für ImageScope", "whole-slide"),
        ("free replacement for OsiriX on Windows", "DICOM viewer"),
        ("something like Neurolucida", "neuron tracing"),
    ],
)
def test_the_like_of_a_program_that_is_sold_is_searched_by_what_it_is_for(text, word):
    query = READER.read(make_query(text))
    assert word in query.text
    assert [w.strength for w in query.wishes if w.kind == "tool"] == ["unwanted"]
    assert any("is not in the catalog" in note for note in text_notes(text, query.text))


@pytest.mark.parametrize("text", ["Imaris", "Volocity", "Imaris software", "open source Imaris"])
def test_the_name_alone_is_searched_by_what_the_program_is_for(text):
    query = READER.read(make_query(text))
    assert "microscopy" in query.text
    assert [w.kind for w in query.wishes] in ([], ["licence"])


def test_a_program_that_the_catalog_has_is_searched_by_its_name():
    reader = WishReader((make_tool("imaris", name="Imaris"),), {"tool": 1.0})
    assert reader.read(make_query("Imaris")).text == "Imaris"


@pytest.mark.parametrize(
    "text", ["count spots in Imaris files", "neuron tracing, not Neurolucida", "halo around nuclei"]
)
def test_a_task_that_is_named_is_what_is_searched(text):
    query = READER.read(make_query(text))
    assert "microscopy" not in query.text
    assert text_notes(text, query.text) == ()


@pytest.mark.parametrize(
    "text", ["something like Cellpose but lighter", "so etwas wie Cellpose, nur leichter"]
)
def test_a_wish_that_no_concept_names_leaves_the_like_to_search_for(text):
    assert READER.read(make_query(text)).text.endswith("segmentation cells")
