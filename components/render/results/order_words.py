"""The line above the list: how many tools, and what ordered them, as the stages that ran tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from components.render.words import agree, count
from retrieval import Answer, StageResult, Wish, WishEffect

ORDERS = {
    "rank": "the learned ranking",
    "score fusion": "the scores of meaning, words and phrases together",
    "graph": "",
    "KG expansion": "",
    "fused": "",
    "dense": "similarity to your text",
    "bm25": "your words",
}
"""What a list is ordered by after each stage that makes an order of its own, the latest first;
empty where that depends on which searches ran before it."""

SEARCHES = {"words": {"bm25"}, "meaning": {"dense", "late interaction"}}
"""What each search looks at, by the names of its stages."""

ALONE = {"words": "your words", "meaning": "similarity to your text"}
"""What one search alone orders by."""

MODELS = {"language model": "the language model", "cross-encoder": "the cross-encoder"}
"""Re-ranking models by the name of their stage."""

UNSET = ("none configured", "no model chosen")
"""How the note of a re-ranking model begins that nobody set up."""

THIN = "paths do not count"
"""In the note of an expansion that adds tools and leaves the order as it was."""

WEIGHED = {
    "conversion": "the conversion you name",
    "names": "names",
    "tokens": "scan facts",
    "fit": "fit",
    "kind": "data kind",
    "taste": "your taste",
    "wishes": "your wishes",
}
"""Stages that move tools up or down in an order."""

WITHOUT_SCAN = {"tokens": "what you said of the image"}
"""The same where no scan was added."""


def order_words(answer: Answer) -> str:
    """How many tools, and which stages made the order in which they are shown."""
    number = count(len(answer.candidates), "tool")
    ran = [n for n in answer.result.walk() if n.ran and n.state.candidates]
    by_model = [MODELS[_own(n)] for n in ran if _own(n) in MODELS]
    reranking = [n for n in answer.result.walk() if _own(n) == "rerank"]
    if by_model:
        below = [text for name, text in BELOW.items() if _moved(ran, name)]
        return f"{number}, ordered by {'; '.join([by_model[-1], *below])}."
    base = _base(ran)
    # Short, since a second line of words would move the list below.
    base = "ranking and parts" if base == ORDERS["rank"] and _moved(ran, "parts") else base
    weighed = WEIGHED if answer.query.scans else {**WEIGHED, **WITHOUT_SCAN}
    labels = [label for n, label in weighed.items() if _moved(ran, n)]
    before = [", ".join(labels[:-1])] if labels[1:] else []
    more = f", with {' and '.join([*before, *labels[-1:]])} weighed in" if labels else ""
    note = _no_model(reranking[-1]) if reranking else ""
    return f"{number}, ordered by {base}{more}{note}." if base else f"{number}, best first."


BELOW = {
    "fit": "what does not fit your scan stands below",
    "kind": "tools for other kinds of image stand lower",
    "wishes": "what goes against your wishes stands below",
}
"""What the verdicts do after a model."""


MOST_WISHES = 2
"""Wishes that the head of a list names; its chips name them all."""


def effect_words(effect: WishEffect, wishes: Sequence[Wish]) -> str:
    """What wishes did to a list, in short sentences: its head has room for two lines."""
    parts = [replace(effect, hidden=0, unstated=0).text]
    if effect.hidden:
        words = agree(effect.hidden, "that states otherwise is", "that state otherwise are")
        parts.append(f"{effect.hidden} {words} hidden; without the wish you see all.")
    if effect.unstated:
        counted = dict.fromkeys(wish.value for wish in wishes if wish not in effect.aside)
        names = " or ".join(counted) if len(counted) <= MOST_WISHES else "some of your wishes"
        state, stand = agree(effect.unstated, "states stands", "state stand").split()
        of = f"{effect.unstated} of {effect.found} found"
        parts.append(f"{of} {state} nothing about {names} and {stand} lower.")
    return " ".join(filter(None, parts))


def _base(ran: Sequence[StageResult]) -> str:
    """What the latest stage that makes an order of its own orders by."""
    names = {_own(n) for n in ran}
    latest = next((name for name in ORDERS if name in names), "")
    if ORDERS.get(latest, "") or not latest:
        return ORDERS.get(latest, "")
    searched = [word for word, stages in SEARCHES.items() if stages & names]
    # By similarity alone the expansion orders what words and the graph found, where it can.
    if latest == "KG expansion" and "meaning" in searched:
        return ALONE["meaning"]
    thin = any(_own(n) == latest and THIN in n.note for n in ran)
    parts = searched if latest == "fused" or thin else [*searched, "the graph"]
    if len(parts) < 2:
        return ALONE.get("".join(parts), "")
    return f"{', '.join(parts[:-1])} and {parts[-1]} together"


def _own(node: StageResult) -> str:
    return node.name.rsplit("/", 1)[-1]


def _moved(ran: Sequence[StageResult], name: str) -> bool:
    """Whether a stage that weighs gave its candidates a score of its own."""
    return any(n.listed and _own(n) == name and n.metrics.get("marked_down", 1) for n in ran)


def _no_model(rerank: StageResult) -> str:
    """Why no model made the order: none is there, one could not be used, or it is switched off."""
    if rerank.status == "skipped":
        nothing = "nothing to leave out" in rerank.note
        return "; there is no re-ranking to leave out" if nothing else "; re-ranking is off"
    if rerank.status != "fallback":
        return ""
    if not _models(rerank) or is_unset_order(rerank):
        return "; no re-ranking model is set up"
    return "; the re-ranking model could not be used"


def _models(rerank: StageResult) -> list[StageResult]:
    return [child for child in rerank.children if _own(child) in MODELS]


def is_last_order(stage: StageResult) -> bool:
    """Whether a stage is the one whose list is shown."""
    return _own(stage) == "rerank"


def is_unset_order(stage: StageResult) -> bool:
    """Whether a last order stays as before because nobody set up a model for it."""
    models = _models(stage) if stage.status == "fallback" else []
    return bool(models) and all(child.note.startswith(UNSET) for child in models)
