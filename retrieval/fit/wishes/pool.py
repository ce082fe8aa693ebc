"""A search that goes deeper where few of its candidates state what is wished.

Wishes are weighed after a search. Of the 50 best tools for "segment organs, not in Python" nearly
all may be in Python, and what stands behind them would never come up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from msgspec import structs

from retrieval.core import (
    Combinator,
    Selection,
    Stage,
    StageResult,
    State,
    Tool,
    Wish,
    finish,
    parts_of,
    ranked,
)
from retrieval.fit.wishes.stage import contradictions
from retrieval.fit.wishes.stated import wish_fit

if TYPE_CHECKING:
    from collections.abc import Callable

ENOUGH = 15
"""Candidates that state every wish from which a search need not go deeper: as many as are shown."""

CACHED = 64
"""Sets of wishes whose tools are cached; every search of a session has its wishes again."""


@dataclass(frozen=True)
class Deeper(Combinator):
    """The candidates of a stage and, where few state every wish, the best of the tools that do.

    Where fewer than ENOUGH tools of the catalog state every wish, those that are silent count as
    well, so that a list is not empty because its first tools are hidden. ``name`` is the stage's.
    """

    stage: Stage
    tools: Mapping[str, Tool]

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the stage that searches."""
        return self.stage.name

    def stream(self, state: State) -> Iterator[StageResult]:
        """The stage's own results, and the last one again where it goes deeper."""
        result = None
        for result in parts_of(self.stage, state):
            yield result
        wishes = state.query.wishes
        if result is None or not result.ran or not wishes or state.uncut or state.depth:
            return
        aside = contradictions(wishes)
        # Without their words, which change no verdict.
        keep = self._keep(tuple(replace(wish, text="") for wish in wishes if wish not in aside))
        candidates = result.state.candidates
        if keep is None or sum(c.tool.id in keep for c in candidates) >= ENOUGH:
            return
        admitted = frozenset(id for id in keep if state.selection.admits(id))
        deeper = structs.replace(state, selection=Selection(keep=admitted), watched=False)
        again = finish(parts_of(self.stage, deeper))
        candidate_ids = {c.tool.id for c in candidates}
        new = (
            [c for c in again.state.candidates if c.tool.id not in candidate_ids]
            if again.ran
            else []
        )
        if new:
            note = f"{len(new)} more that state what is wished"
            yield structs.replace(
                result,
                state=structs.replace(result.state, candidates=ranked([*candidates, *new])),
                note="; ".join(part for part in (result.note, note) if part),
            )

    @cached_property
    def _keep(self) -> Callable[[tuple[Wish, ...]], frozenset[str] | None]:
        @lru_cache(maxsize=CACHED)
        def keep(wishes: tuple[Wish, ...]) -> frozenset[str] | None:
            """The tools that a deeper search may find; None where there is nothing to weigh."""
            verdicts = {
                id: {wish_fit(tool, wish).verdict for wish in wishes}
                for id, tool in self.tools.items()
            }
            stating = frozenset(id for id, v in verdicts.items() if v == {"pass"})
            if len(stating) < ENOUGH:
                stating = frozenset(id for id, v in verdicts.items() if "fail" not in v)
            return stating if wishes else None

        return keep
