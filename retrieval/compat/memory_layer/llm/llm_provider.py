"""A language model at a provider, which may be constructed without a key."""

from __future__ import annotations

from retrieval.core import StageUnavailable
from retrieval.llm import ADDRESSES, NEEDS_KEY, OpenAICompatible
from retrieval.llm import LLMProvider as Provider
from retrieval.settings import read_settings

LONGEST_CALL = 600.0
"""Seconds; the time limit of a retrieval, 60 s by default, ends its calls before."""


class LLMProvider(Provider):
    """A provider (S4-13) whose key, where none is given, is that of the settings for its address.

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
        key = api_key
        if not key:
            settings = read_settings()
            address = base_url or ADDRESSES.get(provider_type, "")
            provider = settings.llm_provider or provider_type
            usual = settings.llm_base_url or ADDRESSES.get(provider, "")
            # The key is sent to no other address than the one it was set for.
            same = address.rstrip("/") == usual.rstrip("/")
            key = settings.llm_api_key.get_secret_value() if same else ""
        self._missing = not key and provider_type in NEEDS_KEY
        super().__init__(
            provider_type,
            model,
            "none" if self._missing else key,
            base_url,
            temperature,
            seconds=LONGEST_CALL,
        )

    def client(self) -> OpenAICompatible:
        """What calls go through; raises StageUnavailable when there is no key for it."""
        if self._missing:
            raise StageUnavailable(
                f"api_key: {self.provider_type} needs a key; give one, or set SCANSCOUT_LLM_API_KEY"
                " and the same address in SCANSCOUT_LLM_BASE_URL"
            )
        return super().client()
