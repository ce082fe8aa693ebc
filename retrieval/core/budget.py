"""What language models may cost one query, and what they did cost."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

BYTES_A_TOKEN = 3
"""A careful guess for text whose tokeniser is not known here."""


def guess_tokens(text: str) -> int:
    """About how many tokens a text has; rather too many than too few."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What the person who runs this pays per million tokens, in any currency; 0 is not known."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """The cost of so many tokens."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that one query may use; None asks nothing."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What was used: calls, tokens in and out, their cost, and milliseconds waited."""

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
        """The same under the names that a stage's metrics use; empty without a call."""
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
    """A tally with limits, safe between threads; what is used here is used in ``within`` too.

    One budget serves a whole query; a stage opens its own inside it to know its share.
    Tokens of calls under way are held back, so that concurrent calls cannot overdraw.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        prices: Prices | None = None,
        within: Budget | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._prices: Prices = prices or (within._prices if within else Prices())
        self._within = within
        self._lock = threading.Lock()
        self._used, self._held = Usage(), Usage()

    @property
    def used(self) -> Usage:
        """Everything used so far."""
        with self._lock:
            return self._used

    def take(self, tokens_in: int, tokens_out: int) -> str:
        """Count one call of at most so many tokens; or the reason why it may not be made."""
        reason = self._within.take(tokens_in, tokens_out) if self._within else ""
        if reason:
            return reason
        with self._lock:
            reason = self._refusal(tokens_in, tokens_out)
            if not reason:
                self._used = replace(self._used, calls=self._used.calls + 1)
                self._held = self._more(self._held, tokens_in, tokens_out)
                return ""
        if self._within:
            self._within.give_back(tokens_in, tokens_out)
        return reason

    def give_back(self, tokens_in: int, tokens_out: int) -> None:
        """Undo a ``take`` whose call was not made."""
        with self._lock:
            self._used = replace(self._used, calls=self._used.calls - 1)
            self._held = self._more(self._held, -tokens_in, -tokens_out)
        if self._within:
            self._within.give_back(tokens_in, tokens_out)

    def settle(self, taken: tuple[int, int], spent: tuple[int, int], ms: float) -> None:
        """Put what a call did use in the place of what was held back for it."""
        with self._lock:
            self._held = self._more(self._held, -taken[0], -taken[1])
            used = self._more(self._used, *spent)
            self._used = replace(used, ms=used.ms + ms)
        if self._within:
            self._within.settle(taken, spent, ms)

    def _more(self, usage: Usage, tokens_in: int, tokens_out: int) -> Usage:
        told = replace(
            usage,
            tokens_in=usage.tokens_in + tokens_in,
            tokens_out=usage.tokens_out + tokens_out,
        )
        return replace(told, cost=self._prices.of(told.tokens_in, told.tokens_out))

    def _refusal(self, tokens_in: int, tokens_out: int) -> str:
        asked = self._more(self._held, tokens_in, tokens_out)
        used, limits = self._used, self._limits
        sums: tuple[tuple[str, float, float, float | None], ...] = (
            ("calls", used.calls, 1, limits.calls),
            ("tokens", used.tokens, asked.tokens, limits.tokens),
            ("cost", used.cost, asked.cost, limits.cost),
        )
        for what, spent, more, limit in sums:
            if limit is not None and spent + more > limit:
                return (
                    f"the language model's budget for this query is used up ({what}: "
                    f"{spent:g} of {limit:g}, and one more call may need {more:g})"
                )
        return ""
