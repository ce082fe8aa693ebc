"""Clinical and research tasks, each with the tools that serve it: ``python -m benchmarks.tasks``.

``tasks.jsonl`` is the list that tools were chosen by: modality by organ by task. A row without
tools is one for which nothing open was found. Written by those who wrote the records, so that it
tells whether records are found by what they are for, and not how other requests fare.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from retrieval import Engine, open_engine

TASKS = Path(__file__).parent / "tasks.jsonl"
SHOWN = 3


def missed(engine: Engine, tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tasks that no tool of their row serves in the first SHOWN, and gaps that are not told."""
    found = []
    for task in tasks:
        answer = engine.run(task["text"])
        first = {candidate.tool.id for candidate in answer.candidates[:SHOWN]}
        told = bool(answer.insight.gap.parts) or answer.low_confidence
        if not (first & set(task["tools"]) if task["tools"] else told):
            found.append(task)
    return found


def main() -> None:
    """Print the share, then every task that is missed."""
    tasks = [json.loads(line) for line in TASKS.read_text("utf-8").splitlines()]
    wrong = missed(open_engine(), tasks)
    served = [task for task in tasks if task["tools"]]
    lost = sum(bool(task["tools"]) for task in wrong)
    print(
        f"{len(served)} tasks with tools: {1 - lost / len(served):.3f} served in the first {SHOWN}"
    )
    print(f"{len(tasks) - len(served)} without: {len(wrong) - lost} of them not told as a gap")
    for task in wrong:
        print(f"  {task['id']}: {task['text']}")


if __name__ == "__main__":
    main()
