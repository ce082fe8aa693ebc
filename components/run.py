"""One search as a series of views: named pieces of the page, each yielded when it changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic, perf_counter_ns
from typing import Any

from msgspec import structs

from components.boundary import guarded
from components.data import TOP_K, Data, Form, Shown
from components.render.graphs.graph import ROLES, graph_value
from components.render.graphs.reached import reached_words
from components.render.results.board import board, skeleton
from components.render.results.cards import cards
from components.render.results.compare import chosen_panel
from components.render.results.strip import stage_strip
from components.render.search.form import chips
from components.render.search.notices import excluded, notices, trouble
from components.render.search.stale import after_refusal
from components.render.search.status import finished, line, running
from components.render.words import EXPECTED
from components.share import query_string
from components.slices import slices_of
from components.tool_detail import detail_of
from retrieval import Answer, Engine, Tool, drawn

View = dict[str, Any]
"""Pieces of the page by name; a name that is absent stays as it is."""

OF_A_SCAN = ("recipe", "plan")
"""Pieces that were asked for with the scan on the page: empty once that is another."""

OF_A_LIST = (*OF_A_SCAN, "looking", "stale", "fate", "compared")
"""Pieces that were asked for beside a list or tell of it: empty once another list comes."""

MOMENT_S = 0.06
"""Stages that end sooner after another are painted with the next: each painting costs as much."""


def search(engine: Engine, form: Form, data: Data) -> Iterator[View]:
    """The views of one search: first the request, then each stage, then the complete answer.

    The last view is small: Gradio sends what came last once more. What is no text (buttons, the
    link) stands in it, because Gradio's page may miss that of a view which another follows closely.
    """
    data = data.for_text(form.text)
    if not data.note_on(form):
        data = replace(data, note=None)
    yield {**begun(form, data, engine), "data": data}
    answer: Answer | None = None
    painted_stages: tuple[str, ...] = ()
    # The first list is painted however soon it comes.
    painted, has_list = float("-inf"), False
    images = slices_of(data) if data.images else ()
    # The last stage may take long: what is there before it is painted at once.
    before_last = set(EXPECTED.get(form.mode, ())[:-1])
    for answer in engine.stream(form.text, form.mode, images=images, **sought(form, data)):
        now = tuple(n.name for n in answer.result.stages())
        due = monotonic() - painted > MOMENT_S or before_last <= set(now)
        if now != painted_stages and due and not answer.done:
            parts = {"board": board(answer), "strip": stage_strip(answer)}
            if not has_list and (partial_answer := first_list(answer)) is not None:
                parts |= listed_parts(partial_answer, form, data, engine.catalog)
                has_list = True
            yield {**parts, "status": running(answer), "running": True}
            painted, painted_stages = monotonic(), now
    if answer is not None:
        view = ended(answer, form, data, engine)
        last = {"link": view.pop("link"), "running": False}
        last["waiting"] = bool(answer.unloaded)
        yield {**view, "running": True}
        yield last


def first_list(answer: Answer) -> Answer | None:
    """The answer so far with the list of its latest stage as its own; None where there is none."""
    stages = [n for n in answer.result.stages() if n.ran and n.state.candidates]
    if not stages:
        return None
    state = structs.replace(answer.result.state, candidates=stages[-1].state.candidates)
    return structs.replace(answer, result=structs.replace(answer.result, state=state))


def listed_parts(answer: Answer, form: Form, data: Data, tools: Mapping[str, Tool]) -> View:
    """The list, and the tool on show beside it: the first one.

    What is asked of a row before the search has ended is answered from the same answer.
    """
    first = answer.candidates[0].tool if answer.candidates else None
    return {
        **dict.fromkeys(OF_A_LIST, ""),
        "cards": cards(answer, data, form),
        "detail": detail_of(first, answer, data, tools),
        "shown": Shown(answer=answer, form=form, scan_facts=data.scan_facts, taste=data.taste),
    }


def completed(engine: Engine, on_page: Shown, data: Data) -> Iterator[View]:
    """The views of the shown search, run again once what it lacked is loaded; before, no change."""
    if on_page.answer is not None and on_page.answer.unloaded and engine.ready:
        yield from search(engine, on_page.form, data)
    else:
        yield {}


def sought(form: Form, data: Data) -> dict[str, Any]:
    """The arguments of a search beside text, mode and images.

    Keyword arguments of ``Engine.stream`` and ``Engine.run``.
    """
    return {
        "scans": data.scans,
        "tokens": data.tokens,
        "muted_tokens": data.silenced,
        "excluded": form.excluded,
        "rerank": form.rerank,
        "refine": form.refine,
        "filters": form.filters,
        "off": form.off,
        "top_k": dict(form.sizes).get(TOP_K),
        "sizes": {name: size for name, size in form.sizes if name != TOP_K},
        "refused": data.refused,
        **data.taste.weighed,
    }


def begun(form: Form, data: Data, engine: Engine) -> View:
    """The view before the first stage has ended.

    Where the first list is there within a frame or two, an empty board would only be in its way.
    """
    at_once = engine.ready and not engine.language_model
    return {
        "status": line("Searching …", "running"),
        "notices": undo_notice(form, data, engine),
        "understood": data.note_on(form),
        "chips": chips(data, form, engine.wishes(form.text, data.silenced), catalog=engine.catalog),
        "running": True,
        **({} if at_once else {"board": skeleton(form.mode)}),
    }


def undo_notice(form: Form, data: Data, engine: Engine) -> str:
    """The notice that undoes the latest exclusion, while that is in effect."""
    tool = engine.catalog.get(data.undo)
    if tool is None or tool.id not in form.excluded:
        return ""
    return excluded(tool.name, tool.id)


def in_effect(answer: Answer, form: Form) -> Form:
    """The form as its tags change it, for what is shown; a tag holds for its own query only."""
    query = answer.query
    return replace(form, excluded=query.excluded, rerank=query.rerank, refine=query.refine)


def ended(answer: Answer, searched: Form, data: Data, engine: Engine) -> View:
    """Everything on the page once the answer is complete."""
    form = in_effect(answer, searched)
    finals = [c.tool.id for c in answer.candidates]
    graph = drawn(answer.result)
    return {
        **listed_parts(answer, searched, data, engine.catalog),
        "status": finished(answer),
        "board": board(answer),
        "strip": stage_strip(answer),
        "reached": reached_words(answer),
        # Text, because events of a search skip Gradio's postprocessing (see parts.SEARCH).
        "graph": json.dumps(
            graph_value(graph, finals, ROLES, engine.catalog), separators=(",", ":")
        ),
        "notices": undo_notice(form, data, engine) + notices(answer, form, data, engine.catalog),
        "chips": chips(data, form, answer.query.wishes, catalog=engine.catalog),
        "chosen": chosen_panel(tools_of(data, engine), answer, catalog=engine.catalog),
        "link": query_string(searched, data),
        "running": False,
    }


def tools_of(data: Data, engine: Engine) -> list[Tool]:
    """The chosen tools that the catalog still holds, in the order of choice."""
    return [engine.catalog[id] for id in data.chosen if id in engine.catalog]


def emptied(chosen_tools: Sequence[Tool]) -> View:
    """The view once nothing is left to search for: no list and no verdict of an earlier one."""
    texts = ("board", "cards", "strip", "reached", "notices", "understood", *OF_A_LIST)
    return {
        **dict.fromkeys(texts, ""),
        "status": line("Type what you want to do, or add a scan.", "done"),
        "detail": detail_of(None, None, Data()),
        "graph": json.dumps({"nodes": [], "edges": []}),
        "chosen": chosen_panel(chosen_tools, None),
        "shown": Shown(),
        "running": False,
    }


def broken(
    reason: str | None, form: Form, data: Data, on_page: Shown, chosen_tools: Sequence[Tool]
) -> View:
    """The view after a search that failed; ``reason`` is None for a defect of the program.

    The list on the page stays and tells whose it is, but not with verdicts of a removed scan.
    """
    message = "The search failed." if reason is None else "The search did not run."
    scans, _, refused = on_page.scan_facts
    if data.upload is None and (scans or refused):
        stays = emptied(chosen_tools)
    else:
        of_scan = OF_A_SCAN if data.scan_facts != on_page.scan_facts else ()
        stays = {**dict.fromkeys(of_scan, ""), "stale": after_refusal(form, data, on_page)}
    return {
        **stays,
        "status": line(message, "failed", at=str(perf_counter_ns())),
        "notices": trouble(reason),
        "running": False,
    }


def whatever_happens(
    views: Iterator[View], form: Form, data: Data, on_page: Shown, engine: Engine
) -> Iterator[View]:
    """The views of a search; what goes wrong ends in one more, of the list then on the page."""
    latest = on_page

    def noted() -> Iterator[View]:
        nonlocal latest
        for view in views:
            latest = view.get("shown", latest)
            yield view

    def ended_in_words(reason: str | None) -> View:
        return broken(reason, form, data, latest, tools_of(data, engine))

    return guarded("a search", noted(), ended_in_words)
