"""From settings to a language model, to what it may cost, and to what would be sent to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from retrieval.build.modes import all_modes
from retrieval.build.parts import Parts, Sizes
from retrieval.core.budget import Budget, Limits, Prices
from retrieval.core.deadline import Deadline
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.guard import OutsideCalls
from retrieval.core.ports import LanguageModel
from retrieval.core.stage import finish, progress
from retrieval.core.types import Query, State, select
from retrieval.llm import (
    ADDRESSES,
    PURPOSE,
    LLMProvider,
    Outgoing,
    Preview,
    ScriptedFile,
    load_library,
)
from retrieval.settings import Settings

SCRIPTED = "scripted"


def language_model(settings: Settings, guard: OutsideCalls) -> LanguageModel | None:
    """The configured language model; None when none is, one that says why when it cannot be."""
    try:
        if settings.llm_script is not None:
            return ScriptedFile(settings.llm_script)
        return _provider(settings, guard) if _named(settings) else None
    except BadInput as exc:
        return Absent(f"the language model cannot be used: {exc}")


def outside_purposes(settings: Settings) -> frozenset[str]:
    """What language models may call out for: nothing, while none of a server is configured."""
    asked = settings.llm_script is None and _named(settings)
    return frozenset([PURPOSE]) if asked else frozenset()


def language_model_told(settings: Settings) -> str:
    """What the page says is on: ``scripted``, or model and host; empty when nothing is."""
    if settings.llm_script is not None:
        return SCRIPTED
    return f"{settings.llm_model} at {_host(settings)}" if _named(settings) else ""


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
    parts: Parts,
    sizes: Sizes,
    *,
    query: Query,
    mode: str = "hybrid",
    images: Sequence[bytes] = (),
) -> Outgoing | None:
    """The first thing a query would send to the language model; nothing is sent.

    The mode runs here up to that point. None when it would send nothing, or no model is on.
    What comes after an answer depends on the answer, and is not known before it.
    """
    if not language_model_told(settings):
        return None
    scripted = settings.llm_script is not None
    seen = Preview(SCRIPTED, "") if scripted else Preview(settings.llm_model, _host(settings))
    pipeline = all_modes(replace(parts, language_model=seen), sizes)[mode].pipeline
    state = State(
        query=query,
        selection=select(parts.tools.values(), query),
        deadline=Deadline.after(settings.query_seconds),
        images=tuple(images),
    )
    finish(progress(pipeline, state, root=True))
    return seen.seen[0] if seen.seen else None


def _named(settings: Settings) -> bool:
    return bool(settings.llm_model and (settings.llm_base_url or settings.llm_provider))


def _host(settings: Settings) -> str:
    address = settings.llm_base_url or ADDRESSES.get(settings.llm_provider, "")
    return urlsplit(address).hostname or ""


def _provider(settings: Settings, guard: OutsideCalls) -> LLMProvider:
    key = settings.llm_api_key.get_secret_value()
    if not key and settings.llm_provider == "huggingface":
        key = settings.hf_token.get_secret_value()
    threading.Thread(target=_loaded, daemon=True, name="language model client").start()
    return LLMProvider(
        settings.llm_provider or "compatible",
        settings.llm_model,
        key,
        settings.llm_base_url,
        guard=guard,
        seconds=settings.llm_seconds,
    )


def _loaded() -> None:
    """Load the client before the first question comes; what is missing is said then."""
    with suppress(StageUnavailable):
        load_library()


class Absent:
    """Stands for a model that cannot be used; every call says why."""

    id = "none"

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def complete(
        self,
        prompt: str,
        *,
        schema: dict[str, Any] | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        """Always raises StageUnavailable."""
        raise StageUnavailable(self._reason)
