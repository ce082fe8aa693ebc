"""Quality on judged sets, every stage of a mode: ``python -m benchmarks.evaluate FOLDER...``.

Writes the table that the README quotes to ``benchmarks/quality.md``.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from retrieval import read_settings
from retrieval.evaluation import (
    METRICS,
    Judged,
    Result,
    compared,
    evaluate,
    measure,
    prepared,
    read_beir,
)
from retrieval.settings import ROOT

BASE, FIRST, ROUNDS = "fused/bm25", "hybrid", "agentic"
ROUND_1, ROUND_2 = "rounds/round 1", "rounds/round 2"
DEFAULT = ROOT.parent / "shared" / "retrieval-dev"


def rows(name: str, mode: str, judged: Judged, result: Result) -> list[str]:
    """One table row per stage, with the paired difference to BM25 and its 95 % interval."""
    lines = []
    for stage, run in {**result.stages, "(final)": result.final}.items():
        metrics = measure(run, judged.qrels)
        gap = ""
        if BASE in result.stages and stage != BASE:
            by = compared(run, result.stages[BASE], judged.qrels)["nDCG@10"]
            gap = f"{by['difference']:+.3f} [{by['low']:+.3f}, {by['high']:+.3f}]"
        figures = " | ".join(f"{metrics[m]:.3f}" for m in METRICS)
        lines.append(f"| {name} | {mode} | {stage} | {figures} | {gap} |")
    return lines


def second_round(name: str, judged: Judged, result: Result) -> list[str]:
    """The agentic list before the second round and after it, with the paired difference."""
    before, after = result.stages[ROUND_1], result.final
    count = sum(bool(hits) for hits in result.stages.get(ROUND_2, {}).values())
    by = compared(after, before, judged.qrels)["nDCG@10"]
    gap = f"{by['difference']:+.3f} [{by['low']:+.3f}, {by['high']:+.3f}]"
    runs = (("without", before, ""), (f"with ({count} queries had one)", after, gap))
    lines = []
    for label, run, told_gap in runs:
        metrics = measure(run, judged.qrels)
        figures = " | ".join(f"{metrics[m]:.3f}" for m in METRICS)
        lines.append(f"| {name} | {label} | {figures} | {told_gap} |")
    return lines


def by_type(name: str, judged: Judged, result: Result) -> list[str]:
    """One row per kind of query, for the final list."""
    lines = []
    for kind in sorted(set(judged.types.values())):
        ids = {q for q, t in judged.types.items() if t == kind}
        qrels = {q: judged.qrels[q] for q in ids if q in judged.qrels}
        metrics = measure({q: result.final[q] for q in ids}, qrels)
        figures = " | ".join(f"{metrics[m]:.3f}" for m in METRICS)
        lines.append(f"| {name} | {kind} ({len(ids)}) | {figures} |")
    return lines


def report(folders: list[Path], modes: list[str]) -> str:
    """The whole report as Markdown."""
    stages, kinds, rounds = [], [], []
    for folder in folders:
        judged = read_beir(folder)
        engine, _ = prepared(judged, read_settings())
        for mode in modes or engine.modes:
            result = evaluate(judged, engine, mode)
            stages += rows(folder.name, mode, judged, result)
            if mode == FIRST:
                kinds += by_type(folder.name, judged, result)
            if mode == ROUNDS:
                rounds += second_round(folder.name, judged, result)
    names = " | ".join(METRICS)
    return "\n".join(
        [
            f"Measured {date.today():%Y-%m-%d} by `make evaluate`. Difference: nDCG@10 less that "
            "of BM25, paired bootstrap, 95 % interval.",
            "",
            "The weights of the stage `rank` were learned from made-up requests and not from these "
            "queries. Records that bear the name of a shipped tool are ranked by what is known of "
            "it: what a catalog of other tools gets is in left_out.md.",
            "",
            f"| set | mode | stage | {names} | difference |",
            "|---|---|---|---|---|---|---|",
            *stages,
            "",
            f"| set | second round of `{ROUNDS}`, judged without a language model | {names} "
            "| difference |",
            "|---|---|---|---|---|---|",
            *rounds,
            "",
            f"| set | kind of query ({FIRST}) | {names} |",
            "|---|---|---|---|---|",
            *kinds,
            "",
        ]
    )


def main() -> None:
    """Measure the folders named, or the development sets where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[])
    parser.add_argument("--mode", action="append", default=[], dest="modes")
    args = parser.parse_args()
    folders = args.folders or sorted(p for p in DEFAULT.glob("*") if p.is_dir())
    if not folders:
        raise SystemExit("no judged set here; name a BEIR folder")
    text = report(folders, args.modes)
    Path(__file__).with_name("quality.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
