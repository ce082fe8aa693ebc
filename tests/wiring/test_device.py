"""A device that this machine lacks: the processor computes, and state, answer and log say so."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from retrieval import open_engine
from retrieval.compat.retriever.reranker import CrossEncoderReranker
from retrieval.compat.retriever.text_embedder import TextEmbedder
from retrieval.export import to_json
from retrieval.wiring.models import loading_encoder, usable_device

torch = pytest.importorskip("torch")
ABSENT = "cuda:7"
WHY = f"torch finds no device {ABSENT} on this machine"

pytestmark = pytest.mark.skipif(torch.cuda.device_count() > 7, reason="this machine has it")


def test_the_processor_stands_in_for_a_device_that_is_not_here(caplog) -> None:
    usable_device.cache_clear()
    with caplog.at_level(logging.WARNING):
        device, reason = usable_device(ABSENT)
        usable_device(ABSENT)
    assert (device, WHY in reason) == ("cpu", True)
    assert [r.getMessage() for r in caplog.records].count(reason) == 1
    assert usable_device("cpu") == ("cpu", "")
    here = torch.cuda.is_available()
    assert usable_device("cuda")[0] == ("cuda" if here else "cpu")


@pytest.mark.model
def test_the_encoder_of_an_absent_device_gives_the_vectors_of_the_processor(model_settings) -> None:
    wanted = loading_encoder(model_settings.model_copy(update={"device": ABSENT}))
    usual = loading_encoder(model_settings)
    wanted.wait()
    usual.wait()
    assert wanted.problem is None
    np.testing.assert_array_equal(wanted.encode(["lungs"]), usual.encode(["lungs"]))


@pytest.mark.process
def test_every_answer_says_that_the_processor_computes(light_settings) -> None:
    engine = open_engine(light_settings.model_copy(update={"device": ABSENT}))
    for mode in ("hybrid", "plaza"):
        fallbacks = to_json(engine.run("segment lungs", mode))["metadata"]["fallbacks"]
        (one,) = [f for f in fallbacks if f["stage"] == "device"]
        assert one["used"] == "cpu"
        assert WHY in one["reason"]


def test_the_source_s_classes_tell_it_in_their_note() -> None:
    assert WHY in TextEmbedder(device=ABSENT).note
    assert WHY in CrossEncoderReranker("small", device=ABSENT).note
    assert CrossEncoderReranker("small").note == ""
