"""Conversations by BioChatter's names, and any conversation as one of our language models."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from retrieval.compat.langchain.chain import ChatModel
from retrieval.core import StageUnavailable
from retrieval.llm import LanguageModel, LLMProvider, guess_tokens
from retrieval.net import OutsideCalls
from retrieval.settings import read_settings
from retrieval.wiring import language_model, outside_purposes

NOT_CONFIGURED = (
    "no language model is configured; set SCANSCOUT_LLM_BASE_URL and SCANSCOUT_LLM_MODEL, "
    "or call set_api_key"
)
CORRECTING = "correcting_agent_prompts"
FINE = "ok"
_FENCE = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)

RAG_PROMPTS = "rag_agent_prompts"
STATEMENTS = "Answer from these statements where they say something of the question:\n{statements}"
"""What stands before the agents' texts where ``prompts`` has nothing under RAG_PROMPTS."""

Factory = Callable[[], Any]
"""Makes a Conversation, a LanguageModel, or any object with BioChatter's ``query``."""


class Agent(Protocol):
    """What a conversation needs of a RagAgent."""

    mode: Any
    use_prompt: bool

    def generate_responses(self, question: str) -> list[tuple[str | None, Any]]:
        """Texts with their metadata; ``error`` is the metadata of a failure."""
        ...


class Conversation:
    """Messages to and from one language model: the one handed in, else that of the settings.

    ``model_name`` is used once a key is set by ``set_api_key``. ``correct`` lets the model look
    over each of its answers by the prompts under ``correcting_agent_prompts``. Every agent of
    ``rag_agents`` that is switched on answers a question first, and the model reads its texts.
    """

    def __init__(
        self,
        model_name: str = "",
        prompts: Mapping[str, Sequence[str]] | None = None,
        correct: bool = False,
        split_correction: bool = False,
        *,
        model: LanguageModel | None = None,
    ) -> None:
        self.model_name, self.prompts = model_name, dict(prompts or {})
        self.correct, self.split_correction = correct, split_correction
        self.messages: list[tuple[str, str]] = []
        self.rag_agents: list[Agent] = []
        self._model = model

    @property
    def language_model(self) -> LanguageModel:
        """The language model in use. Raises StageUnavailable where none is configured."""
        if self._model is None:
            settings = read_settings()
            self._model = language_model(settings, OutsideCalls(outside_purposes(settings)))
        if self._model is None:
            raise StageUnavailable(NOT_CONFIGURED)
        return self._model

    @property
    def chat(self) -> ChatModel:
        """The model as a link of a chain."""
        return ChatModel(lambda: self.language_model)

    def set_api_key(self, api_key: str, user: str | None = None) -> bool:
        """Talk to ``model_name`` at OpenAI with this key; False for an empty key.

        The call is the permission to connect: no setting is asked.
        """
        self.user = user
        if not api_key:
            return False
        self._model = LLMProvider("openai", self.model_name, api_key)
        return True

    def set_rag_agent(self, agent: Agent) -> None:
        """Add an agent, in place of one of the same mode."""
        index, _ = self.find_rag_agent(str(agent.mode))
        if index < 0:
            self.rag_agents.append(agent)
        else:
            self.rag_agents[index] = agent

    def find_rag_agent(self, mode: str) -> tuple[int, Agent | None]:
        """The agent of a mode and its place; -1 and None where there is none."""
        for index, agent in enumerate(self.rag_agents):
            if str(agent.mode) == mode:
                return index, agent
        return -1, None

    def append_system_message(self, message: str) -> None:
        """Add an instruction for the model."""
        self.messages.append(("system", message))

    def append_user_message(self, message: str) -> None:
        """Add a message of the user."""
        self.messages.append(("user", message))

    def append_ai_message(self, message: str) -> None:
        """Add a message of the model."""
        self.messages.append(("assistant", message))

    def reset(self) -> None:
        """Forget every message."""
        self.messages.clear()

    def query(self, text: str) -> tuple[str, dict[str, int], str | None]:
        """The answer, its token counts, and a correction if one was requested and needed.

        The whole conversation is sent; question and answer are added to it. Counts are those of
        the model, or estimates where it reports none. Raises StageUnavailable without an answer.
        """
        self._append_statements(text)
        self.append_user_message(text)
        prompt = "\n\n".join(f"{role}: {message}" for role, message in self.messages)
        answer, usage = self._complete(prompt)
        self.append_ai_message(answer)
        return answer, usage, self._correction(answer) if self.correct else None

    def _append_statements(self, question: str) -> None:
        """Add what the agents that are switched on say of a question."""
        statements = [
            text
            for agent in self.rag_agents
            if agent.use_prompt
            for text, metadata in agent.generate_responses(question)
            if text and metadata != "error"
        ]
        if statements:
            *first, last = self.prompts.get(RAG_PROMPTS) or (STATEMENTS,)
            for prompt in (*first, last.replace("{statements}", "\n".join(statements))):
                self.append_system_message(prompt)

    def _complete(self, prompt: str) -> tuple[str, dict[str, int]]:
        spent: list[tuple[int, int]] = []
        answer = self.language_model.complete(prompt, meter=lambda i, o: spent.append((i, o)))
        used = spent[-1] if spent else (guess_tokens(prompt), guess_tokens(answer))
        names = ("prompt_tokens", "completion_tokens", "total_tokens")
        return answer, dict(zip(names, (*used, sum(used)), strict=True))

    def _correction(self, answer: str) -> str | None:
        instructions = "\n".join(self.prompts.get(CORRECTING, ()))
        parts = answer.split(". ") if self.split_correction else [answer]
        replies = [
            self._complete(f"{instructions}\n\n{part}")[0].strip() for part in parts if part.strip()
        ]
        wrong = [one for one in replies if one.rstrip(".").casefold() != FINE]
        return " ".join(wrong) or None


