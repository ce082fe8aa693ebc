"""What a language model would be sent, what was sent where, and what it cost; pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

from components.render.codes import tokens_named
from components.render.markup import attrs, esc
from components.render.words import count, milliseconds, stage_label
from retrieval import Answer, Outgoing


def outgoing_panel(outgoing: Outgoing | None, offered: Outgoing | None = None) -> str:
    """Host, model, images and the exact text of the first prompt, then what may follow it.

    ``offered`` is the same request with the images of the scan, where they may be sent but
    the visitor has not allowed it; of its text only the lines that ``outgoing`` lacks are shown.
    """
    if outgoing is None:
        return "<p class='sub' role='status'>This search would send nothing.</p>"
    with_images = f" and {count(len(outgoing.images), 'image')}" if outgoing.images else ""
    where = f"at {outgoing.host}" if outgoing.host else "on this machine"
    line = f"To {outgoing.model} {where}: the text below{with_images}, and nothing else."
    line += f" At most {outgoing.tokens:,} tokens" + (
        f", {outgoing.cost:.4f} with its answer." if outgoing.cost else "."
    )
    panel = f"<p role='status'>{esc(line)}</p>{_pictures(outgoing)}{_prompt(outgoing.text)}"
    if outgoing.then:
        line = "This may follow; the answer before it can change which tools or options it names."
        panel += f"<p>{esc(line)}</p>" + "".join(map(_prompt, outgoing.then))
    if offered:
        images, before = count(len(offered.images), "image"), set(outgoing.text.splitlines())
        line = f"Only once the box above is ticked: {images} as well, and these lines of the text:"
        changed = "\n".join(row for row in offered.text.splitlines() if row not in before)
        panel += f"<p>{esc(line)}</p>{_pictures(offered)}{_prompt(changed)}"
    return panel


def _pictures(outgoing: Outgoing) -> str:
    images = "".join(
        f"<img{attrs(src=f'data:image/png;base64,{b64encode(one).decode()}', alt=f'Image {n}')}>"
        for n, one in enumerate(outgoing.images, start=1)
    )
    return f"<div class='leaving'>{images}</div>" if images else ""


def _prompt(text: str) -> str:
    return f"<pre{attrs(class_='outgoing', tabindex=0)}>{esc(text)}</pre>"


def usage_line(answer: Answer) -> str:
    """Calls, tokens, cost and time of one search, then of each stage; nothing without a call.

    Stages are listed only where more than one called the model. Times are in milliseconds.
    """
    budget = answer.result.state.budget
    total = budget.used.metrics() if budget else {}
    if not total:
        return ""
    stages = _by_stage(answer)
    rows = "".join(f"<li>{esc(f'{name}: {usage_words(one)}')}</li>" for name, one in stages)
    more = f"<ul class='usage'>{rows}</ul>" if len(stages) > 1 else ""
    return f"<p class='sub'>Language model: {esc(usage_words(total))}.</p>{more}"


def usage_words(usage: Mapping[str, float]) -> str:
    """``1 call, 1200 tokens in, 80 out, 900 ms``, and the cost where prices are set."""
    tokens = f"{int(usage.get('llm_tokens_in', 0))} tokens in, "
    tokens += f"{int(usage.get('llm_tokens_out', 0))} out"
    cost = usage.get("llm_cost", 0.0)
    parts = [count(int(usage["llm_calls"]), "call"), tokens, milliseconds(usage.get("llm_ms", 0.0))]
    parts += [f"cost {cost:.4f}"] if cost else []
    return ", ".join(parts)


def _by_stage(answer: Answer) -> list[tuple[str, Mapping[str, float]]]:
    """The stages that asked, each once: a stage that took over another's result is left out."""
    stages: list[tuple[str, Mapping[str, float]]] = [
        (stage_label(node.name), node.metrics)
        for node in answer.result.walk()
        if node.metrics.get("llm_calls")
        and not any(c.metrics == node.metrics for c in node.children)
    ]
    question = answer.clarification
    if question and question.metrics:
        stages.append(("Question back", question.metrics))
    return stages


READERS = {
    "sentence encoder": "Sentence encoder",
    "keyword index": "Keyword index",
    "cross-encoder": "Cross-encoder",
    "language model": "Language model",
}
"""Readers that every search names, with nothing where they got nothing."""

AFTERWARDS = "nothing by this search; a search of the web after it says itself what it sent"

NOWHERE = "none: this search sent nothing elsewhere"

WEIGHED = "raised the tools that state them after the search; not part of the text above"


def sent(answer: Answer) -> str:
    """One row per reader of the text, as recorded at its calls; then what became of the tokens."""
    texts: dict[str, list[str]] = {reader: [] for reader in READERS}
    for reading in answer.ledger:
        texts.setdefault(reading.reader, []).append(reading.text)
    # The longest first: signals of the ranking read parts of it.
    ordered = {
        r: sorted(dict.fromkeys(of_reader), key=len, reverse=True) for r, of_reader in texts.items()
    }
    rows = [
        (label, " · ".join(filter(None, ordered[r])) or "nothing") for r, label in READERS.items()
    ]
    if not texts["language model"]:
        rows[-1] = ("Language model", _model_text(answer))
    weighed = next((r.text for r in answer.ledger if r.tokens == "weighed"), "")
    rows += [("Scan facts", f"{tokens_named(weighed.split())}: {WEIGHED}")] if weighed else []
    rows.append(("Web search", AFTERWARDS))
    if not all(scan.complete for scan in answer.query.scans):
        rows.append(("Your scan", "read in part: only the files read before reading ended count"))
    calls = ", ".join(dict.fromkeys(f"{purpose} at {host}" for purpose, host in answer.outside))
    rows.append(("Connections to other machines", calls or NOWHERE))
    body = "".join(f"<dt>{esc(who)}</dt><dd>{esc(text)}</dd>" for who, text in rows)
    return (
        f"<details class='ledger'><summary>What was sent where</summary><dl>{body}</dl></details>"
    )


def _model_text(answer: Answer) -> str:
    """What a language model was sent by a stage that keeps no record of its own."""
    budget = answer.result.state.budget
    if budget is None or not budget.used.calls:
        return "nothing"
    text = answer.query.search_text
    return f"{text} (with the tools or options it was to judge)" if text else "tools to judge"
