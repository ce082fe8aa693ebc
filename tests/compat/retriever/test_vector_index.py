"""The imaging agent's index, re-ranker and pipeline by their own names."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import faiss
import numpy as np
import pytest

from retrieval.compat.retriever.pipeline import RetrievalPipeline
from retrieval.compat.retriever.reranker import CrossEncoderReranker
from retrieval.compat.retriever.text_embedder import TextEmbedder
from retrieval.compat.retriever.vector_index import VectorIndex
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.rerank.cross_encoder import LazyScorer
from retrieval.wiring.parts import Sizes
from tests.fakes import HashingEncoder, ids, make_tool, parts_of, small_engine

TOOLS = [make_tool("lungs", description="segment lungs"), make_tool("cells", description="cells")]


class Letters:
    """Counts the letters that a text shares with the query."""

    id = "letters"

    def scores(self, query, texts):
        return [float(len(set(query) & set(text))) for text in texts]


@pytest.fixture
def index() -> VectorIndex:
    index = VectorIndex(TextEmbedder(encoder=HashingEncoder()))
    index.add(TOOLS)
    return index


def test_a_text_gives_candidates_and_vectors_give_scores_with_rows(index) -> None:
    best = index.search("segment lungs", k=1)
    assert [row["id"] for row in best] == ["lungs"]
    vectors = index.embedder.embed_queries(["segment lungs", "cells"])
    scores, rows = index.search(vectors, k=20)
    assert scores.shape == rows.shape == (2, 2)
    assert rows[:, 0].tolist() == [0, 1]
    assert best[0]["retrieval_score"] == pytest.approx(float(scores[0, 0]), abs=1e-6)
    assert [listed[0]["id"] for listed in index.search(["segment lungs", "cells"])] == [
        "lungs",
        "cells",
    ]


def test_a_candidate_has_the_keys_of_the_source(index) -> None:
    (row,) = index.search("segment lungs", k=1)
    keys = {"name", "description", "url", "keywords", "license", "supporting_data"}
    assert {*keys, "id", "retrieval_score"} == set(row)
    assert set(row["supporting_data"]) == {"modalities", "dimensions", "formats", "demo_url"}


def test_a_saved_index_has_two_files_and_is_searched_after_loading(index, tmp_path: Path) -> None:
    index.save(tmp_path / "rag_index")
    assert {p.name for p in (tmp_path / "rag_index").iterdir()} == {"index.faiss", "meta.json"}
    assert faiss.read_index(str(tmp_path / "rag_index" / "index.faiss")).ntotal == 2
    meta = json.loads((tmp_path / "rag_index" / "meta.json").read_text("utf-8"))
    assert meta["tool_ids"] == ["lungs", "cells"]
    again = VectorIndex(index.embedder)
    again.load(str(tmp_path / "rag_index"))
    assert again.search("segment lungs") == index.search("segment lungs")


def test_an_index_of_another_encoder_is_refused_for_texts_and_serves_vectors(
    index, tmp_path
) -> None:
    index.save(tmp_path)
    other = VectorIndex(TextEmbedder(encoder=HashingEncoder(id="another")))
    other.load(tmp_path)
    with pytest.raises(BadInput, match="made with hashing, but the encoder is another"):
        other.search("lungs")
    assert other.search(np.zeros((1, 64), dtype=np.float32), k=2)[0].shape == (1, 2)


@pytest.mark.parametrize("broken", ["index.faiss", "meta.json"])
@pytest.mark.parametrize("how", ["missing", "cut", "of another build"])
def test_a_damaged_folder_is_named_and_the_loaded_index_stays(index, tmp_path, broken, how) -> None:
    index.save(tmp_path)
    if how == "missing":
        (tmp_path / broken).unlink()
    elif how == "cut":
        (tmp_path / broken).write_bytes((tmp_path / broken).read_bytes()[:-9])
    else:
        longer = VectorIndex(index.embedder)
        longer.add([*TOOLS, make_tool("third")])
        longer.save(tmp_path / "longer")
        (tmp_path / "longer" / broken).replace(tmp_path / broken)
    with pytest.raises(BadInput, match=r"index: .*sync"):
        index.load(tmp_path)
    assert len(index.search("lungs")) == 2


def test_an_empty_index_and_a_wrong_width_are_refused(index) -> None:
    with pytest.raises(BadInput, match="call add"):
        VectorIndex().search(np.zeros(3, dtype=np.float32))
    with pytest.raises(BadInput, match="3 wide"):
        index.add(np.zeros(3, dtype=np.float32))
    with pytest.raises(BadInput, match="3 wide"):
        index.search(np.zeros((1, 3), dtype=np.float32))


def test_the_encoder_that_stands_in_for_bge_m3_is_named(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    embedder = VectorIndex().embedder
    assert "BAAI/bge-m3 is not on this machine" in embedder.note
    assert embedder.model_name == "sentence-transformers/all-MiniLM-L6-v2"


def test_the_reranker_orders_texts_and_says_how_to_fetch_a_missing_model(
    monkeypatch, tmp_path
) -> None:
    reranker = CrossEncoderReranker(scorer=Letters())
    assert reranker.rerank("abc", ["x", "abc", "ab"], top_k=2) == [(1, 3.0), (2, 2.0)]
    assert reranker.predict([("abc", "ab")]) == [2.0]
    rows = [{"name": "x", "description": "x"}, {"name": "abc", "description": "abc"}]
    assert reranker.rerank_candidates("abc", rows, 1) == [{**rows[1], "retrieval_score": 3.0}]
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(StageUnavailable, match="models fetch BAAI/bge-reranker-v2-m3"):
        CrossEncoderReranker().rerank("abc", ["abc"])


def test_the_pipeline_gives_candidates_terms_and_metrics_of_the_mode() -> None:
    pipeline = RetrievalPipeline(small_engine())
    rows = pipeline.retrieve("segment lungs [EXCLUDE:lungmask]", k=3)
    assert rows
    assert len(rows) <= 3
    assert "lungmask" not in [row["id"] for row in rows]
    assert pipeline.metrics["candidates"] == len(rows)
    assert pipeline.answer is not None
    assert pipeline.answer.mode.name == "plaza"


def searched(query: str) -> RetrievalPipeline:
    """A search with a file's tokens in its text, by an engine whose cross-encoder is here."""
    pipeline = RetrievalPipeline(small_engine(plaza_cross_encoder=LazyScorer(Letters)))
    assert pipeline.retrieve(query)
    return pipeline


