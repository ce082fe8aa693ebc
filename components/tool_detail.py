"""The detail of a tool with its recipe for the visitor's scan and machine."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache

from components.data import Data
from components.render.results.detail import NO_TOOLS, detail, nothing_chosen
from components.server.assets import ROOT
from retrieval import Answer, Recipe, Recipes, Tool, load_recipes, recipe_of_upload

logger = logging.getLogger(__name__)


@cache
def recipes() -> Recipes:
    """Every recipe of the package, read once per process; refused lines are logged."""
    loaded = load_recipes(ROOT / "recipes" / "recipes.jsonl")
    for one in loaded.refused:
        logger.warning("recipes: line %d was refused: %s", one.line, one.reason)
    return loaded


def recipe_for(
    tool: Tool,
    data: Data,
    known_recipes: Recipes,
    tools: Mapping[str, Tool] = NO_TOOLS,
    request: str = "",
) -> Recipe | None:
    """The tool's recipe for the scan that it fits and the visitor's machine; None without one."""
    machine = data.profile.machine
    return recipe_of_upload(known_recipes, tool, data.scans, tools.values(), machine, request)


def detail_of(
    tool: Tool | None, answer: Answer | None, data: Data, tools: Mapping[str, Tool] = NO_TOOLS
) -> str:
    """The detail panel, or the place of one when there is no tool."""
    if tool is None:
        return nothing_chosen()
    request = answer.query.text if answer else ""
    recipe = recipe_for(tool, data, recipes(), tools, request)
    return detail(tool, answer, data, recipe, tools=tools)
