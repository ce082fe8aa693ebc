"""The command ``evaluate``: a judged run over a BEIR folder or labelled queries."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from retrieval.cli.arguments import (
    Commands,
    add_mode,
    check_catalog,
    path_argument,
    read_catalog,
)
from retrieval.cli.output import write_json

if TYPE_CHECKING:
    from retrieval.evaluation import Judged
    from retrieval.settings import Settings


def add_evaluate(commands: Commands) -> None:
    """Add the parser of ``evaluate``."""
    parser = commands.add_parser("evaluate", help="a judged run over a BEIR folder")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--beir", type=path_argument)
    source.add_argument(
        "--judged", type=path_argument, help="queries with labels of the catalog's tools"
    )
    parser.add_argument("--catalog", type=path_argument, help="with --judged: the tools to search")
    parser.add_argument("--instructed", action="store_true", help="with --judged: add instructions")
    add_mode(parser)
    parser.add_argument("--out", type=path_argument)
    parser.add_argument("--stages", type=path_argument)
    parser.add_argument("--against", type=path_argument)
    parser.set_defaults(run=run_evaluate)


def run_evaluate(args: argparse.Namespace, settings: Settings) -> None:
    """Write the run files that were named, and print the measures of the run and its stages."""
    from retrieval import evaluation

    judged, refused = _read_judged(args, settings)
    # Read before the run, which may take minutes: a wrong file is refused at once.
    baseline = evaluation.read_run(args.against, judged.qrels) if args.against else None
    engine = evaluation.engine_of(judged, settings)
    result = evaluation.evaluate(judged, engine, args.mode)
    if args.out:
        evaluation.write_run(result.final, args.out)
    if args.stages:
        evaluation.write_stages(result.stages, args.stages)
    report: dict[str, Any] = {"queries": result.answers}
    report |= evaluation.measure(result.final, judged.qrels)
    report["stages"] = {
        name: evaluation.measure(run, judged.qrels) for name, run in result.stages.items()
    }
    if baseline and (against := evaluation.compared(result.final, baseline, judged.qrels)):
        report["against"] = against
    write_json(report if args.beir else {**report, "refused": refused})


def _read_judged(
    args: argparse.Namespace, settings: Settings
) -> tuple[Judged, list[dict[str, Any]]]:
    """Queries, grades and the catalog they are about; and the refused lines of the file."""
    from retrieval.evaluation import read_beir, read_instances

    if args.beir:
        return read_beir(args.beir), []
    catalog = read_catalog(args, settings)
    check_catalog(catalog, args, settings)
    instances = read_instances(args.judged, catalog, instructed=args.instructed)
    return instances.judged, [{"line": r.line, "reason": r.reason} for r in instances.refused]
