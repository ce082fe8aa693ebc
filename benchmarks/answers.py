"""Record answers, and compare two records: whether a change of code changed what is answered.

``python -m benchmarks.answers record FILE`` runs 300 searches of the judged and labelled queries
of tests/data over every mode and tag, 40 questions, and the sample scans beside the project where
they are there. ``python -m benchmarks.answers compare BEFORE AFTER`` prints the first differences;
its exit code is 1 where there are any. Times are left out of a record.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from retrieval import (
    BadInput,
    open_engine,
    open_question_engine,
    read_settings,
    response_json,
    scan_json,
    to_json,
)
from retrieval.scans import read_each
from retrieval.settings import ROOT

QUERIES = ("in_scope", "held_out", "query_ladder", "out_of_scope")
MODES = (*["hybrid"] * 6, "plaza", "biocortex", "agentic", "keyword", "vector", "rrf")
TAGS = ("", "", "", "[NO_RERANK] ", "[EXCLUDE:fiji|monai] ", "[REFINE] ")
SEARCHES, SCANS, QUESTIONS, SHOWN = 300, 60, 40, 10
SEED = 7
TIMED = re.compile(r"_ms$|elapsed|latency|seconds|^version$")
NO_SCAN = {".md", ".csv", ".py", ".txt"}


def untimed(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """The JSON without the keys that hold times."""
    if isinstance(value, dict):
        return {key: untimed(one) for key, one in value.items() if not TIMED.search(key)}
    return [untimed(one) for one in value] if isinstance(value, list) else value


def rows(name: str) -> list[str]:
    """The queries or questions of one file of tests/data, in its order."""
    lines = (ROOT / "tests" / "data" / f"{name}.jsonl").read_text("utf-8").splitlines()
    records = map(json.loads, lines)
    return [r.get("query") or r.get("question") or r.get("text") for r in records]


def searches() -> Iterator[tuple[str, Any]]:
    """Each search with its answer; the same ones in the same order every time."""
    engine = open_engine(read_settings(None))
    texts = sorted({text for name in QUERIES for text in rows(name) if text})
    random.Random(SEED).shuffle(texts)
    for number, text in enumerate(texts[:SEARCHES]):
        mode, tag = MODES[number % len(MODES)], TAGS[(number // 3) % len(TAGS)]
        yield f"search {number} {mode} {tag}{text}", to_json(engine.run(tag + text, mode))


def scans() -> Iterator[tuple[str, Any]]:
    """Each sample scan with what is read from it; nothing where the folder is absent."""
    folder = ROOT.parent / "shared" / "scans"
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in NO_SCAN)
    for path, upload in zip(files[:SCANS], read_each(files[:SCANS]), strict=True):
        yield f"scan {path.name}", scan_json(upload)


def questions() -> Iterator[tuple[str, Any]]:
    """Each question with its response or refusal."""
    asking = open_question_engine(read_settings(None))
    for text in rows("ask_questions")[:QUESTIONS]:
        try:
            yield f"ask {text}", response_json(asking.ask(text))
        except BadInput as exc:
            yield f"ask {text}", str(exc)


def compare(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The keys whose answers differ or are in one record only, sorted."""
    return sorted(key for key in {*before, *after} if before.get(key) != after.get(key))


def main() -> int:
    """Record or compare."""
    parser = argparse.ArgumentParser(description="Record answers, or compare two records.")
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("record").add_argument("file", type=Path)
    two = actions.add_parser("compare")
    two.add_argument("before", type=Path)
    two.add_argument("after", type=Path)
    args = parser.parse_args()
    if args.action == "record":
        record = {key: untimed(one) for part in (searches, scans, questions) for key, one in part()}
        args.file.write_text(json.dumps(record, ensure_ascii=False, sort_keys=True), "utf-8")
        print(f"{len(record)} answers recorded")
        return 0
    different = compare(
        *(json.loads(path.read_text("utf-8")) for path in (args.before, args.after))
    )
    print(f"{len(different)} answers differ")
    print("\n".join(different[:SHOWN]))
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
