"""Embed once, and again only what changed (S0-04, S0-08, S1-16, S1-21, W8)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from retrieval.dense.refresh import changes
from retrieval.dense.templates import template_text
from tests.dense.conftest import TOOLS, made
from tests.fakes import HashingEncoder, make_tool


@pytest.mark.requirement("S0-04")
def test_the_text_of_a_tool_is_byte_equal_to_the_seed():
    tool = make_tool("a", name="nnU-Net", description="Segments é.", domain="radiology")
    assert template_text("biocortex", tool) == "nnU-Net: Segments é. (domain: radiology)"
    assert (
        template_text("biocortex", replace(tool, domain=None)) == "nnU-Net: Segments é. (domain: )"
    )


@pytest.mark.requirement("S1-16")
def test_the_plaza_text_is_name_description_keywords():
    tool = make_tool("a", name="N", description="D d.", keywords=("k one", "two"))
    assert template_text("plaza", tool) == "N D d. k one two"
    assert template_text("plaza", replace(tool, keywords=())) == "N D d."


@pytest.mark.requirement("S0-03")
def test_every_stored_vector_has_norm_one(stored):
    assert np.abs(np.linalg.norm(stored.store.vectors, axis=1) - 1).max() < 1e-5


@pytest.mark.requirement("S0-08")
def test_an_unchanged_catalog_encodes_no_tool_again(encoder, stored):
    encoder.texts.clear()
    again = made(encoder, before=stored)
    assert encoder.texts == []
    assert again.store.vectors.tolist() == stored.store.vectors.tolist()


@pytest.mark.requirement("S1-21")
def test_only_new_and_changed_texts_are_encoded(encoder, stored):
    encoder.texts.clear()
    tools = (*TOOLS[1:], make_tool("new", domain="x"), replace(TOOLS[0], description="other"))
    again = made(encoder, tools, before=stored)
    assert sorted(encoder.texts) == [
        "new: what new does (domain: x)",
        "tool0: other (domain: lung)",
    ]
    plain = made(encoder, tools)
    assert again.store.vectors.tolist() == plain.store.vectors.tolist()


@pytest.mark.requirement("W8")
def test_vectors_of_another_model_template_or_width_are_not_reused(encoder, stored):
    for before in (
        replace(stored, meta=replace(stored.meta, model="other")),
        replace(stored, meta=replace(stored.meta, template="plaza")),
        replace(stored, meta=replace(stored.meta, dim=384)),
    ):
        encoder.texts.clear()
        made(encoder, before=before)
        assert len(encoder.texts) == len(TOOLS) + 2


def test_the_vocabulary_is_encoded_once(encoder, stored):
    encoder.texts.clear()
    again = made(encoder, before=stored, terms=("brain", "heart", "lung"))
    assert encoder.texts == ["heart"]
    assert np.allclose(again.term_vectors, encoder.encode(["brain", "heart", "lung"]), atol=1e-6)


def test_two_tools_of_one_text_share_a_vector(encoder):
    twins = [
        make_tool("a", name="same", description="x"),
        make_tool("b", name="same", description="x"),
    ]
    vectors = made(encoder, twins).store.vectors
    assert vectors[0].tolist() == vectors[1].tolist()


@pytest.mark.requirement("W8")
def test_a_change_of_the_demo_link_alone_is_an_update():
    before, now = {"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "changed", "d": "4"}
    told = changes(before, now)
    assert (told.kept, told.added, told.updated, told.removed) == (1, 1, 1, 1)
    assert told.any
    assert not changes(now, now).any


class Long(HashingEncoder):
    """An encoder that normalises nothing and learns its width from what it gives."""

    dim = 0

    def encode(self, texts, batch_size=32):
        return np.tile(np.array([0.0, 2.0, 0.0], dtype=np.float32), (len(texts), 1))


def test_5_3_vectors_of_any_length_are_stored_with_norm_one_and_their_width_is_seen():
    index = made(Long())
    assert index.meta.dim == 3
    assert index.store.vectors.tolist() == [[0.0, 1.0, 0.0]] * len(TOOLS)
    assert np.linalg.norm(index.term_vectors, axis=1).tolist() == [1.0] * len(index.terms)
