"""How far a list of scores can be trusted: by the share of a request that its best record holds."""

from __future__ import annotations

from collections.abc import Iterable


def trust_of(best: float, needed: float) -> float:
    """From 0 to 1: the best score of a list as a share of the score that is needed, squared.

    Scaled to its best record, a list looks the same whether that record holds all that was asked
    or one word of it. Squared, half a request counts a quarter: over three fields better than the
    plain share, which is better than none (``benchmarks/levers.md``).
    """
    return min(1.0, best / needed) ** 2 if needed > 0 else 0.0


def rarity_needed(rarities: Iterable[float], rarest: float, terms_a_word: float = 1.0) -> float:
    """The sum of rarities of a sure find: all that is asked, or what tells a record from all.

    ``rarest`` is the rarity of a term that no record has, about the logarithm of the number of
    records: by chance no more than one record holds terms that add up to it. A word that gives
    several terms counts them all, so there ``terms_a_word`` multiplies it.
    """
    return min(sum(rarities), rarest * terms_a_word)
