"""S1-23: pairs of query and description, scored by a real, tiny CrossEncoder."""

from __future__ import annotations

import logging

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.rerank.cross_encoder import CrossEncoderRerank, LazyScorer, SentencePairScorer
from tests.fakes import ids, make_candidate, make_state

WORDS = ["segment", "lungs", "brain", "cells", "count", "the", "on", "ct", "mri", "volume", "finds"]
SHOWN = [
    make_candidate("a", 0.9, description="segment the lungs on ct"),
    make_candidate("b", 0.8, description="count cells"),
    make_candidate("c", 0.7, description="segment the brain on mri volume"),
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A BERT of a few hundred parameters with random weights, saved as any user's would be."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder = tmp_path_factory.mktemp("cross-encoder")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=64,
        num_labels=1,
        initializer_range=0.3,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab={w: n for n, w in enumerate(vocabulary)}).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def scorer(tiny):
    return SentencePairScorer(tiny)


def lazy(scorer):
    return LazyScorer(lambda: scorer)


@pytest.mark.requirement("S1-23")
def test_candidates_are_sorted_by_the_pair_score(scorer):
    stage = CrossEncoderRerank(lazy(scorer))
    result = stage.run(make_state("segment lungs", *SHOWN, path="rerank/cross-encoder"))
    truth = dict(
        zip("abc", scorer.scores("segment lungs", [c.tool.description for c in SHOWN]), strict=True)
    )
    assert ids(result) == sorted(truth, key=lambda i: -truth[i])
    for candidate in result.state.candidates:
        assert candidate.scores["rerank/cross-encoder"] == pytest.approx(
            truth[candidate.tool.id], abs=1e-5
        )


def test_the_score_depends_on_query_and_text(scorer):
    assert len(set(scorer.scores("segment lungs", [c.tool.description for c in SHOWN]))) == 3
    one, other = (
        scorer.scores(q, ["segment the lungs"])[0] for q in ("segment lungs", "count cells")
    )
    assert one != other


def test_a_text_scores_alone_what_it_scores_in_a_batch(scorer):
    texts = [c.tool.description for c in SHOWN]
    alone = [scorer.scores("segment lungs", [t])[0] for t in texts]
    assert alone == pytest.approx(scorer.scores("segment lungs", texts), abs=1e-5)


@pytest.mark.requirement("S1-23")
def test_the_list_is_cut_to_size(scorer):
    result = CrossEncoderRerank(lazy(scorer), limit=2).run(make_state("segment lungs", *SHOWN))
    assert len(ids(result)) == 2
    asked = make_state("segment lungs", *SHOWN, top_k=1)
    assert len(ids(CrossEncoderRerank(lazy(scorer)).run(asked))) == 1


@pytest.mark.requirement("S1-30")
def test_the_change_of_the_top_score_is_measured_and_logged(scorer, caplog):
    with caplog.at_level(logging.INFO, "retriever.reranker"):
        result = CrossEncoderRerank(lazy(scorer)).run(make_state("segment lungs", *SHOWN))
    truth = scorer.scores("segment lungs", [c.tool.description for c in SHOWN])
    assert result.metrics["top_score_change"] == pytest.approx(max(truth) - truth[0], abs=1e-5)
    assert "top_score_change" in caplog.text
    assert "lungs" not in caplog.text


def test_no_candidate_gives_no_candidate(scorer):
    assert ids(CrossEncoderRerank(lazy(scorer)).run(make_state("x"))) == []


@pytest.mark.requirement("S1-27")
def test_the_scorer_is_loaded_once_at_its_first_use(scorer):
    loads = []
    held = LazyScorer(lambda: (loads.append(1), scorer)[1])
    assert loads == []
    for _ in range(3):
        CrossEncoderRerank(held).run(make_state("x", *SHOWN))
    assert loads == [1]


def test_a_model_that_is_not_here_gives_the_same_reason_every_time(tmp_path):
    held = LazyScorer(lambda: SentencePairScorer(str(tmp_path / "nothing")))
    said = []
    for _ in range(2):
        with pytest.raises(
            StageUnavailable, match="is not here; set SCANSCOUT_CROSS_ENCODER"
        ) as caught:
            held.get()
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_without_a_model_the_stage_says_how_to_choose_one():
    with pytest.raises(
        StageUnavailable, match="set SCANSCOUT_CROSS_ENCODER to a model folder or id"
    ):
        CrossEncoderRerank(None).run(make_state("x", *SHOWN))
