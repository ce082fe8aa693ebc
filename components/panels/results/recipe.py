"""Events of a recipe: written for a chosen tool, the scan on the page and the visitor's machine."""

from __future__ import annotations

import logging

import gradio as gr

from components.data import Data
from components.event_defaults import QUIET
from components.panels.js_bridge import sent
from components.parts import Parts
from components.render.results.recipe import no_recipe, recipe_panel
from components.server.assets import ROOT
from retrieval import Engine, Recipes, conversion_first, load_recipes, recipe_of

logger = logging.getLogger(__name__)


def events(parts: Parts, engine: Engine) -> None:
    """Wire the event that asks for a recipe; refused lines of the recipes file are logged."""
    recipes = load_recipes(ROOT / "recipes" / "recipes.jsonl")
    for one in recipes.refused:
        logger.warning("recipes: line %d was refused: %s", one.line, one.reason)

    def write(data: Data, event: gr.EventData) -> str:
        return shown(engine, recipes, sent(event), data)

    parts.bus.recipe(write, parts.data, parts.results.recipe, **QUIET)


def shown(engine: Engine, recipes: Recipes, id: str, data: Data) -> str:
    """The panel of one tool; empty for an unknown one."""
    tool = engine.catalog.get(id)
    if tool is None:
        return ""
    scan = data.scans[0] if data.scans else None
    recipe = recipe_of(recipes, tool, scan, data.mine.machine)
    if recipe is None:
        return no_recipe(tool)
    first = conversion_first(engine.catalog.values(), recipe)
    return recipe_panel(recipe, tool, first, engine.catalog, scan=scan is not None)
