"""What a stranger gets: ``python -m benchmarks.left_out [FOLDER...]``.

Every judged corpus is ranked by weights that were not learned from it, once as if no catalog were
shipped and once with it. Writes ``benchmarks/left_out.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.ranking_data import RESAMPLES, Floats, Rows, collector, measured
from benchmarks.train import RIDGE, RIDGES, fitted, learning_rows
from retrieval import Engine, read_settings
from retrieval.core import Tool
from retrieval.evaluation import Judged, Result, compared, evaluate, measure, prepared, read_beir
from retrieval.settings import ROOT
from retrieval.wiring import Preparation, lexicon, ranking_of, shipped_namesakes

OTHER_FIELD = Path(__file__).parent / "other_field"
DEFAULT = ROOT.parent / "shared" / "retrieval-dev"
OUT = Path(__file__).with_name("left_out.md")

STAGES = ("fused", "graph", "rank", "names", "(final)")
PAIRS = (("graph", "fused"), ("rank", "graph"), ("(final)", "rank"), ("(final)", "graph"))
EQUAL = f"ridge {RIDGE:g}"
PAIRS_FUSED = ("(final)", "fused")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A corpus: lists of every stage without and with the shipped catalog, and the matrices."""

    name: str
    judged: Judged
    runs: Mapping[str, Result]
    rows: Sequence[Rows]
    known: frozenset[str]


def measured_corpus(folder: Path) -> Measured:
    """Both runs over a BEIR folder; the matrices are those of the run without shipped facts."""
    judged = read_beir(folder)
    engine, preparation = prepared(judged, read_settings())
    bare = _bare(preparation, judged)
    seen = collector(judged, bare.parts)
    runs = {
        "without": evaluate(judged, Engine(bare.snapshot(), seconds=np.inf), "hybrid", seen.add),
        "with": evaluate(judged, engine, "hybrid"),
    }
    known = frozenset(shipped_namesakes(judged.catalog.tools))
    return Measured(name=folder.name, judged=judged, runs=runs, rows=seen.rows, known=known)


def _bare(preparation: Preparation, judged: Judged) -> Preparation:
    """The same parts, but what is known of tools is what their own records say."""

    def nothing(tools: Sequence[Tool]) -> Mapping[str, Tool]:
        return {}

    ranking = ranking_of(judged.catalog.tools, lexicon().annotator, nothing)
    bare = Preparation(preparation.settings, preparation.sizes)
    bare.begin(judged.catalog)
    bare.parts = replace(preparation.parts, ranking=ranking)
    return bare


def stage_run(result: Result, stage: str) -> dict[str, dict[str, float]]:
    """The list of a stage; where ``names`` found none, that of the stage before it."""
    return result.final if stage == "(final)" else result.stages[stage]


def stage_rows(one: Measured) -> list[str]:
    """A row for every stage of both runs."""
    lines = []
    for label, result in one.runs.items():
        for stage in STAGES:
            if stage == "names" or stage not in (*result.stages, "(final)"):
                continue
            figures = measure(stage_run(result, stage), one.judged.qrels)
            values = f"{figures['nDCG@10']:.3f} | {figures['Recall@50']:.3f}"
            lines.append(f"| {one.name} | {label} | {stage} | {values} |")
    return lines


def gap_rows(one: Measured) -> list[str]:
    """Paired differences of nDCG@10 between stages, with 95 % intervals."""
    lines = []
    for label, result in one.runs.items():
        for after, before in (*PAIRS, PAIRS_FUSED):
            lists = (stage_run(result, after), stage_run(result, before))
            by = compared(*lists, one.judged.qrels)["nDCG@10"]
            gap = f"{by['difference']:+.3f} [{by['low']:+.3f}, {by['high']:+.3f}]"
            lines.append(f"| {one.name} | {label} | {after} less {before} | {gap} |")
    return lines


def moved_rows(one: Measured) -> list[str]:
    """How often relevant records of both kinds go up and down between graph and final."""
    lines = []
    for label, result in one.runs.items():
        for kind in ("known", "unknown"):
            up, down, count = _moves(one, result, known=kind == "known")
            if count:
                shares = f"{up / count:.2f} | {down / count:.2f}"
                lines.append(f"| {one.name} | {label} | {kind} | {count} | {shares} |")
    return lines


def _moves(one: Measured, result: Result, *, known: bool) -> tuple[int, int, int]:
    up = down = count = 0
    for qid, grades in one.judged.qrels.items():
        before, after = result.stages["graph"].get(qid, {}), result.final.get(qid, {})
        for tool_id, grade in grades.items():
            if grade > 0 and tool_id in before and (tool_id in one.known) == known:
                gain = after.get(tool_id, 0.0) - before[tool_id]  # runs hold 1 / rank
                up, down, count = up + (gain > 0), down + (gain < 0), count + 1
    return up, down, count


def recipe_rows(corpora: Sequence[Measured], recipes: Mapping[str, Floats]) -> list[str]:
    """For each corpus the recipe that is best on the others, and what it gives on this one."""
    gains = {
        name: [measured(one.rows, weights) for one in corpora] for name, weights in recipes.items()
    }
    lines = []
    for at, one in enumerate(corpora):
        others = [n for n in range(len(corpora)) if n != at]
        chosen = max(gains, key=lambda r: np.mean([gains[r][n].mean() for n in others]))
        every = ", ".join(f"{r}: {gains[r][at].mean():.3f}" for r in gains)
        less = gains[chosen][at] - gains[EQUAL][at]
        lines.append(f"| {one.name} | {chosen} | {_interval(less)} | {every} |")
    return lines


def _interval(gaps: Floats) -> str:
    draws = np.random.default_rng(0).integers(0, len(gaps), (RESAMPLES, len(gaps)))
    low, high = np.quantile(gaps[draws].mean(axis=1), [0.025, 0.975])
    return f"{gaps.mean():+.3f} [{low:+.3f}, {high:+.3f}]"


def report(corpora: Sequence[Measured], recipes: Mapping[str, Floats]) -> str:
    """The whole report as Markdown."""
    texts = Path(__file__).with_name("left_out_heads.txt").read_text("utf-8").split("\n\n")
    heads = dict(zip(("intro", "stages", "gaps", "moves", "recipes"), texts, strict=True))
    tables = {
        "stages": [row for one in corpora for row in stage_rows(one)],
        "gaps": [row for one in corpora for row in gap_rows(one)],
        "moves": [row for one in corpora for row in moved_rows(one)],
        "recipes": recipe_rows(corpora, recipes) if recipes else [],
    }
    parts = [
        f"Measured {date.today():%Y-%m-%d} by `python -m benchmarks.left_out`.",
        heads["intro"],
    ]
    parts += [
        f"{heads[name].rstrip()}\n" + "\n".join(rows) for name, rows in tables.items() if rows
    ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Measure the folders named, or the development sets where they are and the other field."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[])
    parser.add_argument("--no-recipes", action="store_true", help="skip the choice of recipes")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    found = sorted(p for p in DEFAULT.glob("*") if p.is_dir()) if DEFAULT.is_dir() else []
    corpora = [measured_corpus(folder) for folder in args.folders or [*found, OTHER_FIELD]]
    recipes: dict[str, Floats] = {}
    if not args.no_recipes:
        names, rows = learning_rows()
        recipes = {f"ridge {ridge:g}": fitted(rows, len(names), ridge) for ridge in RIDGES}
    text = report(corpora, recipes)
    args.out.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
