"""The stage that reads a query in another language as the concepts it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from retrieval.core.ports import Annotator
from retrieval.core.stage import StageResult
from retrieval.core.types import State


@dataclass(frozen=True)
class Read:
    """Adds the English labels of what a text names in Chinese, Spanish, French and so on.

    ``full`` knows all languages, ``english`` only English: what the first finds and the second
    does not was said in another language, and the whole is then read as labels. An English text
    is left as it is.
    """

    full: Annotator | None
    english: Annotator | None
    labels: Mapping[str, str]
    name: str = "read"

    def run(self, state: State) -> StageResult:
        """The state with ``query.reading`` filled; the note tells the reading."""
        if self.full is None or self.english is None:
            return StageResult(name=self.name, state=state, note="no concepts here", listed=False)
        found = self.full.concepts(state.query.text)
        plain = set(self.english.concepts(state.query.text))
        foreign = [concept for concept in found if concept not in plain]
        told = found if foreign else ()
        reading = tuple(dict.fromkeys(self.labels.get(c, c.split(":", 1)[-1]) for c in told))
        note = f"read as: {', '.join(reading)}" if reading else "read as it stands"
        state = replace(state, query=replace(state.query, reading=reading))
        return StageResult(name=self.name, state=state, note=note, listed=False)
