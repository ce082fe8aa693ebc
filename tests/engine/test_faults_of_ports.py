"""Every port fails in every way under every mode, and the list still comes with the fault named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dialogue.dialogue import Dialogue
from retrieval.engine.engine import Engine
from retrieval.engine.snapshot import Snapshot
from retrieval.explain.scope import SIGNALS, Calibration, OutOfScopeExamples, ScopeEstimator
from retrieval.export.serialise import to_json
from retrieval.wiring.agentic import meaning_of
from retrieval.wiring.concepts import english
from retrieval.wiring.explaining import gap_judge
from retrieval.wiring.modes import NAMES, all_modes
from retrieval.wiring.parts import Sizes
from tests.fakes import SMALL, ScriptedModel, ids, small_parts

ERRORS = (StageUnavailable("it is gone"), KeyError("row"), TimeoutError(), MemoryError())
ENCODER = ("encoder", "plaza_encoder")
PORTS = {
    "encoder": ENCODER,
    "vectors": ("vectors", "plaza_vectors"),
    "graph": ("graph",),
    "annotator": ("annotator", "english"),
    "language model": ("language_model",),
}


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
    scope = ScopeEstimator(
        encoder=parts.encoder,
        store=parts.vectors,
        terms=parts.terms.cosines,
        calibration=Calibration(encoder="hashing", weights=dict.fromkeys(SIGNALS, 0.0), bias=-1.0),
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


def failing_engine(port, error):
    parts = small_parts(annotator=english(), english=english(), language_model=ScriptedModel())
    names = PORTS[port]
    return engine_of(**{name: Failing(getattr(parts, name), error) for name in names})


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
    if mode == "vector" and port in {"encoder", "vectors"}:
        assert [node.note for node in answer.result.walk() if not node.ran and node.note]
    else:
        assert "lungmask" in ids(answer.candidates)
    if not isinstance(error, StageUnavailable) and port == "vectors" and mode != "keyword":
        assert {"scope"} <= faults.keys()


@pytest.mark.parametrize("error", ERRORS[1:], ids=lambda error: type(error).__name__)
def test_a_remark_that_fails_is_named_and_the_others_are_made(error):
    answer = failing_engine("vectors", error).run("segment lungs [REFINE]", "keyword")
    faults = named_faults(answer)
    assert faults["scope"] == "failed on a defect; see the log"
    assert answer.clarification is not None
    assert "gaps" not in faults


def test_an_engine_without_a_fault_names_none():
    answer = engine_of().run("segment lungs [REFINE]", "keyword")
    assert answer.insight.faults == ()
    assert answer.insight.confidence is not None
