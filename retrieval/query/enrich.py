"""The stage that adds format tokens of the files to the query."""

from __future__ import annotations

from dataclasses import dataclass, replace

from retrieval.core import Query, StageResult, StageUnavailable, State

IN_PART = "the scan was read in part: reading ended before all of its files were read"


@dataclass(frozen=True)
class Enrich:
    """Adds the tokens of every scan, in order and once, without those the user removed."""

    name: str = "enrich"

    def run(self, state: State) -> StageResult:
        """The state with the query's tokens filled; the note says which came from files."""
        if "tokens" in state.query.off:
            raise StageUnavailable("switched off for this search: no tokens are added")
        query = with_tokens(state.query)
        note = f"added {' '.join(query.tokens)}" if query.tokens else "no file, no tokens"
        if not all(scan.complete for scan in query.scans):
            note = f"{note}; {IN_PART}"
        state = replace(state, query=query)
        return StageResult(name=self.name, state=state, note=note, listed=False)


def with_tokens(query: Query) -> Query:
    """The query with the tokens of its scans after its own (S1-03)."""
    of_scans = (token for scan in query.scans for token in scan.tokens)
    union = dict.fromkeys((*query.tokens, *of_scans))
    return replace(query, tokens=tuple(t for t in union if t not in query.muted_tokens))
