"""Every table over labelled requests to the shipped catalog.

``python -m benchmarks.request_tables`` writes ``benchmarks/requests.md``, which the README quotes;
``make evaluate`` runs it after the judged sets.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from benchmarks import gaps, unseen, unseen_wishes, wishes
from retrieval import Engine

KEPT_APART = """\
Requests in researchers' words, by authors who had read the records and no rule; nothing is tuned
on them (tests/data/unseen/README.md says how each set came about). What "plain" and "hard" ask for
is in the catalog; `hard` holds long, misspelt, negated, colloquial, abbreviated, indirect and
foreign wording. Shares with 95 % intervals:"""

WISHES = """\
Requests with wishes about software. "task and wish": of the first five places, those that tools
with both could fill. A violation is a tool of the first five that states the opposite of a wish:"""

GAPS = """\
Requests that no record of the shipped catalog serves, and served ones beside them (`gaps_tuning`
holds those that the rule was written with; the others were kept apart):"""

READING = """\
How wishes are read, on sets that the reader was written with:"""


def report(engine: Engine) -> str:
    """All tables as Markdown."""
    blocks = (
        f"Measured {date.today():%Y-%m-%d} by `python -m benchmarks.request_tables`, over "
        f"{len(engine.catalog):,} records.",
        KEPT_APART,
        unseen.table(engine, "hybrid"),
        WISHES,
        "\n".join(unseen_wishes.report(engine)),
        GAPS,
        "\n".join(gaps.table(engine)),
        READING,
        "\n".join(wishes.report(engine)),
    )
    return "\n\n".join(blocks) + "\n"


def main() -> None:
    """Measure, write the page and print it."""
    text = report(wishes.ready_engine())
    Path(__file__).with_name("requests.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
