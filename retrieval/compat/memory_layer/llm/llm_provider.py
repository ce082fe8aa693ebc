"""A language model at a provider, made before its key is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrieval.core.errors import StageUnavailable
from retrieval.llm import LLMProvider as Provider
from retrieval.llm.provider import NEEDS_KEY
from retrieval.settings import read_settings


class LLMProvider(Provider):
    """A provider (S4-13) whose key, where none is given, is that of the settings.

    Without any key it can be made, and every call says what is missing.
    """

    def __init__(
        self,
        provider_type: str,
        model: str,
        api_key: str | None = None,
        base_url: str | None = None,
        temperature: float = 0.0,
    ) -> None:
        key = api_key or read_settings().llm_api_key.get_secret_value()
        self._missing = not key and provider_type in NEEDS_KEY
        super().__init__(
            provider_type, model, "none" if self._missing else key, base_url, temperature
        )

    def complete(
        self,
        prompt: str,
        *,
        schema: dict[str, Any] | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        """The answer's text; raises StageUnavailable when there is no key for it."""
        if self._missing:
            raise StageUnavailable(
                f"api_key: {self.provider_type} needs a key; give one, or set SCANSCOUT_LLM_API_KEY"
            )
        return super().complete(prompt, schema=schema, images=images, seconds=seconds, meter=meter)
