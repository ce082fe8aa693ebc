"""Every port fails in every way under every mode, and the list still comes with the fault named."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dialogue.dialogue import Dialogue
from retrieval.engine.engine import Engine
from retrieval.engine.snapshot import Snapshot
from retrieval.explain.scope import (
    SIGNALS,
    Calibration,
    OutOfScopeExamples,
    ScopeEstimator,
    ScopeModel,
)
from retrieval.export.serialise import to_json
from retrieval.rerank.cross_encoder import LazyScorer
from retrieval.settings import ROOT
from retrieval.wiring.agentic import meaning_of
from retrieval.wiring.concepts import english
from retrieval.wiring.explaining import gap_judge
from retrieval.wiring.modes import NAMES, all_modes
from retrieval.wiring.parts import Parts, Sizes
from tests.fakes import SMALL, AllTokens, HashingEncoder, ScriptedModel, ids, small_parts

ERRORS = (StageUnavailable("it is gone"), KeyError("row"), TimeoutError(), MemoryError())
LOADED_BY = {"LazyScorer": "PairScorer"}
"""Classes that stand before a port and load it."""


def protocols():
    """Every protocol of the library, by name."""
    files = (ROOT / "retrieval").rglob("*.py")
    classes = (
        node
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    return {
        one.name
        for one in classes
        if any(isinstance(base, ast.Name) and base.id == "Protocol" for base in one.bases)
    }


def ports():
    """The fields of Parts by the protocol that each stands behind, as the code declares them."""
    behind = defaultdict(list)
    for name, annotation in Parts.__annotations__.items():
        words = [LOADED_BY.get(word, word) for word in re.findall(r"\w+", annotation)]
        for protocol in protocols() & set(words):
            behind[protocol].append(name)
    return {protocol: tuple(names) for protocol, names in sorted(behind.items())}


PORTS = ports()

NO_PORT = {
    "Agent": "an agent of a source system, which answers beside no search",
    "Annotations": "the part of an Annotator that a stage uses",
    "ByteStream": "an open file in the reader process, which has a boundary of its own",
    "Chooser": "the part of a LanguageModel that a walk uses",
    "LLMGenerator": "a name of a source system for a LanguageModel",
    "Mentions": "the part of an Annotator that a remark uses",
    "ModelBudget": "a count in this process",
    "ModelUsage": "a count in this process",
    "QueryStore": "fails in test_faults_at_every_door, behind questions",
    "Shelf": "documents of one visitor, which no search asks",
    "Signal": "a number of a stage, which is a boundary itself",
    "SnapshotSource": "without a snapshot there is no catalog to answer from",
    "Stage": "the boundary itself",
    "Tunable": "a LanguageModel whose answer length can be set",
}
"""Protocols that no field of Parts stands behind, each with the reason."""


class PairScores:
    """A PairScorer that counts shared letters."""

    def scores(self, query, texts):
        return [len(set(query) & set(text)) / 26 for text in texts]


class Failing:
    """A port that has its plain attributes and raises whatever it is asked to do."""

    def __init__(self, real, error):
        self._real, self._error = real, error

    def __getattr__(self, name):
        value = getattr(self._real, name)
        if not callable(value):
            return value

        def fail(*_, **__):
            raise self._error

        return fail


def engine_of(**ports):
    """An engine with scope, gaps and dialogue, and these ports in the place of the real ones."""
    parts = replace(small_parts(annotator=english(), english=english()), **ports)
    model = ScopeModel(weights=dict.fromkeys(SIGNALS, 0.0), bias=-1.0)
    scope = ScopeEstimator(
        encoder=parts.encoder,
        store=parts.vectors,
        terms=parts.terms.highest,
        calibration=Calibration(encoder="hashing", english=model, foreign=model),
        everyday=OutOfScopeExamples(encoder="hashing", vectors=np.eye(3, parts.encoder.dim)),
        coverage=lambda text: 0.5,
        words=parts.bm25.best_share,
        annotator=parts.annotator,
        graph=parts.graph,
    )
    snapshot = Snapshot(
        tools=parts.tools,
        modes=all_modes(parts, Sizes()),
        catalog_sha256="s",
        scope=scope,
        gaps=gap_judge(SMALL),
        dialogue=Dialogue(meaning_of(parts), parts.tools),
    )
    return Engine(snapshot)


def failing_parts(port, error):
    """The fields of Parts behind a port, each with something that fails."""
    parts = small_parts(annotator=english(), english=english(), language_model=ScriptedModel())
    special = {
        "TokenStore": lambda: Failing(AllTokens(HashingEncoder()), error),
        "PairScorer": LazyScorer(lambda: Failing(PairScores(), error)),
    }
    return {name: special.get(port) or Failing(getattr(parts, name), error) for name in PORTS[port]}


def failing_engine(port, error):
    return engine_of(**failing_parts(port, error))


def named_faults(answer):
    return {note["stage"]: note["reason"] for note in to_json(answer)["metadata"]["fallbacks"]}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("mode", NAMES)
def test_a_port_that_fails_leaves_the_list_and_is_named(mode, port, error):
    answer = failing_engine(port, error).run("segment lungs chest CT [REFINE]", mode)
    assert answer.done
    faults = named_faults(answer)
    # Vectors are all that this mode has; elsewhere another source finds the tool.
    if mode == "vector" and port in {"Encoder", "VectorStore"}:
        assert [node.note for node in answer.result.walk() if not node.ran and node.note]
    else:
        assert "lungmask" in ids(answer.candidates)
    if not isinstance(error, StageUnavailable) and port == "VectorStore" and mode != "keyword":
        assert {"scope"} <= faults.keys()


@pytest.mark.parametrize("error", ERRORS[1:], ids=lambda error: type(error).__name__)
def test_a_remark_that_fails_is_named_and_the_others_are_made(error):
    answer = failing_engine("VectorStore", error).run("segment lungs [REFINE]", "keyword")
    faults = named_faults(answer)
    assert faults["scope"] == "failed on a defect; see the log"
    assert answer.clarification is not None
    assert "gaps" not in faults


def test_every_protocol_of_the_library_fails_here_or_says_where_it_does():
    assert protocols() == PORTS.keys() | NO_PORT.keys()
    assert not PORTS.keys() & NO_PORT.keys()
    assert {"Encoder", "VectorStore", "TokenStore", "PairScorer"} <= PORTS.keys()


def test_an_engine_without_a_fault_names_none():
    answer = engine_of().run("segment lungs [REFINE]", "keyword")
    assert answer.insight.faults == ()
    assert answer.insight.confidence is not None
