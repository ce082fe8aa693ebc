"""A language model at a provider, made before its key is known."""

from __future__ import annotations

from retrieval.core.errors import StageUnavailable
from retrieval.llm import LLMProvider as Provider
from retrieval.llm import OpenAICompatible
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

    def client(self) -> OpenAICompatible:
        """What calls go through; raises StageUnavailable when there is no key for it."""
        if self._missing:
            raise StageUnavailable(
                f"api_key: {self.provider_type} needs a key; give one, or set SCANSCOUT_LLM_API_KEY"
            )
        return super().client()
