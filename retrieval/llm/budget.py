"""Limits on what language models may cost one query, and a tally of what they did cost.

Prices are per million tokens. Tokens are estimated before a call and counted after it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from retrieval.core import ModelBudget

BYTES_A_TOKEN = 3
"""UTF-8 bytes per token. English prose has about 4; 3 leaves a margin for other tokenisers."""


def guess_tokens(text: str) -> int:
    """An upper estimate of the number of tokens in a text."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Price per million tokens, in any currency; 0 means that the price is unknown."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """The cost of a number of tokens."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper limits for one query; None is no limit."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Calls, tokens in and out, their cost, and milliseconds of waiting."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    ms: float = 0.0

    @property
    def tokens(self) -> int:
        """Tokens in both directions."""
        return self.tokens_in + self.tokens_out

    def metrics(self) -> dict[str, float]:
        """The figures under the names that a stage's metrics use; empty without a call."""
        if not self.calls:
            return {}
        return {
            "llm_calls": self.calls,
            "llm_tokens_in": self.tokens_in,
            "llm_tokens_out": self.tokens_out,
            "llm_cost": round(self.cost, 6),
            "llm_ms": round(self.ms, 3),
        }


class Budget:
    """A thread-safe tally with limits; usage counts against ``within`` too.

    One budget serves a query; a stage opens its own inside it to measure its share.
    Tokens of running calls are reserved, so that concurrent calls cannot exceed the limit.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        prices: Prices | None = None,
        within: ModelBudget | None = None,
    ) -> None:
        self._limits = limits or Limits()
        inherited = within.price if within else Prices().price
        self.price = prices.price if prices else inherited
        self._within = within
        self._lock = threading.Lock()
        self._used, self._reserved = Usage(), Usage()

    @property
    def used(self) -> Usage:
        """Total usage so far, without reserved tokens."""
        with self._lock:
            return self._used

    def take(self, tokens_in: int, tokens_out: int) -> str:
        """Reserve a call of at most this many tokens. Returns "" or the reason for a refusal."""
        reason = self._within.take(tokens_in, tokens_out) if self._within else ""
        if reason:
            return reason
        with self._lock:
            reason = self._refusal(tokens_in, tokens_out)
            if not reason:
                self._used = replace(self._used, calls=self._used.calls + 1)
                self._reserved = self._more(self._reserved, tokens_in, tokens_out)
                return ""
        if self._within:
            self._within.give_back(tokens_in, tokens_out)
        return reason

    def give_back(self, tokens_in: int, tokens_out: int) -> None:
        """Undo a ``take`` whose call did not happen."""
        with self._lock:
            self._used = replace(self._used, calls=self._used.calls - 1)
            self._reserved = self._more(self._reserved, -tokens_in, -tokens_out)
        if self._within:
            self._within.give_back(tokens_in, tokens_out)

    def settle(self, reserved: tuple[int, int], spent: tuple[int, int], ms: float) -> None:
        """Replace the tokens reserved for a call by those it used, (in, out), and add its time."""
        with self._lock:
            self._reserved = self._more(self._reserved, -reserved[0], -reserved[1])
            used = self._more(self._used, *spent)
            self._used = replace(used, ms=used.ms + ms)
        if self._within:
            self._within.settle(reserved, spent, ms)

    def _more(self, usage: Usage, tokens_in: int, tokens_out: int) -> Usage:
        tokens_in, tokens_out = usage.tokens_in + tokens_in, usage.tokens_out + tokens_out
        cost = self.price(tokens_in, tokens_out)
        return replace(usage, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost)

    def _refusal(self, tokens_in: int, tokens_out: int) -> str:
        request = self._more(self._reserved, tokens_in, tokens_out)
        used, limits = self._used, self._limits
        sums: tuple[tuple[str, float, float, float | None], ...] = (
            ("calls", used.calls, 1, limits.calls),
            ("tokens", used.tokens, request.tokens, limits.tokens),
            ("cost", used.cost, request.cost, limits.cost),
        )
        for unit, spent, more, limit in sums:
            if limit is not None and spent + more > limit:
                return (
                    f"the language model's budget for this query is used up ({unit}: "
                    f"{spent:g} of {limit:g}, and one more call may need {more:g})"
                )
        return ""
