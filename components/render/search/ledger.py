"""Which text of a search each component received, and which connections were opened."""

from __future__ import annotations

from components.render.markup import esc
from retrieval import Answer

ENCODERS = ("dense", "similarity", "late interaction", "vector search")
PLACES = (
    ("Sentence encoder", ENCODERS, "meant"),
    ("Keyword index", ("bm25",), "worded"),
    ("Cross-encoder", ("cross-encoder",), "search"),
)


def sent(answer: Answer) -> str:
    """One row per reader of the text; a reader that did not run got nothing."""
    query = answer.query
    texts = {
        "meant": query.english_text,
        "worded": query.worded_text,
        "search": query.search_text,
    }
    ran = {node.name.rsplit("/", 1)[-1] for node in answer.result.walk() if node.ran}
    rows = [
        (who, (texts[which] or "nothing") if not ran.isdisjoint(stages) else "nothing")
        for who, stages, which in PLACES
    ]
    rows += [("Language model", _model_text(answer)), ("Web search", "nothing")]
    if not all(scan.complete for scan in query.scans):
        rows.append(("Your scan", "read in part: only the files read before reading ended count"))
    calls = ", ".join(dict.fromkeys(f"{purpose} at {host}" for purpose, host in answer.outside))
    rows.append(("Connections to other machines", calls or "none: nothing left this machine"))
    body = "".join(f"<dt>{esc(who)}</dt><dd>{esc(text)}</dd>" for who, text in rows)
    return (
        f"<details class='ledger'><summary>What was sent where</summary><dl>{body}</dl></details>"
    )


def _model_text(answer: Answer) -> str:
    """What a language model was sent, also where it gave no answer that could be used."""
    budget = answer.result.state.budget
    if budget is None or not budget.used.calls:
        return "nothing"
    text = answer.query.search_text
    return f"{text} (with the tools or options it was to judge)" if text else "tools to judge"
