"""The walk that scores: by setting, all triples near the names are read and none is chosen."""

from __future__ import annotations

from retrieval.settings import Settings
from retrieval.wiring.questions.question_engine import QuestionEngine, open_question_engine
from retrieval.wiring.questions.response import Response
from tests.fakes import HashingEncoder, ScriptedModel, make_tool

TOOLS = (
    make_tool("fsl", requires_tool=("dcm2niix",), license="MIT"),
    make_tool("dcm2niix", license="BSD-3-Clause"),
)
ENTITIES = "<entities>\nfsl\n</entities>"
STOP = "<task-completion>FINISH</task-completion>"
QUESTION = "Tell me of the frobnicator."
OFFER = "relations that lead on"
"""Words of the prompt by which a guided walk asks a model."""


def asked() -> tuple[Response, ScriptedModel]:
    """A question to the graph of the settings, and the model that was asked on the way."""
    opened = open_question_engine(Settings(_env_file=None), TOOLS, encoder=HashingEncoder())
    model = ScriptedModel(ENTITIES, *[STOP] * 5)
    return QuestionEngine(opened.graph, model=model).ask(QUESTION, answerer="graph"), model


def test_the_setting_scores_the_triples_and_asks_the_model_for_no_relation(monkeypatch) -> None:
    monkeypatch.setenv("SCANSCOUT_ASK_WALK", "scored")
    response, model = asked()
    texts = [fact.text for fact in response.evidence.facts]
    assert "fsl requires tool dcm2niix" in texts
    assert any("dcm2niix" in text and "BSD-3-Clause" in text for text in texts)
    assert not any(OFFER in prompt for prompt in model.prompts)


def test_without_the_setting_the_model_guides_the_walk(monkeypatch) -> None:
    monkeypatch.delenv("SCANSCOUT_ASK_WALK", raising=False)
    _, model = asked()
    assert any(OFFER in prompt for prompt in model.prompts)
