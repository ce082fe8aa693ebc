"""The engine over small parts: modes, fallbacks, exclusions, snapshots, logs."""

from __future__ import annotations

import logging

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.errors import BadInput
from retrieval.core.types import Filters, ScanInfo
from retrieval.engine.engine import Engine
from retrieval.engine.source import FixedSnapshot
from retrieval.lexical import Bm25Index
from retrieval.rerank.cross_encoder import LazyScorer
from retrieval.wiring.parts import Sizes
from tests.fakes import (
    SMALL,
    HashingEncoder,
    ScriptedModel,
    ids,
    parts_of,
    small_engine,
    small_snapshot,
)

MODES = ("hybrid", "biocortex", "plaza", "keyword", "vector", "rrf", "anchored", "agentic")
CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
ENGINE = small_engine()
NO_VECTORS = {"vectors": None, "plaza_vectors": None, "terms": None, "no_vectors": "no weights"}


def shown(answer):
    return [node.name for node in answer.result.stages()]


@pytest.mark.requirement("S0-01")
def test_biocortex_has_exactly_three_named_stages_and_keeps_each_list():
    answer = ENGINE.run("segment lungs", "biocortex")
    assert [n for n in shown(answer) if "/" not in n] == ["vector search", "KG expansion", "rerank"]
    found = parts_of(answer.result)
    assert all(ids(found[name]) for name in ("vector search", "KG expansion", "rerank"))


def test_hybrid_shows_every_list_once_in_order():
    names = shown(ENGINE.run("segment lungs", scans=[CT]))
    told = (
        "fused/dense",
        "fused/bm25",
        "fused/late interaction",
        "fused",
        "graph",
        "tokens",
        "fit",
        "rerank/language model",
        "rerank/cross-encoder",
        "rerank",
    )
    assert len(names) == len(set(names))
    assert [name for name in names if name in told] == list(told)


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_answers_with_the_right_tool_among_the_first(mode):
    answer = ENGINE.run("segment lungs chest CT", mode)
    assert "lungmask" in ids(answer.candidates)[:2]
    assert answer.result.status in {"ok", "fallback"}
    assert answer.done


def test_the_modes_are_those_of_the_design_and_hybrid_comes_first():
    assert ENGINE.modes == MODES


@pytest.mark.parametrize("mode", ["hybrid", "biocortex", "plaza", "keyword", "rrf"])
@pytest.mark.requirement("S0-12")
def test_without_vectors_bm25_answers_and_the_fallback_is_named(mode):
    answer = small_engine(**NO_VECTORS).run("segment lungs", mode)
    assert "lungmask" in ids(answer.candidates)[:2]
    lost = [n for n in answer.result.walk() if n.name.endswith("dense") and not n.ran]
    assert mode == "keyword" or (lost and lost[0].note == "no weights")


@pytest.mark.requirement("S0-12")
def test_without_vectors_biocortex_keeps_the_order_of_bm25():
    answer = small_engine(**NO_VECTORS).run("finds lung nodules", "biocortex")
    found = parts_of(answer.result)
    assert found["vector search"].status == "fallback"
    assert ids(answer.candidates)[0] == ids(found["vector search"])[0] == "nodules"


@pytest.mark.requirement("S0-14")
def test_with_vector_search_off_the_vector_mode_is_empty_and_says_why():
    answer = small_engine(**{**NO_VECTORS, "no_vectors": "switched off by setting"}).run(
        "x", "vector"
    )
    assert ids(answer.candidates) == []
    assert parts_of(answer.result)["dense"].note == "switched off by setting"
    assert answer.reason == "no_suitable_tool"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.requirement("S1-05")
def test_an_excluded_tool_is_in_no_stage_and_not_in_the_graph(mode):
    answer = ENGINE.run("segment lungs chest CT [exclude:LungMask|runner]", mode)
    for node in answer.result.walk():
        assert not {"lungmask", "runner"} & set(ids(node))
        if node.graph:
            assert not {"lungmask", "runner"} & {n.id for n in node.graph.nodes}
    assert ids(answer.candidates)


class ByLength:
    """Finds long descriptions relevant."""

    id = "length"

    def scores(self, query, texts):
        return [float(len(text)) for text in texts]


@pytest.mark.requirement("S1-06")
def test_no_rerank_leaves_out_a_model_and_every_other_stage_stays():
    asked = small_engine(cross_encoder=LazyScorer(ByLength))
    answer = asked.run("segment lungs [NO_RERANK]", scans=[CT])
    found = parts_of(answer.result)
    assert ids(answer.candidates) == ids(ENGINE.run("segment lungs", scans=[CT]).candidates)
    assert ids(answer.candidates) != ids(asked.run("segment lungs", scans=[CT]).candidates)
    assert found["rerank"].status == "skipped"
    assert not any("cross-encoder" in name for name in found)


