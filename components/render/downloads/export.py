"""The answer as files a visitor can keep: CSV and JSON, made in memory."""

from __future__ import annotations

import json
import unicodedata

import pandas as pd

from retrieval import Answer, to_json

FORMULA = ("=", "+", "-", "@")
BEFORE = ("Cc", "Cf", "Zl", "Zp", "Zs")
"""What a spreadsheet may drop in front: controls, marks without width, blanks."""
FIXED = ("rank", "id", "name", "url", "license", "retrieval_score", "description")


def cell(value: object) -> str:
    """A cell that no spreadsheet takes for a formula (OWASP ASVS 1.2.10).

    A text gets an apostrophe in front where a control character comes first, or, after what
    a spreadsheet may drop, a sign that begins a formula (full-width ones included: NFKC).
    """
    text = "" if value is None else str(value)
    if isinstance(value, int | float) or not text:
        return text
    first = next((c for c in text if unicodedata.category(c) not in BEFORE), "")
    is_formula = unicodedata.normalize("NFKC", first).startswith(FORMULA)
    return f"'{text}" if is_formula or unicodedata.category(text[0]) == "Cc" else text


def as_csv(answer: Answer) -> str:
    """One row per tool: rank, facts, scores and rank in every stage.

    In the order of the answer, with a header; lines end with CRLF (RFC 4180). A rank is empty where
    a stage does not list the tool.
    """
    data = to_json(answer)
    stages = [s for s in data["stages"] if s["candidates"]]
    ranks = {s["name"]: {c["id"]: c["rank"] for c in s["candidates"]} for s in stages}
    rows = []
    for one in data["candidates"]:
        fit = "; ".join(f"{f['fact']}: {f['verdict']}" for f in one["fit"] or ())
        ranks_of_tool = {f"rank in {name}": rank.get(one["id"]) for name, rank in ranks.items()}
        rows.append({**{key: one[key] for key in FIXED}, "fit": fit, **ranks_of_tool})
    columns = [*FIXED, "fit", *(f"rank in {name}" for name in ranks)]
    table = pd.DataFrame(rows, columns=columns, dtype=object).map(cell)
    table.columns = pd.Index([cell(column) for column in columns])
    return table.to_csv(index=False, lineterminator="\r\n")


def as_json(answer: Answer) -> str:
    """The contract's JSON, indented."""
    return json.dumps(to_json(answer), ensure_ascii=False, indent=2)
