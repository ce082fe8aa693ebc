"""Where a language model is: the providers by name, their addresses and what they need."""

from __future__ import annotations

from typing import Literal, get_args
from urllib.parse import urlsplit

from retrieval.core import BadInput
from retrieval.llm.client import MAX_ANSWER_TOKENS, PURPOSE, OpenAICompatible
from retrieval.net import OutsideCalls, checked_address

ProviderType = Literal[
    "openai", "huggingface", "bedrock", "vllm", "ollama", "llama.cpp", "compatible"
]

ADDRESSES: dict[str, str] = {
    "openai": "https://api.openai.com/v1",
    "huggingface": "https://router.huggingface.co/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "llama.cpp": "http://127.0.0.1:8080/v1",
}
"""Base URLs used when none is given; ``compatible`` has none of its own."""

BEDROCK = "bedrock"
BEDROCK_ADDRESS = "https://bedrock-runtime.{region}.amazonaws.com/openai/v1"
"""Where a region of Amazon Bedrock answers as OpenAI does, with a Bedrock API key (AWS user guide,
"Invoke a model with the OpenAI Chat Completions API")."""


def usual_address(provider: str, region: str = "") -> str:
    """The base URL of a provider when none is given; empty where it has none."""
    if provider == BEDROCK:
        return BEDROCK_ADDRESS.format(region=region) if region else ""
    return ADDRESSES.get(provider, "")


HOSTED, LOCAL = (8.0, 30_000), (45.0, 3_000)
"""Seconds of one call, and tokens of tools in one prompt, where neither is set.

A server on this machine may run on a processor: of the 60 s of a query it gets three quarters, and
its prompt stays within the 4,096 tokens that Ollama and llama.cpp read unless they are told more.
"""

ON_THIS_MACHINE = frozenset({"vllm", "ollama", "llama.cpp"})


def usual_limits(provider: str, base_url: str) -> tuple[float, int]:
    """Seconds of one call and tokens of tools in one prompt, by where the model runs."""
    host = urlsplit(base_url).hostname or ""
    loopback = host == "localhost" or host.startswith("127.") or host == "::1"
    is_local = loopback if base_url else provider in ON_THIS_MACHINE
    return LOCAL if is_local else HOSTED


NEEDS_KEY = frozenset({"openai", "huggingface", BEDROCK})


class LLMProvider(OpenAICompatible):
    """A model at a provider (S4-13); a wrong field raises BadInput.

    A ``guard`` decides whether calls may leave. Whoever makes a provider by hand has decided:
    without one they may.
    """

    def __init__(
        self,
        provider_type: str,
        model: str,
        api_key: str = "",
        base_url: str | None = None,
        temperature: float = 0.0,
        *,
        guard: OutsideCalls | None = None,
        seconds: float = 8.0,
        max_tokens: int = MAX_ANSWER_TOKENS,
        retries: int = 1,
        region: str = "",
    ) -> None:
        providers = get_args(ProviderType)
        if provider_type not in providers:
            choices = ", ".join(providers)
            raise BadInput(
                f"provider_type: unknown {provider_type[:40]!r}; choose one of: {choices}"
            )
        if not model.strip():
            raise BadInput("model: empty; give the name the provider knows the model by")
        self.provider_type = provider_type
        super().__init__(
            base_url=checked_address(
                base_url or usual_address(provider_type, region),
                example="https://host/v1",
                secret="the key",
            ),
            model=model.strip(),
            api_key=_checked_key(api_key, provider_type),
            guard=guard or OutsideCalls(frozenset({PURPOSE})),
            seconds=seconds,
            temperature=temperature,
            max_tokens=max_tokens,
            retries=retries,
        )

    def __repr__(self) -> str:
        return f"LLMProvider({self.provider_type!r}, {self.model!r}, base_url={self.base_url!r})"

    @property
    def host(self) -> str:
        """The machine that prompts go to."""
        return urlsplit(self.base_url).hostname or ""


def _checked_key(api_key: str, provider_type: str) -> str:
    key = api_key.strip()
    if not key and provider_type in NEEDS_KEY:
        raise BadInput(f"api_key: {provider_type} needs a key; none was given")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise BadInput("api_key: holds a character that no key has; copy it again")
    return key
