"""The stage that adds what the files are to what was typed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from retrieval.core import IN_PART, Query, StageResult, StageUnavailable, State


@dataclass(frozen=True)
class Enrich:
    """Adds the tokens of every scan, in order and once, less those the user took away."""

    name: str = "enrich"

    def run(self, state: State) -> StageResult:
        """The state with the query's tokens filled; the note says which came from files."""
        if "tokens" in state.query.off:
            raise StageUnavailable("switched off for this search: no tokens are added")
        query = with_tokens(state.query)
        note = f"added {' '.join(query.tokens)}" if query.tokens else "no file, no tokens"
        if not all(scan.whole for scan in query.scans):
            note = f"{note}; {IN_PART}"
        state = replace(state, query=query)
        return StageResult(name=self.name, state=state, note=note, listed=False)


def with_tokens(query: Query) -> Query:
    """The query with the tokens of its scans joined to those it was given (S1-03)."""
    told = (token for scan in query.scans for token in scan.tokens)
    union = dict.fromkeys((*query.tokens, *told))
    return replace(query, tokens=tuple(t for t in union if t not in query.muted_tokens))
