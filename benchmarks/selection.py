"""What a language model reads to select tools: ``python -m benchmarks.selection [REQUESTS]``.

Three ways to 15 tools, paired over requests: the three stages of ``biocortex``; the same mode
without vectors, where the model reads 200 records and then the expansion of those it named; and
the model alone over every record, in as many prompts as that takes. A model's time follows what
it reads and how often it is asked, so both are counted, at the prompts that are really composed.
The stand-in of the demos answers them in no time: the time is CPU time of all that is no model.
``plaza``, which asks none, stands beside them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

from retrieval import Engine, Settings, StageResult, open_engine, parse_query
from retrieval.core import Candidate, State
from retrieval.llm import LanguageModelRerank, ScriptedFile
from retrieval.settings import ROOT

SCRIPT = ROOT / "retrieval" / "llm" / "demo.json"
TASKS = Path(__file__).with_name("tasks.jsonl")
REQUESTS = 20
SECONDS = 60.0
"""For one call: the stand-in is waited for on a busy machine too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What one way sent for one request, and the CPU time of all beside the model."""

    tokens: float
    calls: float
    cpu_ms: float


def measured(run: Callable[[], StageResult]) -> Selection:
    """One selection, counted over the stages that asked the model, not those around them."""
    start = process_time()
    result = run()
    cpu = (process_time() - start) * 1000
    innermost = [node for node in (result, *result.walk()) if not node.children]
    totals = {
        name: sum(node.metrics.get(name, 0.0) for node in innermost)
        for name in ("llm_tokens_in", "llm_calls")
    }
    return Selection(tokens=totals["llm_tokens_in"], calls=totals["llm_calls"], cpu_ms=cpu)


def alone(engine: Engine, text: str) -> StageResult:
    """The model's selection from every record of the catalog, shown in the order of their ids."""
    tools = sorted(engine.catalog.values(), key=lambda tool: tool.id)
    candidates = tuple(Candidate(tool=tool, score=0.0) for tool in tools)
    stage = LanguageModelRerank(ScriptedFile(SCRIPT), seconds=SECONDS, in_parts=True)
    return stage.run(State(query=parse_query(text), candidates=candidates))


def selections(texts: Sequence[str]) -> dict[str, list[Selection]]:
    """Every way over every request, in turns."""
    staged, unindexed = (
        open_engine(Settings(llm_script=SCRIPT, llm_seconds=SECONDS, vector_search=on))
        for on in (True, False)
    )
    ways: Mapping[str, Callable[[str], StageResult]] = {
        "three stages": lambda text: staged.run(text, "biocortex").result,
        "the model over 200 records": lambda text: unindexed.run(text, "biocortex").result,
        "the model over every record": lambda text: alone(staged, text),
        "plaza": lambda text: staged.run(text, "plaza").result,
    }
    rows: dict[str, list[Selection]] = {name: [] for name in ways}
    for text in texts:
        for name, run in ways.items():
            rows[name].append(measured(lambda run=run, text=text: run(text)))  # type: ignore[misc]
    return rows


def table(rows: Mapping[str, Sequence[Selection]]) -> str:
    """Medians of each way, and of the paired ratios of what it reads to what the first way does."""
    first = next(iter(rows.values()))
    lines = [
        "| way | prompts | tokens read | times the first | CPU ms beside it |",
        "|---|---|---|---|---|",
    ]
    for name, selected in rows.items():
        ratio = median(one.tokens / base.tokens for one, base in zip(selected, first, strict=True))
        calls, tokens = median(s.calls for s in selected), median(s.tokens for s in selected)
        cpu = median(s.cpu_ms for s in selected)
        lines.append(f"| {name} | {calls:g} | {tokens:,.0f} | {ratio:.1f} | {cpu:.0f} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table over the first REQUESTS requests of tasks.jsonl."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    lines = TASKS.read_text("utf-8").splitlines()[:wanted]
    texts = [json.loads(line)["text"] for line in lines]
    print(f"{len(texts)} requests, medians\n\n{table(selections(texts))}")


if __name__ == "__main__":
    main()
