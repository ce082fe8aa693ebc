"""From settings to a language model, to what it may cost, and to what would be sent to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from retrieval.core import BadInput, Query, StageUnavailable
from retrieval.dialogue import Wordsmith
from retrieval.engine import Engine, Snapshot
from retrieval.llm import (
    ADDRESSES,
    BEDROCK,
    PURPOSE,
    Budget,
    LanguageModel,
    Limits,
    LLMProvider,
    Outgoing,
    Preview,
    Prices,
    ScriptedFile,
    load_library,
    usual_address,
    usual_limits,
)
from retrieval.net import OutsideCalls
from retrieval.settings import Settings, variable
from retrieval.wiring.modes import modes_with
from retrieval.wiring.parts import Parts, Sizes

SCRIPTED = "scripted"

PROVIDER_SETTINGS = {
    "provider_type": "llm_provider",
    "model": "llm_model",
    "api_key": "llm_api_key",
    "base_url": "llm_base_url",
}
"""The setting that each argument of a provider comes from."""


def language_model(settings: Settings, guard: OutsideCalls) -> LanguageModel | None:
    """The configured language model; None when none is, one that says why when it cannot be."""
    try:
        if settings.llm_script is not None:
            return ScriptedFile(settings.llm_script)
        return _provider(settings, guard) if _named(settings) else None
    except BadInput as exc:
        field, mark, reason = str(exc).partition(": ")
        name = variable(PROVIDER_SETTINGS[field]) if field in PROVIDER_SETTINGS else field
        return Absent(f"the language model cannot be used: {name}{mark}{reason}")


def outside_purposes(settings: Settings) -> frozenset[str]:
    """What language models may call out for: nothing, while none of a server is configured."""
    addresses = settings.llm_script is None and _named(settings)
    return frozenset([PURPOSE]) if addresses else frozenset()


def language_model_told(settings: Settings) -> str:
    """What the page says is on: ``scripted``, or model and host; empty when nothing is."""
    if settings.llm_script is not None:
        return SCRIPTED
    return f"{settings.llm_model} at {_host(settings)}" if _named(settings) else ""


def call_limits(settings: Settings) -> tuple[float, int]:
    """Seconds of one call and tokens of tools in one prompt: as set, else by where the model is."""
    seconds, tokens = usual_limits(settings.llm_provider, settings.llm_base_url)
    return settings.llm_seconds or seconds, settings.llm_prompt_tokens or tokens


def query_budget(settings: Settings) -> Callable[[], Budget]:
    """Makes the budget of one query from the limits and prices that are set."""
    limits = Limits(
        calls=settings.llm_max_calls,
        tokens=settings.llm_max_tokens,
        cost=settings.llm_max_cost,
    )
    prices = Prices(tokens_in=settings.llm_price_in, tokens_out=settings.llm_price_out)
    return lambda: Budget(limits, prices=prices)


def preview_request(
    settings: Settings,
    snapshot: Snapshot,
    parts: Parts,
    sizes: Sizes,
    *,
    query: Query,
    mode: str = "hybrid",
    images: Sequence[bytes] = (),
    changes: Mapping[str, int] | None = None,
) -> Outgoing | None:
    """The first thing a query would send to the language model; nothing is sent.

    The query runs here with a model that keeps what it is asked and answers nothing. None when
    it would send nothing, or no model is on. ``changes`` are sizes of this search. What comes after
    an answer can depend on the answer. Raises BadInput where the query itself would.
    """
    if not language_model_told(settings):
        return None
    scripted = settings.llm_script is not None
    seen = Preview(SCRIPTED, "") if scripted else Preview(settings.llm_model, _host(settings))
    resized = partial(modes_with, replace(parts, language_model=seen), sizes, ())
    dialogue = snapshot.dialogue
    if dialogue is not None:
        dialogue = replace(dialogue, wordsmith=Wordsmith(seen, sizes.llm_seconds))
    engine = Engine(
        replace(snapshot, modes=resized({}), resized=resized, dialogue=dialogue),
        seconds=settings.query_seconds,
        floor=settings.floor,
        budget=query_budget(settings),
    )
    engine.run(query, mode, images=images, sizes=changes)
    outgoing = seen.outgoing
    prices = Prices(tokens_in=settings.llm_price_in, tokens_out=settings.llm_price_out)
    return outgoing and replace(
        outgoing, cost=prices.price(outgoing.tokens, settings.llm_answer_tokens)
    )


def _named(settings: Settings) -> bool:
    return bool(settings.llm_model and (settings.llm_base_url or _provider_name(settings)))


def _provider_name(settings: Settings) -> str:
    """The provider that is set; a region alone names the one that has regions."""
    region_alone = settings.llm_region and not settings.llm_base_url
    return settings.llm_provider or (BEDROCK if region_alone else "")


def _host(settings: Settings) -> str:
    usual = usual_address(_provider_name(settings), settings.llm_region)
    address = settings.llm_base_url or usual
    return urlsplit(address).hostname or ""


def _provider(settings: Settings, guard: OutsideCalls) -> LLMProvider:
    moved = [notice for notice in settings.withheld_keys if "LLM_API_KEY" in notice]
    if moved:
        raise BadInput(moved[0])
    provider = _provider_name(settings)
    if provider == BEDROCK and not (settings.llm_region or settings.llm_base_url):
        raise BadInput("SCANSCOUT_LLM_REGION: empty; bedrock needs one such as us-west-2")
    key = settings.llm_api_key.get_secret_value()
    # The token of the hub was set for the hub, not for an address that stands in its place.
    if not key and settings.llm_provider == "huggingface":
        hub = ADDRESSES[settings.llm_provider]
        if (settings.llm_base_url or hub).rstrip("/") == hub:
            key = settings.hf_token.get_secret_value()

    def warm_up() -> None:
        # Loaded before the first question comes; what is missing is said when it does.
        with suppress(StageUnavailable):
            load_library()

    threading.Thread(target=warm_up, daemon=True, name="language model client").start()
    return LLMProvider(
        provider or "compatible",
        settings.llm_model,
        key,
        settings.llm_base_url,
        guard=guard,
        seconds=call_limits(settings)[0],
        max_tokens=settings.llm_answer_tokens,
        retries=settings.llm_retries,
        region=settings.llm_region,
    )


class Absent:
    """Stands for a model that cannot be used; every call says why."""

    id = "none"

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def complete(self, prompt: str, **options: Any) -> str:  # noqa: ANN401 - as in the port
        """Always raises StageUnavailable."""
        raise StageUnavailable(self._reason)
