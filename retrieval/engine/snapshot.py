"""What one query runs on: the modes, and everything they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.core import Encoder, Filters, Query, Selection, Stage, Tool
from retrieval.dialogue import Dialogue
from retrieval.explain import (
    GapJudge,
    KnownRequests,
    Neighbours,
    ScopeEstimator,
    ScoreScale,
    unmatched,
)
from retrieval.net import OutsideCalls
from retrieval.query import FilterTable, WishReader, select

SELECTIONS = 64
"""Filters and exclusions whose selections a snapshot caches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeFacts:
    """What an answer says of its mode; ``notices`` tell where it runs on something else than named.

    ``quiet`` marks a mode that never calls a language model.
    """

    name: str
    encoder: str
    notices: tuple[tuple[str, str, str], ...] = ()
    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode(ModeFacts):
    """A pipeline under a name."""

    pipeline: Stage

    @property
    def facts(self) -> ModeFacts:
        """The mode without its pipeline, which holds the indexes of a catalog."""
        return ModeFacts(
            name=self.name, encoder=self.encoder, notices=self.notices, quiet=self.quiet
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything one query reads; never changed, only replaced as a whole.

    Without ``scope`` the floor alone tells doubt; without ``gaps`` no gap is told, and without
    ``known`` by the records alone; without ``neighbours`` facts alone tell which tools are
    alike. ``encoder`` is what its vectors were made by; ``source`` gives the address where a
    tool's record has a field from; ``outside`` counts the connections of its stages to other
    machines. ``resized`` gives the modes with other sizes, by the names of their settings.
    ``filters`` is a table of the same tools, without which a filter asks each of them.
    ``indexes`` are hashes of vectors by template; ``stages`` say by name why a part is not up,
    and are empty where it is. ``spelled`` gives a text without its spelling slips.
    """

    tools: Mapping[str, Tool]
    modes: Mapping[str, Mode]
    catalog_sha256: str
    indexes: Mapping[str, str] = field(default_factory=dict)
    stages: Mapping[str, str] = field(default_factory=dict)
    scope: ScopeEstimator | None = None
    scale: ScoreScale | None = None
    source: Callable[[str, str], str] = lambda tool, field: ""
    gaps: GapJudge | None = None
    spelled: Callable[[str], str] = str
    known: KnownRequests | None = None
    dialogue: Dialogue | None = None
    neighbours: Neighbours | None = None
    encoder: Encoder | None = None
    resized: Callable[[Mapping[str, int]], Mapping[str, Mode]] | None = None
    wishes: WishReader = field(default_factory=WishReader)
    filters: FilterTable | None = field(default=None, repr=False, compare=False)
    outside: OutsideCalls = field(default_factory=OutsideCalls, repr=False, compare=False)
    _selected: dict[tuple[Filters, tuple[str, ...]], Selection] = field(
        default_factory=dict, repr=False, compare=False
    )
    _languages: list[frozenset[str]] = field(default_factory=list, repr=False, compare=False)

    def states_language(self, names: Sequence[str]) -> bool:
        """Whether a record has one of these names among its languages or interfaces."""
        # Gathered at the first wish for a language: to ask each of 10,000 records took 3 ms.
        if not self._languages:
            tools = self.tools.values()
            self._languages.append(
                frozenset(n for t in tools for n in (*t.languages, *t.interfaces))
            )
        return not self._languages[0].isdisjoint(names)

    def selection(self, query: Query) -> Selection:
        """Which tools a query may return; cached by filters and exclusions."""
        left_out = self.wishes.left_out(query)
        key = (query.filters, (*query.excluded, *left_out))
        selection = self._selected.get(key)
        if selection is None:
            selection = select(self.tools.values(), query, left_out, self.filters)
            # Another query may clear the cache at any time.
            if len(self._selected) >= SELECTIONS:
                self._selected.clear()
            self._selected[key] = selection
        return selection

    def unmatched(self, query: Query) -> dict[str, tuple[str, ...]]:
        """The exclusions of a query that are no tool's id or name, each with the nearest names."""
        if not query.excluded:
            return {}
        folded = self.filters.ids_by_name if self.filters else None
        return unmatched(query.excluded, self.tools, folded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a page needs of a snapshot before it is built."""

    tools: Mapping[str, Tool]
    modes: tuple[str, ...]
    catalog_sha256: str
