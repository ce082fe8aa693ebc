"""Whether the answer admits what no record states: in-field gaps, and requests that are served.

``python -m benchmarks.gaps`` prints the table; ``python -m benchmarks.request_tables`` quotes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from retrieval import Answer, Engine, open_engine
from retrieval.settings import ROOT

SETS = (
    ROOT / "tests" / "data" / "gaps_tuning.jsonl",
    ROOT / "tests" / "data" / "unseen" / "gaps.jsonl",
    ROOT / "tests" / "data" / "unseen" / "gaps_2.jsonl",
    ROOT / "tests" / "data" / "unseen" / "gaps_3.jsonl",
)
"""The requests that the rule was written with; and the sets that were kept apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One request: whether it is a gap, and whether the answer admits one or refuses."""

    query: str
    gap: bool
    admitted: bool
    refused: bool
    part: bool | None


def judged(path: Path, engine: Engine, mode: str = "hybrid") -> list[Judged]:
    """Every row of a set with what the answer says; ``part``: a stated part is among the unmet."""
    rows = []
    for line in filter(str.strip, path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        answer = engine.run(row["query"], mode)
        unmet = " ".join(one.value for one in answer.insight.gap.unmet).casefold()
        named = f"{unmet} {_typed(engine, answer)}" if unmet else ""
        words = [word.casefold() for word in _words(row.get("parts") or ())]
        rows.append(
            Judged(
                query=row["query"],
                gap=row["gap"],
                admitted=bool(unmet),
                refused=answer.low_confidence,
                part=any(w in named or unmet in w for w in words) if words and unmet else None,
            )
        )
    return rows


def _typed(engine: Engine, answer: Answer) -> str:
    """The unmet parts in the words of the text: of another language they are named in English."""
    judge, text = engine.current().gaps, answer.query.text
    unmet = {one.value for one in answer.insight.gap.unmet}
    parts = judge.parts(text) if judge else ()
    return " ".join(text[p.start : p.end] for p in parts if p.value in unmet).casefold()


def _words(parts: object) -> list[str]:
    """The words of the parts of a row: texts, in lists or under keys of any name."""
    if isinstance(parts, str):
        return [parts] if parts else []
    inner = parts.values() if isinstance(parts, dict) else parts
    return [word for part in inner for word in _words(part)] if isinstance(inner, Iterable) else []


def table(engine: Engine, sets: Iterable[Path] = SETS) -> list[str]:
    """The table as Markdown; a set that is not there has no row."""
    lines = [
        "| set | gaps | admitted | refused as out of scope | served | false alarms | right part |",
        "|---|---|---|---|---|---|---|",
    ]
    for path in (p for p in sets if p.is_file()):
        rows = judged(path, engine)
        gaps, served = [r for r in rows if r.gap], [r for r in rows if not r.gap]
        parts = [r.part for r in gaps if r.part is not None]
        cells = (
            path.stem,
            len(gaps),
            _share(sum(r.admitted for r in gaps), len(gaps)),
            _share(sum(r.refused for r in gaps), len(gaps)),
            len(served),
            _share(sum(r.admitted for r in served), len(served)),
            _share(sum(map(bool, parts)), len(parts)),
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def _share(count: int, number: int) -> str:
    return f"{count / number:.1%}" if number else "-"


def milliseconds(engine: Engine, queries: Iterable[str]) -> float:
    """The mean time of one judgement."""
    judge = engine.current().gaps
    texts = list(queries)
    if judge is None or not texts:
        return 0.0
    start = perf_counter()
    for text in texts:
        judge.judge(text)
    return 1000 * (perf_counter() - start) / len(texts)


def main() -> None:
    """Print the table and the time of one judgement."""
    engine = open_engine()
    engine.wait()
    print("\n".join(table(engine)))
    rows = SETS[0].read_text("utf-8").splitlines()
    mean = milliseconds(engine, (json.loads(row)["query"] for row in rows))
    print(f"\n{mean:.2f} ms for one judgement")


if __name__ == "__main__":
    main()
