"""The recipe of a tool in words: what to run, how to get it, and whether it ran here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from retrieval.core import Tool
    from retrieval.engine import Answer
    from retrieval.planning import NoRecipe, Recipe


def recipe_for(tool: Tool, answer: Answer, tools: Mapping[str, Tool]) -> Recipe | NoRecipe | None:
    """The recipe of a tool for the scan that it fits, or why it has none where that is on record.

    None without both, or where no recipes are shipped.
    """
    from retrieval.planning import load_recipes, recipe_of_upload, why_no_recipe
    from retrieval.settings import ROOT

    path = ROOT / "assets" / "recipes" / "recipes.jsonl"
    if not path.is_file():
        return None
    recipes = load_recipes(path)
    scans, request = answer.query.scans, answer.query.text
    recipe = recipe_of_upload(recipes, tool, scans, tools.values(), request=request)
    return recipe or why_no_recipe(recipes, tool, scans, request)


def recipe_text(recipe: Recipe | NoRecipe | None) -> str:
    """The recipe below an explanation, and whether it ran on a sample or why it did not."""
    from retrieval.planning import NoRecipe

    if recipe is None:
        return ""
    if isinstance(recipe, NoRecipe):
        return f"\n\nno recipe (pages read on {recipe.checked_on}): {recipe.reason}"
    ran = f"not run here: {recipe.not_run}"
    if recipe.ran_on:
        ran = f"ran on a sample on {recipe.ran_on}"
    install = [f"  get it with: {recipe.install}"] if recipe.install else []
    text = [f"  {line}" for line in recipe.text.split("\n")]
    return "\n".join(["", f"{recipe.title} ({ran})", *install, *text])
