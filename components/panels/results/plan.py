"""A plan and a recipe for a chosen tool, the scan on the page and the visitor's machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gradio as gr

from components.data import Data, Shown
from components.events import EVENT_DEFAULTS
from components.panels.js_bridge import download, sent
from components.parts import Parts
from components.render.results.plan import no_recipe, no_scan, plan_panel, recipe_panel
from components.tool_detail import recipe_for, recipes
from retrieval import (
    Engine,
    Plan,
    Recipes,
    conversion_first,
    plan_cwl,
    plan_json,
    plan_of,
    why_no_recipe,
)


def events(parts: Parts, engine: Engine) -> None:
    """Wire the events that plan, save a plan as a file and write a recipe."""

    def show(data: Data, shown: Shown, event: gr.EventData) -> str:
        plan = plan_for(engine, sent(event), data, shown)
        if plan is None:
            return no_scan()
        return plan_panel(plan, engine.catalog[sent(event)], engine.catalog)

    def write(data: Data, shown: Shown, event: gr.EventData) -> str:
        request = shown.answer.query.text if shown.answer else ""
        return recipe_shown(engine, recipes(), sent(event), data, request)

    inputs = [parts.data, parts.shown]
    parts.bridge.plan(show, inputs, parts.results.plan, **EVENT_DEFAULTS)
    parts.bridge.planfile(_saver(engine), inputs, parts.bridge, **EVENT_DEFAULTS)
    parts.bridge.recipe(write, inputs, parts.results.recipe, **EVENT_DEFAULTS)


def plan_for(engine: Engine, id: str, data: Data, on_page: Shown) -> Plan | None:
    """The plan for a tool and the scan that it fits; None if either is missing.

    Repairs are the tasks of the scan doctor's warnings. Tools of the answer are preferred, in
    its order.
    """
    tool = engine.catalog.get(id)
    if tool is None or not data.scans or data.upload is None:
        return None
    answer = on_page.answer
    order = [c.tool.id for c in answer.candidates] if answer else []
    request = " ".join((answer.query.text, *answer.query.reading)) if answer else ""
    repairs = [f.task for f in data.upload.findings if f.severity == "warning" and f.task]
    return plan_of(
        engine.catalog,
        tool,
        data.scans[0],
        others=data.scans[1:],
        repairs=repairs,
        order=order,
        request=request,
        deadline=engine.deadline(),
    )


def _saver(engine: Engine) -> Callable[..., Any]:
    def save(data: Data, shown: Shown, event: gr.EventData) -> Any:  # noqa: ANN401
        kind, _, id = sent(event).partition(" ")
        plan = plan_for(engine, id, data, shown)
        if plan is None:
            return gr.skip()
        if kind == "cwl":
            text, name, media = plan_cwl(plan), "plan.cwl", "text/yaml;charset=utf-8"
        else:
            text, name = json.dumps(plan_json(plan), indent=2), "plan.json"
            media = "application/json"
        return download(name, media, text)

    return save


def recipe_shown(
    engine: Engine, known_recipes: Recipes, id: str, data: Data, request: str = ""
) -> str:
    """The panel of one tool for the request on the page; empty for an unknown one."""
    tool = engine.catalog.get(id)
    if tool is None:
        return ""
    recipe = recipe_for(tool, data, known_recipes, engine.catalog, request)
    if recipe is None:
        return no_recipe(tool, why_no_recipe(known_recipes, tool, data.scans, request))
    first = conversion_first(engine.catalog.values(), recipe)
    return recipe_panel(recipe, tool, first, engine.catalog, scan=bool(data.scans))