def test_a_model_reads_thirty_at_most_and_a_tool_that_cannot_work_stays_last():
    read = []

    class Reader(ByLength):
        def scores(self, query, texts):
            read.extend(texts)
            return super().scores(query, texts)

    asked = small_engine(cross_encoder=LazyScorer(Reader))
    answer = asked.run("segment", scans=[CT])
    assert 0 < len(read) <= 30
    fails = [any(f.verdict == "fail" for f in c.fit or ()) for c in answer.candidates]
    assert any(fails)
    assert fails == sorted(fails)
    scores = [c.score for c in answer.candidates]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.requirement("S1-24")
def test_plaza_without_reranking_gives_the_first_eight_by_retrieval():
    answer = ENGINE.run("segment lungs [NO_RERANK]", "plaza")
    assert ids(answer.candidates) == ids(parts_of(answer.result)["retrieval"])[:8]


@pytest.mark.requirement("S1-07")
def test_refine_asks_a_question_beside_the_results():
    answer = ENGINE.run("segment [REFINE]")
    assert answer.clarification is not None
    assert len(answer.clarification.options) >= 2
    assert ids(answer.candidates)
    assert ENGINE.run("segment").clarification is None


def test_an_answer_far_from_every_tool_is_marked_and_asks_back():
    answer = small_engine(floor=0.99).run("segment lungs")
    assert answer.low_confidence
    assert answer.clarification is not None
    assert not ENGINE.run("segment lungs").low_confidence


def test_filters_hold_in_every_stage():
    asked = Filters(licenses=frozenset({"MIT", "Apache-2.0"}))
    for mode in MODES:
        answer = ENGINE.run("segment volumes", mode, filters=asked)
        assert all(set(ids(node)) <= {"lungmask", "brainer"} for node in answer.result.walk())


@pytest.mark.parametrize(
    ("top_k", "expected"), [(1, 1), (3, 3), (50, len(SMALL)), (None, len(SMALL))]
)
def test_top_k_is_how_many_come_back(top_k, expected):
    assert len(ids(ENGINE.run("segment lungs", top_k=top_k).candidates)) == expected


@pytest.mark.requirement("S0-28")
def test_fifteen_is_the_default_and_can_be_set():
    assert Sizes().final == 15
    engine = small_engine(Sizes(final=2))
    assert all(
        len(ids(engine.run("segment lungs", m).candidates)) <= {"plaza": 8, "agentic": 20}.get(m, 2)
        for m in MODES
    )


def test_an_unknown_mode_names_itself_and_the_choices():
    with pytest.raises(
        BadInput, match="unknown mode 'hybird'; choose one of: hybrid, biocortex, plaza"
    ):
        ENGINE.run("x", "hybird")


@pytest.mark.parametrize("text", ["", "   ", "[NO_RERANK]", "[EXCLUDE:a] [REFINE]", "\x00\n"])
def test_nothing_to_look_for_is_refused_naming_the_field(text):
    with pytest.raises(BadInput, match="text: nothing to look for"):
        ENGINE.run(text)


def test_a_scan_alone_is_enough_to_search_with():
    answer = ENGINE.run("", scans=[CT])
    assert "lungmask" in ids(answer.candidates)[:2]
    assert answer.query.search_text == "format:DICOM format:CT format:3D"


def test_refused_files_alone_give_their_reason():
    assert ENGINE.run("", refused=["a refusal"]).reason == "invalid_files"
    assert ENGINE.run("segment lungs", refused=["a refusal"]).reason is None


def test_a_scan_of_a_modality_that_nothing_found_can_read_gives_the_reason():
    scan = ScanInfo(format=Format.NIFTI, modality=Modality.US)
    answer = ENGINE.run("count cells", scans=[scan], filters=Filters(modalities=frozenset({"CT"})))
    assert answer.reason == "no_modality_match"


@pytest.mark.requirement("S0-31")
def test_the_list_of_the_last_stage_is_the_list_that_comes_back():
    answer = ENGINE.run("segment lungs", scans=[CT])
    assert ids(answer.candidates) == ids(parts_of(answer.result)["rerank"])


@pytest.mark.requirement("W13")
def test_nothing_recommended_is_banned_in_the_next_search():
    first, second = ENGINE.run("segment lungs"), ENGINE.run("segment lungs")
    assert ids(first.candidates) == ids(second.candidates)
    assert second.query.excluded == ()


