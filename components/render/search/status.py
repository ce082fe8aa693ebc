"""The live line under the search box, the latency strip, the status pill, the rounds; pure."""

from __future__ import annotations

from collections.abc import Mapping

from components.render.markup import attrs, esc
from components.render.search.model import sent, usage_line
from components.render.words import count, kind_of_stage, milliseconds, stage_label
from retrieval import Answer, StageResult


def line(text: str, state: str, *, strip: str = "", at: str = "") -> str:
    """One sentence for everyone, with the page's state as data: idle, running, done, ...

    ``at`` makes it another line than an equal one before, over which the page's script may have
    written: Gradio paints what is new alone.
    """
    out = attrs(class_="status", data_state=state, data_at=at or None)
    return f"<div{out}><p>{esc(text)}</p>{strip}</div>"


def idle(model: str, *, web: bool) -> str:
    """The line before the first search: what would leave this server, by the settings.

    ``model`` is the language model that is set up, empty without one; ``web`` tells whether a
    visitor can switch a search of the web on.
    """
    leaves = []
    if model:
        leaves.append(
            f"{model} may be sent your words and the tools found: “Language model” shows what."
        )
    if web:
        leaves.append("The web is sent your words only where you switch that on.")
    notice = " ".join(leaves) or "Nothing leaves this server."
    return line(f"Type a task and press Find. {notice}", "idle")


def running(answer: Answer) -> str:
    """What has just been done."""
    last = [n for n in answer.result.stages() if n.ran]
    if not last:
        return line("Searching …", "running")
    node = last[-1]
    text = f"{stage_label(node.name)} done in {milliseconds(node.elapsed_ms)}; going on …"
    return line(text, "running")


def finished(answer: Answer) -> str:
    """How many tools in how much time."""
    tools = count(len(answer.candidates), "tool")
    text = f"{tools[:1].upper()}{tools[1:]} in {milliseconds(answer.total_ms)}"
    inner = latency(answer) + usage_line(answer) + sent(answer)
    times = f"<details class='times'><summary>Times</summary><div>{inner}</div></details>"
    return line(text, "done", strip=times)


def own_ms(node: StageResult) -> float:
    """A stage's time without that of the stages inside it.

    In milliseconds and never below zero: children that ran in parallel can add up to more than
    their parent took.
    """
    return max(0.0, node.elapsed_ms - sum(child.elapsed_ms for child in node.children))


def latency(answer: Answer) -> str:
    """One bar, one segment per stage in the colour of its kind, as wide as its share of the time.

    Stages below one per cent of the total would be thinner than a pixel: they and the time between
    stages are one segment, so that the segments add up to the total.
    """
    parts = [(n.name, own_ms(n)) for n in answer.result.walk() if n.ran and not _is_unasked(n)]
    total = max(answer.total_ms, sum(ms for _, ms in parts))
    # A search answered from nothing takes no measurable time.
    if total <= 0:
        return ""
    entries = [
        (stage_label(name), kind_of_stage(name), ms) for name, ms in parts if ms / total >= 0.01
    ]
    entries.append(("Everything else", "other", total - sum(ms for _, _, ms in entries)))
    segments = "".join(
        f"<i{attrs(style=f'flex-grow:{ms / total:.4f}', class_=f'kind-{kind}')}></i>"
        for _, kind, ms in entries
    )
    words = "".join(
        f"<li{attrs(class_=f'kind-{kind}')}>{esc(label)} {esc(milliseconds(ms))}</li>"
        for label, kind, ms in entries
    )
    return f"<div class='strip' aria-hidden='true'>{segments}</div><ul class='legend'>{words}</ul>"


def _is_unasked(stage: StageResult) -> bool:
    """The web where no word asks for it: it looked at the words alone, which is no search of it."""
    return stage.name.rsplit("/", 1)[-1] == "web" and not stage.listed


def pill(*, ready: bool | None, tools: int, model: str = "") -> str:
    """Whether everything is loaded, how large the catalog is, and which model is set up.

    ``ready`` is None where that is not known: in a page that is built before it is visited.
    """
    states = {None: ("unknown", ""), True: ("ready", "Ready"), False: ("warming", "Warming up")}
    state, word = states[ready]
    how = f"language model: {model}" if model else "works offline"
    text = " · ".join(part for part in (word, count(tools, "tool"), how) if part)
    return f"<p{attrs(class_='pill', data_state=state)}><i aria-hidden='true'></i>{esc(text)}</p>"


BY = {
    "agentic": "Judged by the language model",
    "agentic_deterministic": "Judged by the concepts of your words, without a language model",
}

ONE: Mapping[bool | None, str] = {
    True: "One round was enough.",
    False: "There was one round.",
    None: "It is not known whether one round is enough.",
}


def rounds_panel(answer: Answer) -> str:
    """How many rounds, who judged, what was missing and asked; nothing in other modes.

    Empty while the search is running, since the number of rounds is not known before its end.
    """
    rounds = answer.agentic
    if rounds is None or not answer.done:
        return ""
    if rounds.fallback_reason is not None:
        return _box("Plain search: the rounds gave no result.", [rounds.fallback_reason])
    by = f"{BY[rounds.retrieval_mode]}: {rounds.reasoning}" if rounds.reasoning else ""
    if not rounds.is_multi_round:
        return _box(ONE[rounds.is_sufficient], [by])
    missing = f"Missing: {', '.join(rounds.missing_info)}" if rounds.missing_info else ""
    hits = count(rounds.multi_query_total_docs, "hit")
    queries = "".join(f"<li>{esc(query)}</li>" for query in rounds.refined_queries)
    merged = f"{hits} of these searches and the first list were merged to {rounds.round2_count}."
    rows = f"<p class='sub'>Then searched for</p><ol>{queries}</ol><p class='sub'>{esc(merged)}</p>"
    return _box("Searched in two rounds.", [by, missing], rows)


def _box(title: str, lines: list[str], more: str = "") -> str:
    out = attrs(class_="notice notice-info rounds", role="status")
    paragraphs = "".join(f"<p>{esc(line)}</p>" for line in lines if line)
    return f"<div{out}><p class='title'>{esc(title)}</p>{paragraphs}{more}</div>"
