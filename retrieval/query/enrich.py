"""The stage that adds format tokens of the files to the query."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import Query, StageResult, State

IN_PART = "the scan was read in part: reading ended before all of its files were read"
LABEL_MAP = "label-map"
"""Note of a scan that is a map of labels."""
_LABELS = re.compile(
    r"\b(the|each|every|all|any|both|my|our|these|those|of|in|per|between|from|two|several)"
    r"(\s+)label(s?)\b(?!\s+(?:map|image|field|volume|file)s?\b)",
    re.IGNORECASE,
)
"""*Labels* as a noun: what is in such a file, and no task of whoever has it already."""
OFF = "switched off for this search: no tokens are added"


@dataclass(frozen=True)
class Enrich:
    """Adds the tokens of every scan, in order and once, without those the user removed.

    Where there is text, the tokens of facts (``format:``) are searched with only if ``in_text``;
    else what they add depends on the tool alone (``fit.TokenStage``), so that none that states one
    sinks (S1-04). Tokens of tasks are words to look for, unless the text names a task of its own:
    that files of diffusion suggest tractography says nothing of who wants to strip skulls. Without
    text the tokens are all there is.
    """

    in_text: bool = False

    reworded: Callable[[str], str] = str
    """The text to search with in place of the one typed; the note tells where it differs."""

    tasks: Callable[[str], Collection[str]] = lambda text: ()
    """The tokens of the tasks that a text names."""

    name: str = "enrich"

    def run(self, state: State) -> StageResult:
        """The state with the query's tokens filled; the note says which came from files."""
        off = "tokens" in state.query.off
        query = state.query if off else with_tokens(state.query)
        note = f"added {' '.join(query.tokens)}" if query.tokens else "no file, no tokens"
        searched = self.reworded(_of_files(query))
        if searched != query.text:
            query, note = replace(query, text=searched), f"searched as: {searched}; {note}"
        if not all(scan.complete for scan in query.scans):
            note = f"{note}; {IN_PART}"
        weighed = bool(query.text) and not self.in_text
        facts = frozenset(t for t in query.tokens if weighed and t.startswith("format:"))
        named = self.tasks(query.text) if query.text else ()
        tasks = [token for token in query.tokens if token.startswith("task:")]
        suggested = [token for token in tasks if named and token not in named]
        if suggested:
            note = f"{note}; not searched, since the text names a task: {' '.join(suggested)}"
        state = replace(state, query=replace(query, unsearched=facts.union(suggested)))
        if off:
            return StageResult(name=self.name, state=state, status="skipped", note=OFF)
        return StageResult(name=self.name, state=state, note=note, listed=False)


def _of_files(query: Query) -> str:
    """The text; where a file is a map of labels, its *labels* are called masks, as records do."""
    if not any(LABEL_MAP in scan.notes for scan in query.scans):
        return query.text
    return _LABELS.sub(r"\1\2mask\3", query.text)


def with_tokens(query: Query) -> Query:
    """The query with the tokens of its scans after its own (S1-03), all of them searched."""
    of_scans = (token for scan in query.scans for token in scan.tokens)
    union = dict.fromkeys((*query.tokens, *of_scans))
    tokens = tuple(token for token in union if token not in query.muted_tokens)
    return replace(query, tokens=tokens, unsearched=frozenset())