@pytest.mark.requirement("W6")
def test_the_reranker_gets_the_tokens_of_the_scan():
    asked = []

    class Scorer:
        id = "seen"

        def scores(self, query, texts):
            asked.append(query)
            return [0.0] * len(texts)

    small_engine(cross_encoder=LazyScorer(Scorer)).run("segment lungs", scans=[CT])
    assert asked == ["segment lungs format:DICOM format:CT format:3D"]


@pytest.mark.requirement("S1-04")
def test_the_ledger_says_whether_each_stage_searched_with_tokens_or_weighed_them():
    weighed = ENGINE.run("segment lungs", scans=[CT])
    uses = {(r.stage, r.reader): r for r in weighed.ledger}
    assert uses["fused/dense", "sentence encoder"].text == "segment lungs"
    assert uses["tokens", "scan facts"].tokens == "weighed"
    assert {r.tokens for r in weighed.ledger if r.reader != "scan facts"} == {"none"}
    searched = ENGINE.run("segment lungs", "plaza", scans=[CT])
    [dense] = [r for r in searched.ledger if r.stage.endswith("found/dense")][:1]
    assert dense.text.endswith("format:DICOM format:CT format:3D")
    assert dense.tokens == "searched"
    assert all("format:CT" in a.query.search_text for a in (weighed, searched))


def test_a_stream_grows_and_only_its_last_answer_is_done():
    answers = list(ENGINE.stream("segment lungs"))
    assert [a.done for a in answers] == [False] * (len(answers) - 1) + [True]
    assert len(answers) > 6


def test_a_stream_under_way_keeps_the_snapshot_it_began_with():
    source = FixedSnapshot(small_snapshot())
    stream = Engine(source).stream("segment lungs")
    next(stream)
    source.snapshot = small_snapshot(bm25=Bm25Index(()), vectors=None)
    *_, last = stream
    assert "lungmask" in ids(last.candidates)
    assert not any(n.status == "failed" for n in last.result.walk())


@pytest.mark.requirement("S1-27")
def test_a_second_query_encodes_nothing_but_itself():
    encoder = HashingEncoder()
    engine = small_engine(encoder=encoder)
    encoder.texts.clear()
    engine.run("segment lungs", "vector")
    assert encoder.texts == ["segment lungs"]


@pytest.mark.requirement("S1-32")
def test_the_same_query_gives_the_same_answer():
    one, other = ENGINE.run("segment lungs"), ENGINE.run("segment lungs")
    assert [ids(n) for n in one.result.walk()] == [ids(n) for n in other.result.walk()]
    assert [c.score for c in one.candidates] == [c.score for c in other.candidates]


@pytest.mark.requirement("S1-32")
def test_plaza_gives_the_same_list_twice_and_asks_no_language_model():
    model = ScriptedModel()
    engine = small_engine(language_model=model)
    one, other = (engine.run("segment lungs", "plaza") for _ in range(2))
    assert [(c.tool.id, c.score) for c in one.candidates] == [
        (c.tool.id, c.score) for c in other.candidates
    ]
    assert one.candidates
    assert model.prompts == []


def test_a_query_out_of_time_is_skipped_with_its_reason():
    engine = Engine(small_snapshot(), seconds=0.0)
    answer = engine.run("segment lungs")
    assert (answer.result.status, ids(answer.candidates)) == ("skipped", [])
    assert "time" in answer.result.note
    assert (answer.reason, [one.code for one in answer.limits]) == (None, ["time-used-up"])


@pytest.mark.requirement("S1-31")
def test_log_lines_name_stage_and_figures_but_no_query_above_debug(caplog):
    with caplog.at_level(logging.INFO):
        ENGINE.run("segment zanzibar lungs")
    told = {r.name: r.getMessage() for r in caplog.records}
    assert "top_score" in told["retriever.vector_index"]
    assert "avg_score" in told["retriever.pipeline"] or "Fewer than 8" in told["retriever.pipeline"]
    assert "zanzibar" not in caplog.text
    with caplog.at_level(logging.DEBUG):
        ENGINE.run("segment zanzibar lungs")
    assert "zanzibar" in caplog.text


@pytest.mark.requirement("S1-30")
def test_fewer_than_eight_candidates_are_logged(caplog):
    with caplog.at_level(logging.INFO, "retriever.pipeline"):
        ENGINE.run("segment lungs", top_k=3)
    assert "Final candidates: 3" in caplog.text
    assert "Fewer than 8 candidates: 3" in caplog.text
