"""The catalog as facts: what is stated, what is only mentioned, and what is drawn of it."""

from __future__ import annotations

import pytest

from retrieval.ask.grouping import Limit
from retrieval.ask.sets import ToolSets
from retrieval.core.codes import Format
from retrieval.graph.build import build_graph
from retrieval.graph.facts import OPEN, OWN, RESTRICTED, catalog_facts, drawn, licence_class
from tests.fakes import make_tool

TOOLS = (
    make_tool("a", formats_in=(Format.DICOM,), license="MIT", requires_tool=("b",), gpu="optional"),
    make_tool("b", formats_in=(Format.DICOM, Format.NIFTI)),
)
BASE = catalog_facts(TOOLS, build_graph(TOOLS))


@pytest.mark.parametrize(
    ("expression", "comes_to"),
    [
        ("MIT", OPEN),
        ("GPL-3.0-or-later", OPEN),
        ("LGPL-2.0-or-later OR LicenseRef-own", OPEN),
        ("GPL-2.0-only AND BSD-3-Clause", OPEN),
        ("GPL-2.0-only WITH Classpath-exception-2.0", OPEN),
        ("MIT AND CC-BY-NC-4.0", RESTRICTED),
        ("CC-BY-NC-SA-4.0", RESTRICTED),
        ("LicenseRef-FSL", OWN),
    ],
)
def test_a_licence_comes_to_open_restricted_or_own_terms(expression: str, comes_to: str) -> None:
    assert licence_class(expression) == comes_to


def test_facts_are_asked_from_either_end_and_counted_by_relation() -> None:
    assert BASE.tails("b", "accepts") == ("format:DICOM", "format:NIfTI")
    assert BASE.heads("accepts", "format:DICOM") == ("a", "b")
    assert BASE.heads("accepts", "format:DICOM", most=1) == ("a",)
    assert BASE.relations("b")["accepts", True] == 2
    assert BASE.relations("b")["requires_tool", False] == 1
    assert BASE.has(("a", "requires_tool", "b"))
    assert not BASE.has(("b", "requires_tool", "a"))


def test_what_a_record_leaves_out_is_no_fact() -> None:
    assert BASE.tails("b", "has_license") == ()
    assert BASE.tails("b", "gpu_is") == ()


def test_the_excerpt_holds_the_ends_of_every_edge_once() -> None:
    steps = [("a", "accepts", "format:DICOM"), ("b", "accepts", "format:DICOM")]
    graph = drawn(BASE, [BASE.path(steps, "test")], ["a"])
    assert [node.id for node in graph.nodes] == ["a", "format:DICOM", "b"]
    assert [node.role for node in graph.nodes] == ["seed", "link", "added"]
    assert {(e.source, e.target) for e in graph.edges} == {(s, t) for s, _, t in steps}


def test_a_mention_counts_only_where_nothing_is_stated() -> None:
    both = catalog_facts(TOOLS, build_graph(TOOLS))
    step = ("b", "has_license", "license:MIT")
    base = type(both)(both.items.values(), both.triples(), [step], "record")
    limit = Limit(options=(("has_license", "license:MIT"),))
    assert list(ToolSets(base).holders(limit)) == ["a"]
    other = type(both)(both.items.values(), (), [step], "record")
    assert list(ToolSets(other).holders(limit)) == ["b"]
    assert list(ToolSets(other).holders(limit, certain=True)) == []
    assert base.fact(step, "test").source == "description: test"
