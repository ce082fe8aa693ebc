"""Every port fails in every way through every door; each gives its answer and names the fault."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from retrieval.cohort.groups import stream_cohort
from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import DEFECT
from retrieval.core.types import ScanInfo
from retrieval.engine.engine import Engine
from retrieval.export.replay import replay_of
from retrieval.export.serialise import to_json
from retrieval.planning.plan import plan_of
from retrieval.scans.upload import Upload
from retrieval.settings import Settings
from retrieval.wiring.explaining import neighbours_of
from retrieval.wiring.language import preview_request
from retrieval.wiring.modes import NAMES
from retrieval.wiring.parts import Sizes
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.engine.test_faults_of_ports import (
    ERRORS,
    PORTS,
    Failing,
    engine_of,
    failing_engine,
    failing_parts,
)
from tests.fakes import SMALL, HashingEncoder, ScriptedModel, ids, small_parts

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
MR = replace(CT, modality=Modality.MRI)
TEXT = "segment lungs chest CT [REFINE]"
EVERY_ERROR = pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
EVERY_PORT = pytest.mark.parametrize("port", PORTS)


def searched(port, error, mode="hybrid"):
    """An engine whose port failed after a search, and that search's answer."""
    engine = engine_of()
    answer = engine.run(TEXT, mode)
    return failing_engine(port, error), answer


@EVERY_ERROR
@EVERY_PORT
@pytest.mark.parametrize("mode", NAMES)
def test_a_tool_is_explained_while_a_port_fails(mode, port, error):
    engine, answer = searched(port, error, mode)
    assert engine.explain(answer, "lungmask").tool.id == "lungmask"


@EVERY_ERROR
@EVERY_PORT
@pytest.mark.parametrize("lever", ["tokens", "graph", "fit", "rerank", "expansion"])
def test_a_lever_is_tried_while_a_port_fails(lever, port, error):
    engine, answer = searched(port, error)
    assert "lungmask" in {move.id for move in engine.what_if(answer, lever).moves if move.after}


@EVERY_ERROR
@pytest.mark.parametrize("port", ["encoder", "vectors", "graph"])
def test_similar_tools_are_listed_by_what_still_answers(port, error):
    parts = small_parts()
    failing = replace(parts, **{port: Failing(getattr(parts, port), error)})
    snapshot = replace(engine_of().current(), neighbours=neighbours_of(failing))
    similar = Engine(snapshot).similar("lungmask")
    assert similar.neighbours
    reason = str(error) if isinstance(error, StageUnavailable) else DEFECT
    kind = "paths" if port == "graph" else "meaning"
    assert similar.notes == (f"not compared by {kind}: {reason}",)


@EVERY_ERROR
@EVERY_PORT
@pytest.mark.parametrize("mode", ["hybrid", "biocortex", "agentic"])
def test_what_a_model_would_be_sent_is_shown_while_a_port_fails(mode, port, error):
    settings = Settings(_env_file=None, llm_base_url="http://127.0.0.1:9", llm_model="m")
    parts = small_parts(language_model=ScriptedModel())
    failing = replace(parts, **failing_parts(port, error))
    snapshot = failing_engine(port, error).current()
    query = engine_of().run(TEXT).query
    sent = preview_request(settings, snapshot, failing, Sizes(), query=query, mode=mode, images=())
    assert sent is not None
    assert "lungmask" in sent.text


@EVERY_ERROR
@EVERY_PORT
def test_every_kind_of_a_cohort_is_searched_while_a_port_fails(port, error):
    engine = failing_engine(port, error)
    uploads = [Upload(scans=(CT,)), Upload(scans=(CT, MR))]
    *_, cohort = stream_cohort(engine, TEXT, uploads)
    assert [len(group.answer.candidates) > 0 for group in cohort.groups] == [True, True]


@EVERY_ERROR
@EVERY_PORT
def test_a_plan_is_made_of_a_list_that_came_while_a_port_failed(port, error):
    answer = failing_engine(port, error).run(TEXT, scans=[CT])
    tools = {tool.id: tool for tool in SMALL}
    plan = plan_of(tools, answer.candidates[0].tool, CT, order=ids(answer.candidates))
    assert plan.steps


@EVERY_ERROR
@EVERY_PORT
def test_a_saved_search_is_run_again_while_a_port_fails(port, error):
    engine, answer = searched(port, error)
    replayed = replay_of(engine, to_json(answer))
    assert any(rank.now for rank in replayed.ranks)


@EVERY_ERROR
def test_a_remark_is_added_as_typed_where_it_cannot_be_read(error):
    engine, answer = searched("Annotator", error)
    change = engine.follow_up(answer.query, "in mouse brain")
    assert change.query.text == f"{answer.query.text} in mouse brain"
    assert change.understood[0].startswith("the remark was added as typed: ")


def asking(**failing):
    """Questions over SMALL, with failing parts in the place of those of these names."""
    graph = GraphParts.of(SMALL)
    if "encoder" in failing:
        graph = GraphParts.of(SMALL, encoder=Failing(HashingEncoder(), failing["encoder"]))
    if "store" in failing:

        def refuse():
            raise failing["store"]

        graph = replace(graph, stores={"Cypher": refuse, "SPARQL": refuse})
    if "reader" in failing:
        graph = replace(graph, reader=Failing(graph.reader, failing["reader"]))
    if "linker" in failing:
        graph = replace(graph, linker=Failing(graph.linker, failing["linker"]))
    model = Failing(ScriptedModel(), failing["model"]) if "model" in failing else None
    if "store" in failing:
        model = ScriptedModel(*["{}"] * 40)
    return QuestionEngine(graph, model=model)


@EVERY_ERROR
@pytest.mark.parametrize("port", ["encoder", "store", "reader", "linker", "model"])
def test_a_question_is_answered_or_refused_while_a_port_fails(port, error):
    response = asking(**{port: error}).ask("Which tools segment lungs?")
    assert response.done
    ran = [node for node in response.result.walk() if node.ran]
    assert ran
    if port in {"encoder", "model"}:
        assert response.evidence.answer
    if port in {"reader", "linker", "model"}:
        reason = str(error) if isinstance(error, StageUnavailable) else DEFECT
        told = [response.choice.reason, *(node.note for node in response.result.walk())]
        assert any(reason in note for note in told), told


def test_the_vectors_of_these_tests_differ_from_each_other():
    rows = HashingEncoder().encode([tool.description for tool in SMALL])
    assert len(np.unique(rows, axis=0)) == len(SMALL)
