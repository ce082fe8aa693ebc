"""Any OpenAI-compatible server behind the LanguageModel port."""

from __future__ import annotations

from typing import Any

from retrieval.core.errors import StageUnavailable
from retrieval.core.guard import OutsideCalls

PURPOSE = "language model"
MAX_ANSWER_TOKENS = 2000


class OpenAICompatible:
    """OpenAI, the Hugging Face router, vLLM, Ollama or llama.cpp, told apart by base URL.

    Every call asks the guard first; errors name neither key nor answer.
    """

    def __init__(
        self, *, base_url: str, model: str, api_key: str, guard: OutsideCalls, seconds: float = 8.0
    ) -> None:
        self._url, self._model, self._guard = base_url, model, guard
        try:
            import openai
        except ImportError as exc:
            raise StageUnavailable(
                "the package openai is missing; pip install 'scanscout[llm]'"
            ) from exc
        self._errors = openai.OpenAIError
        self._client = openai.OpenAI(
            base_url=base_url, api_key=api_key or "none", timeout=seconds, max_retries=1
        )

    @property
    def id(self) -> str:
        """The model's name."""
        return self._model

    def complete(self, prompt: str, *, schema: dict[str, Any] | None = None) -> str:
        """The model's answer to one prompt, at temperature 0."""
        self._guard.permit(PURPOSE, self._url)
        shape: Any = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
        extra = {"response_format": shape} if schema else {}
        try:
            answer = self._client.chat.completions.create(
                model=self._model,
                messages=[{"role": "user", "content": prompt}],
                temperature=0.0,
                max_tokens=MAX_ANSWER_TOKENS,
                **extra,
            )
        except self._errors as exc:
            raise StageUnavailable(
                f"the language model did not answer ({type(exc).__name__})"
            ) from exc
        return (answer.choices[0].message.content or "") if answer.choices else ""
