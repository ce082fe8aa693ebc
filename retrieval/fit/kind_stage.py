"""The stage that holds candidates against the kind of image that the text names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec import structs

from retrieval.core import (
    Candidate,
    Fit,
    Modality,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
    ranked,
    spread,
)
from retrieval.fit.kinds import stated_kind_fit
from retrieval.fit.tokens import stated_kind

WEIGHT = 0.3
"""What a tool of other kinds loses, as a part of the list's span of scores. Words are read with
less certainty than headers, so it is less than the whole span that a scan's fact costs: of 0, .1,
.3 and .5 the first place goes to a tool of the list for 205, 206, 206 and 206 of 228 tasks, and
tools of task and wish fill .776, .776, .780 and .784 of their places on one set of requests."""

LOWERED = "kind_lowered"
"""Metric: candidates that state other kinds of image."""

CACHED_KINDS = 64
"""Kinds of image, alone or together, whose verdicts are cached."""


OtherFormat = Callable[[str, Tool], Fit | None]
"""From a text and a tool to a failing format, where the text says that its files have another."""


def no_format(text: str, tool: Tool) -> Fit | None:
    """Nothing: formats are not read."""
    return None


@dataclass(frozen=True)
class KindStage:
    """Marks tools that state other kinds of image alone than the text names, and lowers them.

    The same goes for tools that read other formats than the text says its files have
    (``other_format``): "I have a LIF file".

    A tool passes by one of several kinds that the text names. ``kinds`` reads them from the text
    that is searched with; where a scan or a token states the kind, that counts and this stage
    compares nothing. No tool is left out, and none is said to fit for a word; a ``weight`` of 0
    marks and moves nobody. ``names`` are what texts call some kinds together: the name of a field.
    """

    kinds: Callable[[str], tuple[Modality, ...]]
    names: Mapping[tuple[Modality, ...], str] = field(default_factory=dict)
    weight: float = WEIGHT
    other_format: OtherFormat = no_format
    name: str = "kind"
    _verdicts: dict[tuple[Modality, ...], dict[str, tuple[Tool, Fit | None]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def run(self, state: State) -> StageResult:
        """The same candidates, those of other kinds marked and lower; as they came without any."""
        query = state.query
        if not {self.name, "fit"}.isdisjoint(query.off):
            raise StageUnavailable("switched off for this search")
        kinds = () if query.scans or stated_kind(query) else self.kinds(query.text)
        of_kind = self._failing(kinds, state.candidates) if kinds else {}
        of_format = {} if query.scans else self._of_other_formats(query.text, state.candidates)
        failed = of_format | of_kind
        if not failed:
            note = "every tool may take what the text names" if kinds else "no kind is named"
            return StageResult(name=self.name, state=state, note=note, listed=False)
        cost = round(self.weight * spread(state.candidates, self.name), 6)
        marked = [self._marked(state, c, failed.get(c.tool.id), cost) for c in state.candidates]
        return StageResult(
            name=self.name,
            state=structs.replace(state, candidates=ranked(marked) if cost else tuple(marked)),
            note=_note(of_kind, of_format, self._words(kinds)),
            listed=bool(cost),
            metrics={LOWERED: len(failed)},
        )

    def _of_other_formats(self, text: str, candidates: Sequence[Candidate]) -> dict[str, Fit]:
        """The verdicts on the candidates that read other formats than are at hand, by tool id."""
        fits = {c.tool.id: self.other_format(text, c.tool) for c in candidates}
        return {id: fit for id, fit in fits.items() if fit is not None}

    def _failing(
        self, kinds: tuple[Modality, ...], candidates: Sequence[Candidate]
    ) -> dict[str, Fit]:
        """The verdicts on the candidates that take none of the kinds, by tool id."""
        if kinds not in self._verdicts and len(self._verdicts) >= CACHED_KINDS:
            self._verdicts.clear()
        verdicts = self._verdicts.setdefault(kinds, {})
        failing: dict[str, Fit] = {}
        for tool in (c.tool for c in candidates):
            cached = verdicts.get(tool.id)
            # A changed record keeps its id, so the object itself is compared.
            if cached is None or cached[0] is not tool:
                cached = verdicts[tool.id] = (tool, _failure(tool, kinds, self._words(kinds)))
            if cached[1] is not None:
                failing[tool.id] = cached[1]
        return failing

    def _words(self, kinds: tuple[Modality, ...]) -> str:
        return self.names.get(kinds) or " or ".join(map(str, kinds))

    def _marked(self, state: State, one: Candidate, fit: Fit | None, cost: float) -> Candidate:
        """The candidate, with the verdict and its cost where it fails."""
        if fit is None:
            return one.scored(state.path, one.score) if cost else one
        others = (earlier for earlier in one.fit or () if earlier.fact != fit.fact or earlier.asked)
        fits = (*others, fit)
        if not cost:
            return structs.replace(one, fit=fits)
        stated = (fit.tool or "").partition(": ")[2]
        text = f"states {stated}, and the text names {fit.scan}"
        why = Why(kind="fit", stage=state.path, text=text, value=-cost)
        return one.scored(state.path, one.score - cost, why, fit=fits)


def _note(of_kind: Mapping[str, Fit], of_format: Mapping[str, Fit], kinds: str) -> str:
    """How many tools are marked, and for what."""
    parts = [f"{len(of_kind)} state other kinds of image than {kinds}"] if of_kind else []
    if of_format:
        have = next(iter(of_format.values())).scan
        parts.append(f"{len(of_format)} state other input formats than {have}")
    return "; ".join(parts)


def _failure(tool: Tool, kinds: Sequence[Modality], words: str) -> Fit | None:
    """The verdict on a tool that takes none of the kinds; None where it may take one."""
    fits = [stated_kind_fit(tool, kind) for kind in kinds]
    if any(fit.verdict != "fail" for fit in fits):
        return None
    return replace(fits[0], scan=words)
