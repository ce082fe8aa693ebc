"""Search with format tokens in the text, or weigh them afterwards: ``python -m benchmarks.tokens``.

Requests whose task is known are asked with the facts of a scan. Right are the tools of the task
that state the scan's modality or a wider one; requests with fewer than two such tools, or with no
tool of the task that states another modality, show no difference and are left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from retrieval import Engine, Query, open_engine, parse_query
from retrieval.core import Modality, format_token
from retrieval.evaluation import measure
from retrieval.fit import answered
from retrieval.settings import ROOT

REQUESTS = ROOT / "tests" / "data" / "wishes_tuning.jsonl"

SCANS = (
    ("DICOM", Modality.CT, "3D"),
    ("NIfTI", Modality.MRI, "3D"),
    ("DICOM", Modality.PET, "3D"),
    ("TIFF", Modality.FLUORESCENCE, "2D"),
    ("SVS", Modality.SM, "2D"),
)
"""Format, modality and dimension of the files that stand for the common uploads."""

FIRST, DRAWS = 10, 2_000

Qrels = dict[str, dict[str, int]]


def cases(engine: Engine) -> tuple[dict[str, tuple[str, tuple[str, ...]]], Qrels]:
    """Per case the text and the tokens; and its right tools."""
    asked: dict[str, tuple[str, tuple[str, ...]]] = {}
    qrels: Qrels = {}
    lines = REQUESTS.read_text("utf-8").splitlines()
    for number, request in enumerate(map(json.loads, lines)):
        serving = [engine.catalog[i] for i in request["task_tools"] if i in engine.catalog]
        for format_name, modality, dimension in SCANS:
            token = format_token(modality)
            right = {tool.id: 1 for tool in serving if answered(tool, token)}
            other = [t for t in serving if t.modalities and t.id not in right]
            if len(right) > 1 and other:
                case = f"{number} {modality}"
                tokens = (f"format:{format_name}", token, f"format:{dimension}")
                asked[case], qrels[case] = (request["query"], tokens), right
    return asked, qrels


def variants(text: str, tokens: Sequence[str]) -> dict[str, Query]:
    """The query without the facts, with them weighed, in the text, and both."""
    plain = parse_query(text)
    weighed = parse_query(f"{text} {' '.join(tokens)}")
    in_text = replace(plain, text=f"{plain.text} {' '.join(tokens)}")
    both = replace(weighed, text=in_text.text)
    return {"without": plain, "weighed after": weighed, "in the text": in_text, "both": both}


def main() -> None:
    """Print nDCG@10 of each way, and the paired difference to weighing with its interval."""
    engine = open_engine()
    asked, qrels = cases(engine)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for case, (text, tokens) in asked.items():
        for name, query in variants(text, tokens).items():
            listed = engine.run(query, "hybrid").candidates[:FIRST]
            found = {c.tool.id: 1 / rank for rank, c in enumerate(listed, start=1)}
            runs.setdefault(name, {})[case] = found
    base = [measure({c: runs["weighed after"][c]}, {c: qrels[c]})["nDCG@10"] for c in asked]
    rng = np.random.default_rng(0)
    print(
        f"| {len(asked)} requests with a scan | nDCG@10 | against weighing after |\n|---|---|---|"
    )
    for name, run in runs.items():
        values = [measure({c: run[c]}, {c: qrels[c]})["nDCG@10"] for c in asked]
        gaps = np.subtract(values, base)
        means = [rng.choice(gaps, len(gaps)).mean() for _ in range(DRAWS)]
        low, high = np.percentile(means, [2.5, 97.5])
        interval = f"{gaps.mean():+.3f} [{low:+.3f}, {high:+.3f}]"
        print(f"| {name} | {np.mean(values):.3f} | {interval} |")


if __name__ == "__main__":
    main()
