"""The command line: ``python -m retrieval COMMAND``; ``--help`` tells the commands."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn

from retrieval import open_engine, read_settings, scan_json, to_json
from retrieval.catalog import Catalog, check_usable, load_catalog
from retrieval.cli import (
    Commands,
    add_commands,
    path_argument,
    run_explain,
    run_replay,
    run_similar,
    run_what_if,
    searched,
)
from retrieval.core import BadInput, RetrievalError
from retrieval.export import table
from retrieval.query import MAX_TOP_K
from retrieval.settings import Settings, variable

if TYPE_CHECKING:
    from retrieval.evaluation import Judged


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"{self.prog}: {message}\n")
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m retrieval", description="Find software for a task and a scan.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    _add_searches(commands)
    add_commands(commands)
    _add_questions(commands)
    _add_upkeep(commands)
    return parser


def _add_searches(commands: Commands) -> None:
    search = commands.add_parser("search", help="tools for a task and files")
    search.add_argument("text")
    search.add_argument("--file", action="append", default=[], type=path_argument, dest="files")
    cohort = commands.add_parser("cohort", help="tools for every kind of series of many subjects")
    cohort.add_argument("text")
    cohort.add_argument("paths", nargs="+", type=path_argument, help="folder, BIDS tree or zip")
    for one in (search, cohort):
        one.add_argument("--json", action="store_true", help="a cohort is JSON in any case")
        one.add_argument("--mode", default="hybrid")
        one.add_argument("--top-k", type=int, default=None)


def _add_questions(commands: Commands) -> None:
    web = commands.add_parser("web", help="papers and pages from the web, where switched on")
    web.add_argument("text")
    web.add_argument("--literature", action="store_true", help="the scientific sources at once")
    scan = commands.add_parser("scan", help="what files are")
    scan.add_argument("paths", nargs="+", type=path_argument)
    scan.add_argument("--each", action="store_true", help="one line for each path")
    ask = commands.add_parser("ask", help="an answer with its evidence")
    ask.add_argument("question")
    ask.add_argument("--answerer", help="who answers, instead of the choice made")
    for one in (web, scan, ask):
        one.add_argument("--json", action="store_true")


def _add_upkeep(commands: Commands) -> None:
    sync = commands.add_parser("sync", help="bring the index in step with the catalog")
    sync.add_argument("--catalog", type=path_argument)
    sync.add_argument("--index", type=path_argument)
    sync.add_argument("--json", action="store_true", help="what it prints in any case")
    sync.add_argument("--progress", action="store_true", help="a bar on stderr in any case")
    catalog = commands.add_parser("catalog", help="look at the catalog itself")
    actions = catalog.add_subparsers(dest="action", required=True, parser_class=_Parser)
    report = actions.add_parser("report", help="fill rates, gaps, duplicates, weak records")
    report.add_argument("--catalog", type=path_argument)
    report.add_argument("--json", action="store_true")
    judged = commands.add_parser("evaluate", help="a judged run over a BEIR folder")
    source = judged.add_mutually_exclusive_group(required=True)
    source.add_argument("--beir", type=path_argument)
    source.add_argument(
        "--judged", type=path_argument, help="queries with labels of the catalog's tools"
    )
    judged.add_argument("--catalog", type=path_argument, help="with --judged: the tools to search")
    judged.add_argument("--instructed", action="store_true", help="with --judged: add instructions")
    judged.add_argument("--mode", default="hybrid")
    judged.add_argument("--out", type=path_argument)
    judged.add_argument("--stages", type=path_argument)
    judged.add_argument("--against", type=path_argument)


def _print(data: Any) -> None:  # noqa: ANN401 - any JSON
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def _top_k(args: argparse.Namespace) -> int | None:
    """The length asked for, once it is one that a list may have."""
    asked: int | None = args.top_k
    if asked is not None and not 1 <= asked <= MAX_TOP_K:
        raise BadInput(f"--top-k: {asked} is outside 1 to {MAX_TOP_K}")
    return asked


def _search(args: argparse.Namespace, settings: Settings) -> None:
    _, answer = searched(args, settings, _top_k(args))
    if args.json:
        _print(to_json(answer))
    else:
        sys.stdout.write(table(answer) + "\n")


def _cohort(args: argparse.Namespace, settings: Settings) -> None:
    from retrieval import cohort_json, stream_cohort, stream_subjects
    from retrieval.scans import on_interrupt

    top_k = _top_k(args)
    engine = open_engine(settings)
    engine.check(args.mode)
    with on_interrupt() as halt:
        uploads: Any = deque(stream_subjects(args.paths, halt=halt), maxlen=1)[0]
    engine.wait()
    with on_interrupt() as halt:
        parts = stream_cohort(engine, args.text, uploads, args.mode, top_k=top_k, halt=halt)
        found = deque(parts, maxlen=1)[0]
    sys.stderr.writelines(f"{note}\n" for note in found.notes)
    _print(cohort_json(found))


def _web(args: argparse.Namespace, settings: Settings) -> None:
    from retrieval.cli import web_printed

    sys.stdout.write(web_printed(args, settings) + "\n")


def _scan(args: argparse.Namespace, settings: Settings) -> None:
    from retrieval.scans import read_each, read_scans

    if not args.each:
        told = scan_json(read_scans(args.paths, preview=False))
        text = json.dumps(told, ensure_ascii=False, indent=None if args.json else 2)
        sys.stdout.write(text + "\n")
        return
    for upload in read_each(args.paths):
        _print(scan_json(upload))


def _ask(args: argparse.Namespace, settings: Settings) -> None:
    from retrieval.cli import ask_printed

    sys.stdout.write(ask_printed(args, settings) + "\n")


def _sync(args: argparse.Namespace, settings: Settings) -> None:
    from retrieval.wiring import sync

    options = {"catalog": args.catalog, "index_dir": args.index}
    chosen = {name: path for name, path in options.items() if path is not None}
    changed = settings.model_copy(update=chosen)
    # Read first under the name of the option; what sync raises names the setting.
    catalog = _catalog_of(args, settings)
    _print(sync(changed, progress=args.progress or None))
    check_usable(catalog, changed.catalog, _catalog_name(args))


def _catalog(args: argparse.Namespace, settings: Settings) -> None:
    from retrieval.catalog import report_of, report_text

    catalog = _catalog_of(args, settings)
    told = report_of(catalog, date.today())
    if args.json:
        _print(asdict(told))
    else:
        sys.stdout.write(report_text(told) + "\n")
    check_usable(catalog, args.catalog or settings.catalog, _catalog_name(args))


def _catalog_name(args: argparse.Namespace) -> str:
    """What named the catalog, for messages."""
    return "--catalog" if args.catalog else variable("catalog")


def _catalog_of(args: argparse.Namespace, settings: Settings) -> Catalog:
    return load_catalog(args.catalog or settings.catalog, _catalog_name(args))


def _evaluate(args: argparse.Namespace, settings: Settings) -> None:
    from retrieval.evaluation import runs as evaluation

    judged, refused = _judged(args, settings)
    before = evaluation.read_run(args.against, judged.qrels) if args.against else None
    engine = evaluation.engine_of(judged, settings)
    result = evaluation.evaluate(judged, engine, args.mode)
    if args.out:
        evaluation.write_run(result.final, args.out)
    if args.stages:
        evaluation.write_stages(result.stages, args.stages)
    stages = {n: evaluation.measure(run, judged.qrels) for n, run in result.stages.items()}
    told: dict[str, Any] = {"queries": result.answers}
    told |= evaluation.measure(result.final, judged.qrels)
    against = evaluation.compared(result.final, before, judged.qrels) if before else None
    told |= {"stages": stages, **({"against": against} if against else {})}
    _print(told if args.beir else {**told, "refused": refused})


def _judged(args: argparse.Namespace, settings: Settings) -> tuple[Judged, list[dict[str, Any]]]:
    """Queries, grades and the catalog they are about; and what of the file does not count."""
    from retrieval.evaluation import read_beir, read_instances

    if args.beir:
        return read_beir(args.beir), []
    catalog = _catalog_of(args, settings)
    check_usable(catalog, args.catalog or settings.catalog, _catalog_name(args))
    found = read_instances(args.judged, catalog, instructed=args.instructed)
    return found.judged, [asdict(bad) for bad in found.refused]


COMMANDS: dict[str, Callable[[argparse.Namespace, Settings], None]] = {
    "search": _search,
    "cohort": _cohort,
    "explain": run_explain,
    "what-if": run_what_if,
    "similar": run_similar,
    "replay": run_replay,
    "scan": _scan,
    "web": _web,
    "ask": _ask,
    "sync": _sync,
    "catalog": _catalog,
    "evaluate": _evaluate,
}


STOPPED = {
    "sync": "stopped: an index that was not finished stays as it was; the batches that were "
    "embedded are kept, and the next sync goes on from them"
}
"""What Ctrl-C leaves, where a command leaves anything without an answer."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 with an answer, 2 for a usage error, 1 for a defect, 130 for Ctrl-C.

    Ctrl-C in a cohort ends the reading, or the searching, and what was done is its answer.
    """
    args = _parser().parse_args(argv)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    try:
        COMMANDS[args.command](args, read_settings())
    except RetrievalError as exc:
        sys.stderr.write(f"{exc}\n")
        return 2
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        sys.stderr.write(f"\n{STOPPED.get(args.command, 'stopped')}\n")
        return 130
    return 0


def _leave(code: int) -> NoReturn:
    """End at once: a model that is still loading in the background must not hold or crash us."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _leave(main())
