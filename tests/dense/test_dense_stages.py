"""The dense source and scorer over any encoder (S0-05 to S0-07, S0-11, S1-17)."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.types import Selection
from retrieval.dense.folder import IndexFolder
from retrieval.dense.source import DenseScorer, DenseSource
from retrieval.dense.vector_index import VectorIndex
from tests.dense.conftest import TOOLS
from tests.fakes import HashingEncoder, ids, make_candidate, make_state, make_tool

BY_ID = {t.id: t for t in TOOLS}


@pytest.fixture
def source(encoder, stored):
    return DenseSource(encoder, stored.store, BY_ID)


@pytest.mark.requirement("S0-06")
def test_the_score_is_the_cosine(source, encoder, stored):
    result = source.run(make_state("brain work", path="dense"))
    vector = encoder.encode(["brain work"])[0]
    for candidate in result.state.candidates:
        row = stored.store.vectors[stored.meta.ids.index(candidate.tool.id)]
        assert candidate.score == pytest.approx(float(row @ vector), abs=1e-5)
        assert candidate.scores == {"dense": candidate.score}
    assert ids(result)[0] == "tool1"


@pytest.mark.requirement("S0-05")
def test_the_query_is_encoded_as_it_is(source, encoder):
    encoder.texts.clear()
    source.run(make_state("brain work", tokens=("format:CT",)))
    assert encoder.texts == ["brain work format:CT"]


@pytest.mark.requirement("S0-07")
def test_fifty_is_the_default_and_k_is_clamped_to_the_catalog(source, encoder, stored):
    assert source.k == 50
    assert len(ids(source.run(make_state("brain")))) == len(TOOLS)
    assert len(ids(DenseSource(encoder, stored.store, BY_ID, k=2).run(make_state("brain")))) == 2


def test_the_padding_row_of_faiss_never_comes_out_as_a_tool(encoder, stored):
    hits = stored.store.search(encoder.encode(["zzz"])[0], 500)
    assert len(hits) == len({i for i, _ in hits}) == len(TOOLS)


def test_excluded_tools_make_room(encoder, stored):
    drop = Selection(drop=frozenset({"tool1"}))
    found = DenseSource(encoder, stored.store, BY_ID, k=2).run(
        make_state("brain work", selection=drop)
    )
    assert len(ids(found)) == 2
    assert "tool1" not in ids(found)


def test_a_vector_whose_tool_is_gone_is_left_out(encoder, stored):
    fewer = {i: t for i, t in BY_ID.items() if i != "tool1"}
    assert "tool1" not in ids(DenseSource(encoder, stored.store, fewer).run(make_state("brain")))


def test_the_scorer_gives_true_similarity_to_what_others_found(encoder, stored):
    had = [make_candidate("tool2"), make_candidate("tool1"), make_candidate("unknown")]
    result = DenseScorer(encoder, stored.store).run(make_state("brain work", *had, path="g/s"))
    truth = dict(stored.store.search(encoder.encode(["brain work"])[0], 50))
    scores = {c.tool.id: c.scores["g/s"] for c in result.state.candidates}
    assert scores["tool1"] == pytest.approx(truth["tool1"], abs=1e-6)
    assert scores["tool2"] == pytest.approx(truth["tool2"], abs=1e-6)
    assert scores["unknown"] == 0.0


@pytest.mark.parametrize("kind", [DenseSource, DenseScorer])
def test_without_vectors_or_switched_off_the_stage_says_why(kind, encoder, stored):
    more = (BY_ID,) if kind is DenseSource else ()
    for store, off, why in (
        (None, (), "still being made"),
        (stored.store, ("dense",), "switched off"),
    ):
        with pytest.raises(StageUnavailable, match=why):
            kind(encoder, store, *more, name="dense").run(make_state("x", off=frozenset(off)))


def test_the_mean_similarity_is_a_metric_of_the_stage(source):
    result = source.run(make_state("brain work"))
    mean = np.mean([c.score for c in result.state.candidates])
    assert result.metrics["mean_similarity"] == pytest.approx(mean, abs=1e-6)


@pytest.mark.requirement("S1-17")
def test_the_plain_index_gives_scores_and_indices_of_twenty_by_default(encoder, tmp_path):
    tools = [make_tool(f"t{n:02}", description=f"word{n}") for n in range(30)]
    from tests.dense.conftest import made

    index = VectorIndex(encoder, made(encoder, tools))
    scores, indices = index.search("word7")
    assert scores.shape == indices.shape == (20,)
    assert index.ids[indices[0]] == "t07"
    assert (np.diff(scores) <= 0).all()
    assert index.dim == 64


@pytest.mark.requirement("S1-18")
def test_the_plain_index_saves_and_loads(encoder, stored, tmp_path):
    VectorIndex(encoder, stored).save(tmp_path)
    index = VectorIndex(encoder)
    index.load(tmp_path)
    assert index.ids == stored.meta.ids
    assert index.search("brain", k=500)[0].shape == (len(TOOLS),)


@pytest.mark.requirement("S1-28")
def test_several_rows_give_what_single_queries_give(encoder, stored):
    index = VectorIndex(encoder, stored)
    many = index.search(["brain", "lung work"], k=3)
    for row, text in enumerate(["brain", "lung work"]):
        one = index.search(text, k=3)
        assert many[1][row].tolist() == one[1].tolist()
        assert many[0][row] == pytest.approx(one[0], abs=1e-6)


@pytest.mark.parametrize("other", [HashingEncoder(id="other"), HashingEncoder(dim=32)])
@pytest.mark.requirement("S1-22", "W8")
def test_an_index_of_another_model_or_width_is_refused(other, stored, tmp_path):
    IndexFolder(tmp_path).save(stored)
    with pytest.raises(BadInput, match="run sync"):
        VectorIndex(other).load(tmp_path)


def test_an_index_that_was_never_loaded_says_so(encoder):
    with pytest.raises(BadInput, match="call load"):
        VectorIndex(encoder).search("x")
