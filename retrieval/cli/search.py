"""The commands over one search: ``search``, ``explain``, ``what-if``, ``replay``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from retrieval.cli.arguments import (
    Commands,
    add_json,
    add_mode,
    add_restrictions,
    add_sizes,
    add_text_and_files,
    checked_options,
    checked_top_k,
    path_argument,
    with_sizes,
)
from retrieval.cli.output import write_json, write_line, write_result
from retrieval.cli.recipes import recipe_for, recipe_text
from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.engine import Answer, Engine
    from retrieval.explain import Explained, Place
    from retrieval.export import Replayed
    from retrieval.settings import Settings


def add_search(commands: Commands) -> None:
    """Add the parser of ``search``."""
    parser = _search_parser(
        commands,
        "search",
        "tools for a task and files",
        run_search,
        "a cohort is JSON in any case",
    )
    parser.add_argument("--top-k", type=int, default=None)


def _search_parser(
    commands: Commands,
    name: str,
    help_text: str,
    run: Callable[[argparse.Namespace, Settings], None],
    json_help: str | None = None,
) -> argparse.ArgumentParser:
    """The parser of a command that searches first: text, files, mode and restrictions."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_text)
    add_text_and_files(parser)
    add_json(parser, json_help)
    add_mode(parser)
    add_restrictions(parser)
    add_sizes(parser)
    parser.set_defaults(run=run)
    return parser


def run_search(args: argparse.Namespace, settings: Settings) -> None:
    """Print the answer as JSON or as a table."""
    _, answer = answer_query(args, settings, checked_top_k(args))
    from retrieval.export import table, to_json

    if args.json:
        write_json(to_json(answer))
    else:
        write_line(table(answer))


def answer_query(
    args: argparse.Namespace, settings: Settings, top_k: int | None = None
) -> tuple[Engine, Answer]:
    """The engine, once every stage is ready, and its answer to TEXT and the files."""
    if not args.text.strip() and not args.files:
        raise BadInput("TEXT is empty and there is no --file; say what you want to do")
    wanted = checked_options(args)
    from retrieval import open_engine
    from retrieval.query import parse_filters

    # Files are read before the wait: models load in the background meanwhile.
    engine = open_engine(with_sizes(args, settings), background=True)
    engine.check(args.mode)
    filters = parse_filters(args.filters, engine.catalog.values())
    upload = engine.read_scans(args.files, preview=False) if args.files else None
    scans, refused = (upload.scans, upload.refused) if upload else ((), ())
    engine.wait()
    tokens = upload.search_tokens if upload else ()
    muted = {t for s in scans for t in s.tokens} - set(tokens)
    answer = engine.run(
        args.text,
        args.mode,
        scans=scans,
        tokens=tokens,
        muted_tokens=muted,
        refused=refused,
        excluded=args.exclude,
        required=args.require,
        wanted=wanted,
        rerank=not args.no_rerank,
        filters=filters,
        top_k=top_k,
    )
    return engine, answer


def add_explain(commands: Commands) -> None:
    """Add the parser of ``explain``."""
    parser = _search_parser(commands, "explain", "what became of one tool in a search", run_explain)
    parser.add_argument("--tool", required=True, help="id or name")


def run_explain(args: argparse.Namespace, settings: Settings) -> None:
    """Print what became of ``--tool``: its fate, its rank at every stage, and its recipe."""
    from retrieval.export import explained_json

    engine, answer = answer_query(args, settings)
    explained = engine.explain(answer, args.tool)
    recipe = recipe_for(explained.tool, answer, engine.catalog) if explained.tool else None
    explained_document = explained_json(explained, recipe)
    write_result(args, explained_document, lambda: _explained_text(explained) + recipe_text(recipe))


def _explained_text(explained: Explained) -> str:
    from retrieval.fit import input_needs

    name = explained.tool.name if explained.tool else explained.text
    head = f"{name}: {explained.fate.replace('_', ' ')}"
    head += f" ({explained.stage})" if explained.stage else ""
    head += f", rank {explained.rank}" if explained.rank else ""
    why = [f"because of: {', '.join(explained.reasons)}"] if explained.reasons else []
    needs = input_needs(explained.tool.needs) if explained.tool else ()
    why += [f"needs as input: {', '.join(needs)}"] if needs else []
    names = ", ".join(explained.did_you_mean)
    near = [f"did you mean {names}?"] if names else []
    return "\n".join([head, *why, *near, *map(_place_text, explained.places)])


def _place_text(place: Place) -> str:
    """Rank and score in one list; a rank behind its end was counted before the list was cut."""
    score = "-" if place.score is None else f"{place.score:.4f}"
    length = f"of {place.length}"
    if place.rank is not None and place.rank > place.length:
        length = f"before the cut to {place.length}"
    return (
        f"  {place.stage:28} rank {place.rank or '-':>5} {length:<22} "
        f"score {score:>9}  last listed {place.cut_off or 0:.4f}"
    )


def add_what_if(commands: Commands) -> None:
    """Add the parser of ``what-if``."""
    parser = _search_parser(commands, "what-if", "a search with one lever off", run_what_if)
    parser.add_argument("--off", required=True, help="tokens, graph, fit, rerank, expansion, ...")


def run_what_if(args: argparse.Namespace, settings: Settings) -> None:
    """Print the ranks that change when ``--off`` is off."""
    from retrieval.export import what_if_json

    engine, answer = answer_query(args, settings)
    change = engine.what_if(answer, args.off)
    rows = [f"  {m.name:40.40} {m.before or '-':>4} -> {m.after or '-'}" for m in change.moved]
    head = f"without {change.lever}: {len(rows)} tools move  [{change.mode}]"
    write_result(args, what_if_json(change), lambda: "\n".join([head, *rows]))


def add_replay(commands: Commands) -> None:
    """Add the parser of ``replay``."""
    parser = commands.add_parser("replay", help="a saved search again: the same, or what changed")
    parser.add_argument("file", type=path_argument, help="the JSON of a search")
    add_json(parser)
    parser.set_defaults(run=run_replay)


def run_replay(args: argparse.Namespace, settings: Settings) -> None:
    """Print whether a saved search gives the same ranks, and what changed since."""
    from retrieval import open_engine
    from retrieval.export import MAX_BYTES, replay_bytes, replay_json, saved_in

    try:
        with args.file.open("rb") as file:
            # One byte over the limit is enough for replay_bytes to refuse the file.
            data = file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise BadInput(f"FILE: {exc.strerror}; name a file saved with search --json") from exc
    # A file that is no saved search is refused before anything is loaded.
    saved_in(data)
    engine = open_engine(settings, seconds=None)
    replayed = replay_bytes(engine, data)
    write_result(args, replay_json(replayed), lambda: _replayed_text(replayed))


def _replayed_text(replayed: Replayed) -> str:
    head = "the same ranks" if replayed.same else f"{len(replayed.moved)} ranks differ"
    rows = [f"  {c.what}: {c.was or '-'} -> {c.now or '-'}" for c in replayed.changed]
    if not replayed.same and not rows:
        rows = ["  nothing that the file states is different"]
    rows += [f"  limit: {limit.text}" for limit in replayed.limits]
    moved = [f"  {r.id:40.40} {r.was or '-':>4} -> {r.now or '-'}" for r in replayed.moved]
    return "\n".join([head, *rows, *moved])
