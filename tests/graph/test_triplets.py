"""The walk over triples and its limits."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from retrieval.ask.walk import ModelChooser, TripletWalk, WalkLimits, WordChooser
from retrieval.graph.facts import FactBase, Item
from tests.fakes import ScriptedModel


def base_of(*triples: str) -> FactBase:
    rows = [tuple(t.split()) for t in triples]
    names = dict.fromkeys(n for head, _, tail in rows for n in (head, tail))
    return FactBase((Item(id=n, kind="node", label=n) for n in names), rows)  # type: ignore[arg-type]


class Everywhere:
    """Follows whatever is offered and never says that it is enough."""

    def __init__(self) -> None:
        self.relations_offered: list[list[str]] = []

    def relations(self, question: str, offered: Sequence[str], most: int) -> Sequence[str]:
        self.relations_offered.append(list(offered))
        return offered

    def entities(
        self, question: str, offered: Sequence[str], context: Sequence[str], most: int
    ) -> Sequence[str]:
        return offered


STAR = base_of(*(f"hub r{n} leaf{n}{m}" for n in range(8) for m in range(4)))


@pytest.mark.requirement("S3-07")
def test_the_number_of_relations_is_limited() -> None:
    facts, _ = TripletWalk(STAR, WalkLimits(relations=2, iterations=1)).facts(
        "q", ["hub"], Everywhere()
    )
    assert {fact.steps[0][1] for fact in facts} == {"r0", "r1"}


@pytest.mark.requirement("S3-07")
def test_the_number_of_entities_to_go_on_from_is_limited() -> None:
    base = base_of("a r b1", "a r b2", "a r b3", "b1 s c1", "b2 s c2", "b3 s c3")
    walk = TripletWalk(base, WalkLimits(entities=1, iterations=2))
    facts, walked = walk.facts("q", ["a"], Everywhere())
    assert walked == {"a", "b1"}
    assert "c2" not in {node for fact in facts for node in fact.nodes}


@pytest.mark.requirement("S3-07")
def test_the_number_of_iterations_is_limited() -> None:
    chain = base_of("a r b", "b r c", "c r d", "d r e")
    facts, _ = TripletWalk(chain, WalkLimits(iterations=2)).facts("q", ["a"], Everywhere())
    assert [fact.text for fact in facts] == ["a r b", "b r c"]


@pytest.mark.requirement("S3-07")
def test_the_number_of_triplets_is_limited() -> None:
    limits = WalkLimits(triplets=7, relations=99)
    facts, _ = TripletWalk(STAR, limits).facts("q", ["hub"], Everywhere())
    assert len(facts) == 7


@pytest.mark.requirement("S3-07")
def test_a_model_that_finishes_ends_the_walk_early() -> None:
    chain = base_of("a r b", "b r c")
    model = ScriptedModel(json.dumps({"relations": ["r"]}), json.dumps({"finish": True}))
    facts, _ = TripletWalk(chain).facts("q", ["a"], ModelChooser(model, chain.label))
    assert [fact.text for fact in facts] == ["a r b"]
    assert "a r b" in model.prompts[1]


def test_a_model_can_choose_only_what_it_was_offered() -> None:
    chain = base_of("a r b", "a s c")
    model = ScriptedModel(
        json.dumps({"relations": ["made_up", "s"]}), json.dumps({"entities": ["nowhere"]})
    )
    facts, walked = TripletWalk(chain).facts("q", ["a"], ModelChooser(model, chain.label))
    assert [fact.text for fact in facts] == ["a s c"]
    assert walked == {"a"}


def test_a_reply_without_shape_leaves_the_choice_to_the_words_of_the_question() -> None:
    chain = base_of("a likes b", "a hates c")
    model = ScriptedModel("no idea", "none", "no idea", "none")
    limits = WalkLimits(relations=1, iterations=1)
    facts, _ = TripletWalk(chain, limits).facts(
        "who hates whom", ["a"], ModelChooser(model, chain.label)
    )
    assert [fact.text for fact in facts] == ["a hates c"]


@pytest.mark.requirement("S3-04")
def test_failure_two_hops_cross_edges_in_both_directions() -> None:
    base = base_of("A uses F", "B uses F", "B next C")
    facts, _ = TripletWalk(base, WalkLimits(iterations=2)).facts("q", ["A"], Everywhere())
    assert {node for fact in facts for node in fact.nodes} == {"A", "F", "B"}


@pytest.mark.parametrize("explored", [(), ("hub",)])
@pytest.mark.requirement("S3-12")
def test_an_explored_node_is_not_walked_again(explored: tuple[str, ...]) -> None:
    asked = Everywhere()
    facts, walked = TripletWalk(STAR).facts("q", ["hub"], asked, explored)
    assert bool(facts) is not bool(explored)
    assert "hub" in walked
    assert bool(asked.relations_offered) is not bool(explored)


def test_words_guide_the_walk_where_there_is_no_model() -> None:
    base = base_of("tool accepts DICOM", "tool produces NIfTI", "tool requires_tool other")
    words = WordChooser(base.label)
    assert words.relations("what does it require", ["accepts", "requires_tool"], 1) == [
        "requires_tool"
    ]
    assert words.entities("anything on NIfTI", ["DICOM", "NIfTI"], [], 3) == ["NIfTI"]
    assert words.entities("weather", ["DICOM", "NIfTI"], [], 3) is None


def test_a_hub_of_many_edges_is_cut_inside_the_walk_in_a_fixed_order() -> None:
    hub = base_of(*(f"hub r leaf{n:05}" for n in range(5000)))
    first, _ = TripletWalk(hub, WalkLimits(triplets=40)).facts("q", ["hub"], Everywhere())
    assert [fact.nodes[1] for fact in first[:2]] == ["leaf00000", "leaf00001"]
    assert len(first) == 40
