"""The record of web search in a list of tools: first where a query asks for it, else absent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from retrieval.core import Candidate, StageResult, State, Tool, Why
from retrieval.web.wording import choose

RECORD = "web_literature_search"
"""Id of the catalog record that stands for this layer."""


@dataclass(frozen=True)
class WebOffer:
    """Picks web search by the words of a query, from the same catalog as every other tool.

    Picked means offered: nothing is sent here. A catalog without the record is left as it is.
    """

    tools: Mapping[str, Tool]
    limit: int | None = 15
    name: str = "web"

    def run(self, state: State) -> StageResult:
        """The candidates with the record in front of them, or without it.

        With it, the list is cut to the limit again. The note says which words asked for it.
        """
        tool, picked = self.tools.get(RECORD), choose(state.query.text)
        others = tuple(c for c in state.candidates if c.tool.id != RECORD)
        if tool is None or picked is None or not state.selection.admits(RECORD):
            after = replace(state, candidates=others)
            return StageResult(name=self.name, state=after, listed=False)
        why = Why(kind="web", stage=state.path, text=f"You asked for “{picked.because}”")
        # The same score as the best of the others: the record is offered, not judged.
        top = max((c.score for c in others), default=1.0)
        first = Candidate(tool=tool, score=top).scored(state.path, top, why)
        limit = state.query.top_k or self.limit
        after = replace(state, candidates=(first, *others)[:limit])
        return StageResult(name=self.name, state=after, note=f"asks for: {picked.because}")
