"""The commands that explain and compare: ``explain``, ``what-if``, ``similar`` and ``replay``."""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.core import BadInput
from retrieval.explain import Wanted
from retrieval.export import (
    MAX_BYTES,
    explained_json,
    replay_bytes,
    replay_json,
    similar_json,
    what_if_json,
)

if TYPE_CHECKING:
    from retrieval.engine import Answer, Engine
    from retrieval.explain import Explained, Similar, WhatIf
    from retrieval.export import Replayed
    from retrieval.settings import Settings

Commands = Any  # argparse names the type of its sub-commands nowhere in public
_SINCE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")

MOST = 50
"""The longest list of similar tools."""


def path_argument(text: str) -> Path:
    """The path of an argument; argparse refuses one with a name that no file system takes."""
    try:
        os.stat(text)
    except OSError as exc:
        if exc.errno == errno.ENAMETOOLONG:
            longest = max(map(len, Path(text).parts))
            reason = f"a name of {longest} characters is too long for a file; shorten it"
            raise argparse.ArgumentTypeError(f"{text[:20]}...: {reason}") from None
    return Path(text)


def add_commands(commands: Commands) -> None:
    """Add the four commands to a parser's own."""
    explain = commands.add_parser("explain", help="what became of one tool in a search")
    what_if = commands.add_parser("what-if", help="a search with one lever off")
    for one in (explain, what_if):
        one.add_argument("text")
        one.add_argument("--file", action="append", default=[], type=path_argument, dest="files")
        one.add_argument("--mode", default="hybrid")
    explain.add_argument("--tool", required=True, help="id or name")
    what_if.add_argument("--off", required=True, help="tokens, graph, fit, rerank, expansion, ...")
    similar = commands.add_parser("similar", help="tools like another one")
    similar.add_argument("tool", help="id or name")
    similar.add_argument("--open", action="store_true", help="under an open licence")
    similar.add_argument("--cpu", action="store_true", help="that need no GPU")
    similar.add_argument("--since", help="with a release since YYYY[-MM[-DD]]")
    similar.add_argument("--limit", type=int, default=10)
    replay = commands.add_parser("replay", help="a saved search again: the same, or what changed")
    replay.add_argument("file", type=path_argument, help="the JSON of a search")
    for one in (explain, what_if, similar, replay):
        one.add_argument("--json", action="store_true")


def run_explain(args: argparse.Namespace, settings: Settings) -> None:
    """Print what became of ``--tool``."""
    engine, answer = searched(args, settings)
    told = engine.explain(answer, args.tool)
    _write(args, explained_json(told), lambda: _explained(told))


def run_what_if(args: argparse.Namespace, settings: Settings) -> None:
    """Print the ranks that change when ``--off`` is off."""
    engine, answer = searched(args, settings)
    told = engine.what_if(answer, args.off)
    _write(args, what_if_json(told), lambda: _moved(told))


def run_similar(args: argparse.Namespace, settings: Settings) -> None:
    """Print the tools like one."""
    if args.since is not None and not _SINCE.fullmatch(args.since):
        raise BadInput(
            f"--since: {args.since[:20]!r} is no date; write YYYY, YYYY-MM or YYYY-MM-DD"
        )
    if not 1 <= args.limit <= MOST:
        raise BadInput(f"--limit: {args.limit} is outside 1 to {MOST}")
    from retrieval import open_engine

    engine = open_engine(settings)
    engine.wait()
    wanted = Wanted(open_license=args.open, cpu=args.cpu, since=args.since)
    told = engine.similar(args.tool, wanted, args.limit)
    _write(args, similar_json(told), lambda: _alike(told))


def run_replay(args: argparse.Namespace, settings: Settings) -> None:
    """Print whether a saved search gives the same ranks, and what changed since."""
    try:
        with args.file.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise BadInput(f"FILE: {exc.strerror}; name a file saved with search --json") from exc
    from retrieval import open_engine

    engine = open_engine(settings)
    engine.wait()
    told = replay_bytes(engine, data)
    _write(args, replay_json(told), lambda: _replayed(told))


def searched(
    args: argparse.Namespace, settings: Settings, top_k: int | None = None
) -> tuple[Engine, Answer]:
    """The engine, once all of it is ready, and its answer to the text and files given."""
    if not args.text.strip() and not args.files:
        raise BadInput("TEXT is empty and there is no --file; say what you want to do")
    from retrieval import open_engine

    engine = open_engine(settings)
    engine.check(args.mode)
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
        top_k=top_k,
    )
    return engine, answer


def _write(args: argparse.Namespace, data: dict[str, Any], text: Callable[[], str]) -> None:
    told = json.dumps(data, ensure_ascii=False) if args.json else text()
    sys.stdout.write(told + "\n")


def _explained(told: Explained) -> str:
    name = told.tool.name if told.tool else told.asked
    head = f"{name}: {told.fate.replace('_', ' ')}"
    head += f" ({told.stage})" if told.stage else ""
    head += f", rank {told.rank}" if told.rank else ""
    why = [f"because of: {', '.join(told.reasons)}"] if told.reasons else []
    near = [f"did you mean {', '.join(told.did_you_mean)}?"] if told.did_you_mean else []
    rows = [
        f"  {p.stage:28} rank {p.rank or '-':>5} of {p.length:<4} "
        f"score {'-' if p.score is None else f'{p.score:.4f}':>9}  last {p.cut_off or 0:.4f}"
        for p in told.places
    ]
    return "\n".join([head, *why, *near, *rows])


def _moved(told: WhatIf) -> str:
    rows = [f"  {m.name:40.40} {m.before or '-':>4} -> {m.after or '-'}" for m in told.moved]
    return "\n".join([f"without {told.lever}: {len(rows)} tools move  [{told.mode}]", *rows])


def _replayed(told: Replayed) -> str:
    head = "the same ranks" if told.same else f"{len(told.moved)} ranks differ"
    rows = [f"  {c.what}: {c.was or '-'} -> {c.now or '-'}" for c in told.changed]
    if not told.same and not rows:
        rows = ["  nothing that the file tells is different"]
    rows += [f"  limit: {limit.text}" for limit in told.limits]
    moved = [f"  {r.id:40.40} {r.was or '-':>4} -> {r.now or '-'}" for r in told.moved]
    return "\n".join([head, *rows, *moved])


def _alike(told: Similar) -> str:
    lines = [f"like {told.tool.name}:", *(f"  ({note})" for note in told.notes)]
    for rank, one in enumerate(told.found, start=1):
        suite = "  same suite" if one.same_suite else ""
        lines.append(f"{rank:3}. {one.candidate.tool.name:40.40} {one.candidate.score:.4f}{suite}")
        lines += [
            f"       {d.field}: {', '.join(d.this) or '-'} | {', '.join(d.other) or '-'}"
            for d in one.differences
        ]
    return "\n".join(lines)
