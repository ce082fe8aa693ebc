"""The answer of a search as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from retrieval.core import Filters, Query
from retrieval.engine import Answer
from retrieval.fit import summary_of


def table(answer: Answer) -> str:
    """What to know beforehand, then tools with their verdicts, then one line per stage."""
    head = f"{answer.query.search_text or '(no text)'}  [{answer.mode.name}]"
    parts = (_tools(answer), _clarification(answer), _stages(answer))
    return _in_blocks((head, *_remarks(answer)), *parts)


def listing(answer: Answer) -> str:
    """The table without its head and stages: no list of tools is shown without its remarks."""
    return _in_blocks(_remarks(answer), _tools(answer), _clarification(answer))


def _in_blocks(*blocks: Iterable[str]) -> str:
    return "\n\n".join(text for text in map("\n".join, blocks) if text)


def _remarks(answer: Answer) -> Iterator[str]:
    for r in answer.refused:
        part = f", part {r.member}" if r.member else ""
        yield f"not read: file {r.index}{part}: {r.reason}"
    yield from _asked(answer.query)
    if answer.wishes is not None and answer.wishes.text:
        yield answer.wishes.text
    yield from (f"note: {note}" for note in answer.insight.notes)
    if answer.insight.filtered_out:
        yield f"note: {answer.insight.filtered_out}"
    yield from (f"limit: {limit.text}" for limit in answer.limits)
    for name, near in answer.unmatched.items():
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        yield f"not excluded: no tool is called {name[:60]!r}{hint}"
    if answer.gap_words:
        yield f"gap: {answer.gap_words}"
    if answer.reason:
        yield f"doubtful: {answer.reason.replace('_', ' ')}"


def _asked(query: Query) -> Iterator[str]:
    """What restricts a search beside its text: filters, tools left out and wishes."""
    for field in fields(Filters):
        if values := getattr(query.filters, field.name):
            yield f"filter: {field.name} {', '.join(sorted(values))}"
    if query.excluded:
        yield f"left out: {', '.join(query.excluded)}"
    for w in query.wishes:
        yield f"wish: {w.kind} {w.value} ({w.strength}): {w.text or 'as an option'}"


def _tools(answer: Answer) -> Iterator[str]:
    scored = zip(answer.candidates, answer.shown_scores, strict=True)
    for rank, (c, score) in enumerate(scored, start=1):
        yield f"{rank:3}. {c.tool.name:32.32} {score:8.4f}  {c.tool.license or '-'}"
        if verdict := summary_of(c.fit):
            yield f"     [{verdict.verdict}] {verdict.text}"
        yield f"     {c.tool.description[:110]}"


def _clarification(answer: Answer) -> Iterator[str]:
    clarification = answer.clarification
    if clarification is None:
        return
    yield clarification.question
    for o in clarification.options:
        yield f"  {o.label:40.40} {o.tools:4} tools  search: {o.query}"
    if clarification.note:
        yield f"  (in its own words: {clarification.note})"


def _stages(answer: Answer) -> Iterator[str]:
    for node in answer.result.stages():
        count = len(node.state.candidates) if node.ran else 0
        yield f"{node.name:28} {node.status:9} {count:4} {node.elapsed_ms:8.1f} ms  {node.note}"
