"""``RagAgentSelector``: the agent for a question, selected by the agents' descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from msgspec.structs import replace

from retrieval.ask import NOBODY, Answerer, Choice, Selector
from retrieval.compat.biochatter.llm_connect import Factory, model_of
from retrieval.compat.biochatter.rag_agent import OFF, RagAgent, Response
from retrieval.core import BadInput, Fact, Stage, StageResult, StageUnavailable, State
from retrieval.databases import interpreted
from retrieval.graphdb import Reflexion

__all__ = ["RagAgentSelector", "Reflexion", "SelectorResult"]


@dataclass(frozen=True, slots=True)
class SelectorResult:
    """The answer, the agent's responses, and the choice with its reason; empty without a choice."""

    answer: str = ""
    tool_result: list[Response] = field(default_factory=list)
    choice: Choice = field(default_factory=lambda: Choice(answerer=NOBODY, reason=""))
    reason: str = ""


@dataclass(frozen=True)
class _AgentStage:
    """A RagAgent as a stage; its responses stay in ``last_response``."""

    agent: RagAgent

    @property
    def name(self) -> str:
        return str(self.agent.mode)

    def run(self, state: State) -> StageResult:
        """Its texts as facts. Raises StageUnavailable when it has none, with its reason."""
        try:
            responses = self.agent.generate_responses(state.query.text)
        except BadInput as exc:
            raise StageUnavailable(str(exc)) from exc
        texts = [text for text, metadata in responses if text and metadata != "error"]
        if not texts:
            raise StageUnavailable(self.agent.reason or "it found nothing")
        facts = [
            Fact(id=f"{self.name} {n}", text=text, kind="record", source=self.name)
            for n, text in enumerate(texts, start=1)
        ]
        after = replace(state, evidence=state.evidence.with_facts(facts))
        return StageResult(name=self.name, state=after, note=f"{len(facts)} texts")


class RagAgentSelector:
    """One pass: select an agent, run it, compose an answer. ``wanted`` names the agent instead."""

    def __init__(
        self, rag_agents: Sequence[RagAgent], conversation_factory: Factory | None = None
    ) -> None:
        self.rag_agents = list(rag_agents)
        self._model = model_of(conversation_factory)

    def execute(self, question: str, wanted: str | None = None) -> SelectorResult:
        """The answer to a question; for an unknown choice an empty one with the reason.

        An agent that is switched off (``use_prompt=False``) is not offered to the model.
        Where no model answers, the texts of the agent are the answer, with the reason.
        """
        if not self.rag_agents:
            raise BadInput("rag_agents: there is none; give at least one")
        by_mode = {
            str(agent.mode): agent
            for agent in self.rag_agents
            if agent.use_prompt or agent.mode == wanted
        }
        if not by_mode:
            return SelectorResult(reason=f"every agent is switched off: {OFF}")
        agents = {
            name: Answerer(
                name=name,
                description=agent.get_description(),
                stage=cast(Stage, _AgentStage(agent)),
            )
            for name, agent in by_mode.items()
        }
        selection = Selector(agents, self._model).run(question, wanted=wanted)
        if not selection.choice.answerer:
            return SelectorResult(choice=selection.choice, reason=selection.choice.reason)
        facts = selection.result.state.evidence.facts
        responses = by_mode[selection.choice.answerer].last_response
        if not facts:
            return SelectorResult("", responses, selection.choice, selection.result.note)
        name, context = selection.choice.answerer, "\n".join(fact.text for fact in facts)
        try:
            answer = interpreted(self._model, question, context, title=name)
        except StageUnavailable as exc:
            return SelectorResult(context, responses, selection.choice, f"told as found: {exc}")
        return SelectorResult(answer, responses, selection.choice)
