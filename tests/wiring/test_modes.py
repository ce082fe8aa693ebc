"""The pipelines of the modes, as they are written and as they run."""

from __future__ import annotations

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import ScanInfo
from retrieval.wiring.modes import NAMES
from tests.fakes import small_engine

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
ENGINE = small_engine()


def test_the_modes_offered_before_an_engine_is_loaded_are_those_it_has_in_that_order():
    assert ENGINE.modes == NAMES


@pytest.mark.parametrize("mode", ENGINE.modes)
def test_the_stages_of_a_mode_are_those_that_ran_in_their_order(mode):
    pipeline = ENGINE.current().modes[mode].pipeline
    answer = ENGINE.run("segment lungs", mode, scans=[CT])
    assert [n.name for n in answer.result.children] == [s.name for s in pipeline.stages]


@pytest.mark.parametrize("mode", ENGINE.modes)
def test_tokens_are_weighed_once_and_before_the_list_is_marked_reranked_or_cut(mode):
    names = [stage.name for stage in ENGINE.current().modes[mode].pipeline.stages]
    if mode == "plaza":  # searches with the tokens in the text, as its source does
        assert "tokens" not in names
        return
    assert names.count("tokens") == 1
    last = next(n for n, name in enumerate(names) if name in {"fit", "wishes", "rerank", "cut"})
    assert names[last - 1] == "tokens"


@pytest.mark.model
def test_16_5_without_a_model_here_no_mode_has_reranking_to_leave_out(engine):
    for mode in engine.modes:
        answer = engine.run("segment lungs [NO_RERANK]", mode)
        rerank = [n for n in answer.result.walk() if n.name.rsplit("/", 1)[-1] == "rerank"]
        assert all("there is nothing to leave out" in node.note for node in rerank), mode


@pytest.mark.model
@pytest.mark.parametrize("mode", ["hybrid", "biocortex"])
def test_16_6_the_expansion_ends_where_relevance_does(engine, mode):
    def size(text):
        stages = engine.run(text, mode).result.walk()
        return next(len(n.state.candidates) for n in stages if n.name in ("graph", "KG expansion"))

    texts = ("segment nuclei", "skull strip brain MRI", "TP53 mutation analysis", "view DICOM")
    sizes = {size(text) for text in (*texts, "track cells", "count colonies")}
    assert min(sizes) < 150
    assert max(sizes) <= 150