class GptConversation(Conversation):
    """A conversation by the name that BioChatter's examples use."""


def default_factory() -> Conversation:
    """A conversation with the configured language model."""
    return GptConversation()


def model_of(factory: Factory | None) -> LanguageModel:
    """The language model behind the product of a factory, which is called for every reply."""
    return _FactoryModel(factory or default_factory)


class _FactoryModel:
    id = "conversation"

    def __init__(self, factory: Factory) -> None:
        self._factory = factory

    def complete(self, prompt: str, **options: Any) -> str:  # noqa: ANN401 - as in the port
        """The answer; one without JSON is converted to the schema."""
        conversation = self._factory()
        if isinstance(conversation, Conversation):
            conversation = conversation.language_model
        if getattr(type(conversation), "complete", None) is not None:
            text = conversation.complete(prompt, **options)
        else:
            text = conversation.query(prompt)[0]
        return shaped(str(text or ""), options.get("schema"))


def shaped(text: str, schema: dict[str, Any] | None) -> str:
    """A plain answer (``Gene,Disease``, a bare query) as JSON of a schema with one field.

    Unchanged for other schemas, and for text that already holds an object with that field. A fence
    of Markdown is removed; an array is split at commas and line breaks.
    """
    fields = (schema or {}).get("properties", {})
    if len(fields) != 1:
        return text
    name, spec = next(iter(fields.items()))
    if "{" in text and f'"{name}"' in text:
        return text
    fenced = _FENCE.search(text)
    bare = (fenced.group(1) if fenced else text).strip()
    if spec.get("type") == "array":
        elements = [part.strip(" \t\n.\"'[]") for part in re.split(r"[,\n]", bare)]
        return json.dumps({name: [part for part in elements if part]}, ensure_ascii=False)
    if spec.get("type") == "string" and bare:
        return json.dumps({name: bare}, ensure_ascii=False)
    return text