def test_the_stages_run_in_the_sources_order_and_the_cross_encoder_ends_them() -> None:
    answer = searched("segment lungs").answer
    assert answer is not None
    names = dict.fromkeys(node.name.rpartition("/")[2] for node in answer.result.walk())
    stages = ["enrich", "expand", "dense", "cross-encoder"]
    assert [name for name in names if name in stages] == stages
    by_meaning = parts_of(answer.result)["retrieval"].state.candidates
    texts = {c.tool.id: c.tool.description for c in by_meaning}
    pairs = Letters().scores("segment lungs", list(texts.values()))
    best = sorted(zip(texts, pairs, strict=True), key=lambda pair: (-pair[1], pair[0]))
    assert ids(answer.candidates) == [name for name, _ in best][:8]
    assert ids(answer.candidates) != ids(by_meaning)[:8]


def test_no_rerank_leaves_the_cross_encoder_out_and_keeps_the_scores_of_the_search() -> None:
    answer = searched("segment lungs [NO_RERANK]").answer
    assert answer is not None
    by_meaning = parts_of(answer.result)["retrieval"].state.candidates[:8]
    assert ids(answer.candidates) == ids(by_meaning)
    assert [c.score for c in answer.candidates] == [c.score for c in by_meaning]


def test_metrics_tell_candidates_similarity_terms_and_the_change_by_reranking() -> None:
    with_model = searched("segment lungs").metrics
    assert with_model["candidates"] > 0
    assert 0 < with_model["average_similarity"] <= 1
    assert with_model["expansion_terms"] == len(searched("segment lungs").expansion)
    assert with_model["rerank_top_score_change"] >= 0
    assert searched("segment lungs [NO_RERANK]").metrics["rerank_top_score_change"] is None


@pytest.mark.requirement("S1-30")
def test_the_terms_that_a_search_added_are_those_of_its_metrics() -> None:
    pipeline = RetrievalPipeline(small_engine(Sizes(expand_threshold=0.05)))
    pipeline.retrieve("segment lungs")
    assert pipeline.metrics["expansion_terms"] == len(pipeline.expansion) > 0


@pytest.mark.requirement("S1-30")
def test_the_similarity_is_that_of_the_request_and_of_no_broader_try() -> None:
    pipeline = RetrievalPipeline(small_engine(Sizes(floor=2.0)))
    pipeline.retrieve("segment lungs")
    assert pipeline.answer is not None
    parts = parts_of(pipeline.answer.result)
    assert "retrieval/round 3" in parts
    first = parts["retrieval/round 1/search/found/dense"].state.candidates
    mean = sum(one.score for one in first) / len(first)
    assert pipeline.metrics["average_similarity"] == pytest.approx(mean, abs=1e-5)


@pytest.mark.requirement("S1-30")
def test_a_list_that_the_caller_cut_is_not_told_as_few_candidates() -> None:
    pipeline = RetrievalPipeline(small_engine())
    assert len(pipeline.retrieve("segment lungs", k=3)) == 3
    assert pipeline.metrics["few_candidates"] is False
    assert len(pipeline.retrieve("segment lungs", k=8)) < 8
    assert pipeline.metrics["few_candidates"] is True


def test_each_of_the_three_loggers_writes_the_line_of_the_source(index, caplog) -> None:
    figure = r"-?\d+\.\d\d"
    with caplog.at_level(logging.INFO):
        index.search("segment lungs", k=20)
        CrossEncoderReranker(scorer=Letters()).rerank("abc", ["x", "abc"])
        RetrievalPipeline(small_engine()).retrieve("segment lungs", k=3)
    for logger, line in {
        "retriever.vector_index": rf'FAISS search: query="segment lungs", results=2, '
        rf"top_score={figure}",
        "retriever.reranker": r"Reranking 2 candidates, top_score_change=\+3\.00",
        "retriever.pipeline": rf"Final candidates: 3, avg_score={figure}",
    }.items():
        written = [r.getMessage() for r in caplog.records if r.name == logger]
        assert any(re.fullmatch(line, one) for one in written), written
