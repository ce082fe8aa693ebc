"""Language models as BYOKG-RAG calls them, and our port over them."""

from __future__ import annotations

from typing import Any, Protocol

from retrieval.llm import LanguageModel


class LLMGenerator(Protocol):
    """Anything that turns a prompt into text."""

    def generate(self, prompt: str) -> str:
        """The reply."""
        ...


class ModelGenerator:
    """One of our language models as a generator."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def generate(self, prompt: str) -> str:
        """The model's answer to the prompt."""
        return self._model.complete(prompt)


class GeneratedModel:
    """A generator as one of our language models."""

    id = "generator"

    def __init__(self, generator: LLMGenerator | LanguageModel) -> None:
        self._generator = generator

    def complete(self, prompt: str, **options: Any) -> str:  # noqa: ANN401 - as in the port
        """The generator's reply; what it cannot know of is left out."""
        if hasattr(self._generator, "generate"):
            return str(self._generator.generate(prompt))
        return self._generator.complete(prompt, **options)
