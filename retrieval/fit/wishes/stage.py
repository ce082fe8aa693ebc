"""The stage that holds candidates against the wishes of the text, in every mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from retrieval.core import Candidate, Fit, StageResult, State, Tool, Why, Wish, ranked
from retrieval.fit.wishes.costs import IN_STORIES, USUAL, Costs
from retrieval.fit.wishes.interface import is_direct
from retrieval.fit.wishes.soft import is_soft
from retrieval.fit.wishes.stated import is_open_in_part, wish_fit

HIDDEN, UNSTATED, FOUND = "wishes_hidden", "wishes_unstated", "wishes_found"
"""Metrics: candidates that state otherwise and were left out, those that stand lower because they
state nothing, and all that were not left out: a list shows the first of them alone."""

VERDICTS = {"fail": "states otherwise", "unknown": "not stated"}
"""Words for the verdicts that cost."""

SPOKEN_OF = 0.05
"""Share of the records that state a field from which on silence about what is required tells much.
Nearly every program runs offline, and .02 of the records speak of it."""


NAMED = frozenset({"language", "host"})
"""Kinds of wishes that name one thing of many. Where no candidate states it, the order stays: for
"read DICOM in Go" what states no language led, whatever it does."""

SELDOM_TOLD = frozenset({"licence", "purpose", "gpu", "offline", "since", "memory"})
"""Kinds of wishes that a tool may well meet whose record is silent on them. Languages, interfaces
and systems are named for what there is, and hosts where there is one."""

TASK = "task"
"""The fact of what a tool does, told beside wishes: one for something else may meet each."""

Beside = Callable[[str, Sequence[str]], Sequence[str]]
"""From a text and ids of tools to what speaks against each for what is asked, in words, in their
order: empty for one that serves it, no list where nothing is read."""


def nothing_beside(text: str, ids: Sequence[str]) -> Sequence[str]:
    """Nothing: the records are not read."""
    return ()


def contradictions(wishes: Sequence[Wish]) -> tuple[Wish, ...]:
    """The wishes that are both wanted and unwanted, in their order."""
    positive_pairs = {(w.kind, w.value) for w in wishes if w.strength != "unwanted"}
    negative_pairs = {(w.kind, w.value) for w in wishes if w.strength == "unwanted"}
    return tuple(w for w in wishes if (w.kind, w.value) in positive_pairs & negative_pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class WishEffect:
    """What wishes did to a list: candidates left out, and those lowered for stating nothing.

    ``found`` are all candidates that were compared and not left out, more than a list shows.
    """

    hidden: int
    unstated: int
    found: int
    aside: tuple[Wish, ...] = ()

    @property
    def text(self) -> str:
        """The effect in words, with the way back; empty where there is nothing to say."""
        parts = []
        if self.aside:
            names = ", ".join(dict.fromkeys(wish.value for wish in self.aside))
            parts.append(f"You ask for {names} and for none of it: neither was counted.")
        if self.hidden:
            many = f"{self.hidden} tools that state" if self.hidden > 1 else "1 tool that states"
            parts.append(f"Hidden: {many} otherwise. Remove the wish to see it all.")
        if self.unstated:
            state, stand = ("states", "stands") if self.unstated == 1 else ("state", "stand")
            of = f"{self.unstated} of {self.found} tools found"
            parts.append(f"{of} {state} nothing about it and {stand} lower.")
        return " ".join(parts)


def wish_effect(result: StageResult, wishes: Sequence[Wish]) -> WishEffect | None:
    """The effect on the list of a search; None without a wish or where the stage did not run."""
    counts = [n.metrics for n in result.walk() if HIDDEN in n.metrics]
    if not wishes or not counts:
        return None
    # Candidates are hidden once, by the stage that sees them first.
    last = counts[-1]
    return WishEffect(
        hidden=int(max(c[HIDDEN] for c in counts)),
        unstated=int(last[UNSTATED]),
        found=int(last[FOUND]),
        aside=contradictions(wishes),
    )


@dataclass(frozen=True)
class WishStage:
    """Ranks candidates that state otherwise below those that state nothing, these below others.

    A failing wish costs more than the whole span of the list's scores; an unknown one that part of
    it which is the share of the catalog that states the field (``stated``): silence tells little
    where few records speak. What is required or unwanted hides those that state otherwise,
    unless ``hides`` is false (judged runs). Wishes that contradict each other are left aside.
    In a text that tells a story (``is_story``) verdicts cost a part of the span alone.
    """

    stated: Mapping[str, float] = field(default_factory=dict)
    hides: bool = True
    beside: Beside = nothing_beside
    is_story: Callable[[str], bool] = lambda text: False
    name: str = "wishes"

    def run(self, state: State) -> StageResult:
        """The same candidates with verdicts, ranked again; as they came without a wish."""
        wishes = state.query.wishes
        if not wishes or "fit" in state.query.off:
            return StageResult(name=self.name, state=state, note="no wish", listed=False)
        aside = contradictions(wishes)
        counted = [wish for wish in wishes if wish not in aside]
        scores = [c.score for c in state.candidates]
        unit = (max(scores) - min(scores) if scores else 0.0) or 1.0
        ids = [candidate.tool.id for candidate in state.candidates]
        beside = self.beside(state.query.text, ids) or [""] * len(ids)
        pairs = list(zip(state.candidates, beside, strict=True))
        costs = IN_STORIES if self.is_story(state.query.raw) else USUAL
        weights = self._weights(pairs, counted, unit, costs)
        judged = [self._judged(state, c, weights, words) for c, words in pairs]
        visible = [c for c, hidden in judged if not hidden]
        hidden = len(judged) - len(visible)
        unstated = sum(
            any(wish_fit(c.tool, wish).verdict == "unknown" for wish in weights.costing)
            for c in visible
        )
        return StageResult(
            name=self.name,
            state=replace(state, candidates=ranked(visible)),
            note=_note(weights, aside, hidden, unstated),
            listed=bool(counted),
            metrics={HIDDEN: hidden, UNSTATED: unstated, FOUND: len(visible)},
        )

    def _weights(
        self,
        pairs: Sequence[tuple[Candidate, str]],
        wishes: Sequence[Wish],
        unit: float,
        costs: Costs,
    ) -> _Weights:
        """How the wishes order candidates, each with what speaks against it for the task."""
        for_task = [one.tool for one, words in pairs if _is_for_task(one, words)]
        tools = [candidate.tool for candidate, _ in pairs]
        costing = [w for w in wishes if _tells_apart(w, for_task if is_soft(w) else tools)]
        return _Weights(
            wishes=wishes,
            costing=costing,
            direct=[w for w in wishes if any(_states_itself(tool, w) for tool in for_task)],
            other_task=self._of_task(costing, costs),
            unit=unit,
            costs=costs,
        )

    def _judged(
        self, state: State, candidate: Candidate, weights: _Weights, beside: str
    ) -> tuple[Candidate, bool]:
        """The candidate with its verdicts and cost, and whether it is hidden.

        ``beside`` tells in words what speaks against the tool for what is asked for. It costs as
        much as silence about a wish (``other_task``), and no preference brings such a tool up.
        """
        pairs = [(wish, wish_fit(candidate.tool, wish)) for wish in weights.wishes]
        in_order = [(wish, fit) for wish, fit in pairs if wish in weights.costing]
        is_for_task = _is_for_task(candidate, beside)
        shares = [
            self._share(wish, fit, candidate.tool, weights)
            if is_for_task or not is_soft(wish)
            else self._failing(wish, weights.costs)
            for wish, fit in in_order
        ]
        cost = weights.unit * (sum(shares) + (0.0 if is_for_task else weights.other_task))
        words = [(w, _costing(w, f, candidate.tool, is_for_task)) for w, f in in_order]
        text = ", ".join(f"{wish.value}: {cost_words}" for wish, cost_words in words if cost_words)
        why = Why(kind="wish", stage=state.path, text=text, value=round(-cost, 6))
        # A second look, after a model has changed the order, replaces the verdicts of the first.
        of_scan = (fit for fit in candidate.fit or () if not fit.asked)
        fits = (*of_scan, *(fit for _, fit in pairs), *_task_fits(beside))
        hidden = self.hides and any(f.verdict == "fail" and _is_firm(w) for w, f in pairs)
        whys, score = (why,) if cost else (), candidate.score - cost
        return candidate.scored(state.path, score, *whys, fit=fits), hidden

    def _share(self, wish: Wish, fit: Fit, tool: Tool, weights: _Weights) -> float:
        indirect = weights.costs.indirect
        if fit.verdict == "pass":
            return 0.0 if is_direct(tool, wish) or wish not in weights.direct else indirect
        unknown = self._silence(wish, weights.costs)
        if fit.verdict == "unknown" and is_open_in_part(tool, wish):
            return min(unknown, indirect)
        return unknown if fit.verdict == "unknown" else self._failing(wish, weights.costs)

    def _failing(self, wish: Wish, costs: Costs) -> float:
        return costs.failing + self._silence(wish, costs)

    def _of_task(self, costing: Sequence[Wish], costs: Costs) -> float:
        """What it costs to be for something else: as much as silence about a wish in SELDOM_TOLD.

        So a tool for the task that leaves its licence open is not below all those with a licence.
        On three sets of 735 requests 1,695 of 2,055 places that tools of task and wishes could fill
        are theirs (1,691 without, 1,689 with every kind), and .086 of tools go against a wish.
        """
        firm = [wish for wish in costing if wish.kind in SELDOM_TOLD and not is_soft(wish)]
        return max((self._silence(wish, costs) for wish in firm), default=0.0)

    def _silence(self, wish: Wish, costs: Costs) -> float:
        # What is required has to be stated; of what is wanted, silence tells as much as the
        # catalog's records speak of it.
        share = self.stated.get(wish.kind, 1.0)
        is_required = wish.strength == "required" and share >= SPOKEN_OF
        return costs.silent if is_required else costs.silence * share


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weights:
    """Wishes as one list is ordered by them.

    ``costing`` are those that can cost something; of ``direct`` a tool for the task states the
    thing itself, so that what does as well costs: to bring up tools for something else serves none.
    ``other_task`` are the spans that it costs to be for something else, ``costs`` those of
    verdicts.
    """

    wishes: Sequence[Wish]
    costing: Sequence[Wish]
    direct: Sequence[Wish]
    other_task: float
    unit: float
    costs: Costs


def _is_for_task(candidate: Candidate, beside: str) -> bool:
    """Whether nothing speaks against a candidate for what is asked for, nor its kind of image."""
    kinds = (f for f in candidate.fit or () if f.fact == "modality" and not f.asked)
    return not beside and all(fit.verdict != "fail" for fit in kinds)


def _tells_apart(wish: Wish, tools: Sequence[Tool]) -> bool:
    """Whether a wish orders a list: a preference, or one for a name, where a tool states that."""
    if not is_soft(wish) and (wish.kind not in NAMED or wish.strength != "wanted"):
        return True
    return any(wish_fit(tool, wish).verdict == "pass" for tool in tools)


def _states_itself(tool: Tool, wish: Wish) -> bool:
    """Whether a tool meets a wish by what is wanted itself, and by nothing that does as well."""
    return wish_fit(tool, wish).verdict == "pass" and is_direct(tool, wish)


def _is_firm(wish: Wish) -> bool:
    """Whether a wish leaves out what states otherwise."""
    return wish.strength != "wanted" and not is_soft(wish)


def _task_fits(beside: str) -> tuple[Fit, ...]:
    """The verdict on what is asked for, of a tool for something else."""
    fit = Fit(fact=TASK, verdict="unknown", scan=None, tool=beside, asked="what you ask for")
    return (fit,) if beside else ()


def _costing(wish: Wish, fit: Fit, tool: Tool, is_for_task: bool) -> str | None:
    """What costs of a verdict, in words; None where nothing does."""
    if fit.verdict == "pass":
        if is_soft(wish) and not is_for_task:
            return "stated, but not for what you ask for"
        return None if is_direct(tool, wish) else f"met by {fit.tool}"
    return VERDICTS.get(fit.verdict)


def _note(weights: _Weights, aside: Sequence[Wish], hidden: int, unstated: int) -> str:
    """What was weighed, how many that cost, and what changed nothing or was left aside."""
    weighed = [f"{w.value} ({w.strength})" for w in weights.costing]
    idle = [w.value for w in weights.wishes if w not in weights.costing]
    parts = [f"weighed {', '.join(weighed)}"] if weighed else []
    if idle:
        parts.append(f"no tool here states {', '.join(idle)}: the order stays")
    if aside:
        names = ", ".join(dict.fromkeys(w.value for w in aside))
        parts.append(f"both wanted and not wanted, so left aside: {names}")
    if hidden:
        parts.append(f"{hidden} hidden: they state otherwise")
    if unstated:
        parts.append(f"{unstated} lower: they state nothing")
    return "; ".join(parts)
