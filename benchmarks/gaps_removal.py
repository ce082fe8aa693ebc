"""Gaps made by removal: a request is served by the catalog, and a gap once its records are out.

``python -m benchmarks.gaps_removal`` prints the table. For each concept that records name,
requests are written from those records. The judge reads them over the catalog as it is, where
telling a gap is a false alarm, and without the records that serve the concept, where telling none
is a miss; then both again with a vocabulary that lacks the concept, which shows what words that
are no concept cost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from benchmarks.gap_requests import Request, RequestWriter, is_bound
from retrieval.catalog import Concept, kind_of, load_catalog, load_concepts
from retrieval.core import Tool
from retrieval.explain import ANIMALS, GapJudge, StatedFacts
from retrieval.settings import ROOT
from retrieval.wiring import gap_judge

CATALOG = ROOT / "assets" / "catalog" / "tools.jsonl"
CONCEPTS = ROOT / "assets" / "concepts" / "concepts.jsonl"

MOST = 40
"""A concept of more records belongs to the whole field (segmentation, MRI) and is never absent."""

EACH = 4
"""Requests per concept."""

BATCH = 16
"""Concepts that one vocabulary lacks at once: it takes .6 s to build one and to read the records
with it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One request with what was told before and after its records were taken out."""

    request: Request
    is_word_unknown: bool
    false_alarm: bool
    admitted: bool


class CachedConcepts:
    """An annotator that reads each record once, however many catalogs hold it."""

    def __init__(self, judge: GapJudge) -> None:
        self.concepts = lru_cache(maxsize=None)(judge.stated.annotator.concepts)


def cached_judge(tools: Sequence[Tool], concepts: Sequence[Concept]) -> GapJudge:
    """A judge whose copies over parts of the records are cheap."""
    judge = gap_judge(tools, concepts)
    return over(judge, tools, CachedConcepts(judge))


def over(judge: GapJudge, tools: Sequence[Tool], annotator: CachedConcepts) -> GapJudge:
    """The judge with the same words over other records."""
    return replace(judge, stated=StatedFacts(tools, annotator, judge.stated.parents))


def subjects(judge: GapJudge, concepts: Sequence[Concept]) -> list[str]:
    """Concepts that are parts of a request and that 1 to MOST records name."""
    named = [c for c in concepts if 0 < judge.stated.naming(c.id).bit_count() <= MOST]
    return [
        concept.id
        for concept in named
        if any(part.concept == concept.id for part in judge.parts(concept.label))
        and not ANIMALS.intersection({concept.id, *judge.stated.wider(concept.id)})
        and (concept.kind != "operation" or is_bound(judge.stated, concept.id))
    ]


def trials(
    judge: GapJudge, full: StatedFacts, requests: Sequence[Request], unknown: bool
) -> list[Trial]:
    """Every request of one concept over all records and over those that do not serve it."""
    if not requests:
        return []
    serving = full.ids(full.serving(requests[0].concept))
    rest = [tool for tool in full.tools if tool.id not in serving]
    annotator = judge.stated.annotator
    assert isinstance(annotator, CachedConcepts)
    reduced = over(judge, rest, annotator)
    return [
        Trial(
            request,
            is_word_unknown=unknown,
            false_alarm=bool(judge.judge(request.text).unmet),
            admitted=bool(reduced.judge(request.text).unmet),
        )
        for request in requests
    ]


def all_trials(tools: Sequence[Tool], concepts: Sequence[Concept]) -> list[Trial]:
    """The trials of every subject, with the concept and without it."""
    whole = cached_judge(tools, concepts)
    writer = RequestWriter(whole.stated, {c.id: c for c in concepts})
    asked_for: Mapping[str, list[Request]] = {
        subject: list(writer.requests(subject, EACH)) for subject in subjects(whole, concepts)
    }
    results = [t for some in asked_for.values() for t in trials(whole, whole.stated, some, False)]
    names = sorted(asked_for)
    for start in range(0, len(names), BATCH):
        lacking = set(names[start : start + BATCH])
        rest = [
            replace(c, parents=tuple(p for p in c.parents if p not in lacking))
            for c in concepts
            if c.id not in lacking
        ]
        poorer = cached_judge(tools, rest)
        for name in sorted(lacking):
            results += trials(poorer, whole.stated, asked_for[name], True)
    return results


def table(results: Sequence[Trial]) -> list[str]:
    """The rates by kind of the concept and by language, as Markdown."""
    groups: defaultdict[str, list[Trial]] = defaultdict(list)
    for trial in results:
        word = "no concept" if trial.is_word_unknown else "concept"
        groups[f"{word}, all"].append(trial)
        groups[f"{word}, {kind_of(trial.request.concept)}"].append(trial)
        language = "English" if trial.request.language == "en" else "other languages"
        groups[f"{word}, {language}"].append(trial)
    lines = ["| the word | requests | admitted | false alarms |", "|---|---|---|---|"]
    for name in sorted(groups):
        group = groups[name]
        rates = (sum(getattr(t, field) for t in group) / len(group) for field in FIELDS)
        lines.append(f"| {name} | {len(group)} | {' | '.join(f'{r:.1%}' for r in rates)} |")
    return lines


FIELDS = ("admitted", "false_alarm")


def main() -> None:
    """Print the table."""
    results = all_trials(load_catalog(CATALOG).tools, load_concepts(CONCEPTS))
    print("\n".join(table(results)))


if __name__ == "__main__":
    main()
