"""What the files are is weighed by itself, so that it never harms a tool that takes them."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

import pytest

from retrieval.core.types import Tool
from retrieval.settings import ROOT

pytestmark = pytest.mark.model

TASKS = (ROOT / "tests" / "data" / "token_tasks.txt").read_text("utf-8").splitlines()
DEEP = 50


def _reads(code: str) -> Callable[[Tool], bool]:
    return lambda tool: code in tool.formats_in


def _images(code: str) -> Callable[[Tool], bool]:
    return lambda tool: code in tool.modalities


def _takes(code: str) -> Callable[[Tool], bool]:
    return lambda tool: code in tool.dimensions


TOKENS = {
    "format:DICOM": _reads("DICOM"),
    "format:NIfTI": _reads("NIfTI"),
    "format:OME-TIFF": _reads("OME-TIFF"),
    "format:CT": _images("CT"),
    "format:MRI": _images("MRI"),
    "format:dMRI": _images("dMRI"),
    "format:2D": _takes("2D"),
    "format:3D": _takes("3D"),
    "format:4D": _takes("4D"),
}


def _listed(engine, text, tokens=()):
    return [c.tool for c in engine.run(text, tokens=tokens, top_k=DEEP).candidates]


def _best(found, supports):
    return next((rank for rank, tool in enumerate(found) if supports(tool)), DEEP)


def _mean_rank(found, wanted):
    ranks = {tool.id: rank for rank, tool in enumerate(found)}
    return mean(ranks.get(tool.id, DEEP) for tool in wanted)


@pytest.fixture(scope="module")
def pairs(engine):
    """For each pair: the list without the token, the list with it, who supports the token."""
    found = []
    for text in TASKS:
        without = _listed(engine, text)
        for token, supports in TOKENS.items():
            found.append((text, token, without, _listed(engine, text, [token]), supports))
    return found


@pytest.mark.requirement("S1-04")
def test_the_best_supporting_tool_never_ranks_lower_with_the_token(pairs):
    lower = [
        (text, token)
        for text, token, without, with_it, supports in pairs
        if _best(with_it, supports) > _best(without, supports)
    ]
    assert len(pairs) >= 60
    assert lower == []


@pytest.mark.requirement("S1-04")
def test_no_supporting_tool_of_the_list_ranks_lower_with_the_token(pairs):
    for text, token, without, with_it, supports in pairs:
        ranks = {tool.id: rank for rank, tool in enumerate(with_it)}
        for rank, tool in enumerate(without):
            assert not supports(tool) or ranks.get(tool.id, DEEP) <= rank, (text, token, tool.id)


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.requirement("S1-04")
def test_the_mean_rank_of_supporting_tools_improves(pairs, token):
    of_token = [
        (without, with_it, [tool for tool in without if supports(tool)])
        for _, one, without, with_it, supports in pairs
        if one == token
    ]
    held = [pair for pair in of_token if pair[2]]
    before = mean(_mean_rank(without, wanted) for without, _, wanted in held)
    after = mean(_mean_rank(with_it, wanted) for _, with_it, wanted in held)
    assert after < before


@pytest.mark.requirement("S1-04")
def test_more_of_the_first_ten_support_the_token(pairs):
    before = sum(sum(map(supports, without[:10])) for _, _, without, _, supports in pairs)
    after = sum(sum(map(supports, with_it[:10])) for _, _, _, with_it, supports in pairs)
    assert after > before


def test_tokens_are_a_stage_of_their_own_and_say_what_they_added(engine):
    answer = engine.run("segment lungs", tokens=["format:CT", "format:3D"])
    stages = {stage.name: stage for stage in answer.result.stages()}
    assert answer.query.search_text == "segment lungs format:CT format:3D"
    top = stages["tokens"].state.candidates[0]
    added = [why for why in top.why if why.stage == "tokens"]
    assert {why.text for why in added} <= {"format:CT", "format:3D"}
    order = [name for name in stages if "/" not in name and stages[name].state.candidates]
    before = stages[order[order.index("tokens") - 1]].state.candidates
    earlier = next(c.score for c in before if c.tool.id == top.tool.id)
    assert top.score == pytest.approx(earlier + sum(w.value for w in added), abs=1e-5)


def test_a_token_alone_is_still_searched_for(engine):
    found = _listed(engine, "", ["format:DICOM"])
    assert sum("DICOM" in tool.formats_in for tool in found[:10]) >= 8


def test_without_a_token_the_stage_changes_nothing(engine):
    result = engine.run("segment lungs").result
    names = [stage.name for stage in result.stages()]
    assert "tokens" not in names


# In plaza tokens are part of the text, as in its source system: nothing is promised of ranks.
@pytest.mark.parametrize("mode", ["biocortex", "keyword", "vector", "rrf", "agentic"])
@pytest.mark.requirement("S1-04")
def test_in_every_other_mode_the_best_supporting_tool_never_ranks_lower(engine, mode):
    for text in TASKS[:3]:
        without = [c.tool for c in engine.run(text, mode, top_k=DEEP).candidates]
        for token in ("format:DICOM", "format:CT", "format:3D"):
            found = engine.run(text, mode, tokens=[token], top_k=DEEP).candidates
            with_it = [c.tool for c in found]
            assert _best(with_it, TOKENS[token]) <= _best(without, TOKENS[token]), (text, token)
