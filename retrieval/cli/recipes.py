"""The recipe of a tool in words: what to run, how to get it, and whether it ran here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.core import Tool
    from retrieval.engine import Answer
    from retrieval.planning import Recipe


def recipe_for(tool: Tool, answer: Answer) -> Recipe | None:
    """The recipe of a tool for the first scan; None without one, or where none are shipped."""
    from retrieval.planning import load_recipes, recipe_of
    from retrieval.settings import ROOT

    path = ROOT / "assets" / "recipes" / "recipes.jsonl"
    if not path.is_file():
        return None
    scans = answer.query.scans
    return recipe_of(load_recipes(path), tool, scans[0] if scans else None)


def recipe_text(recipe: Recipe | None) -> str:
    """The recipe below an explanation, and whether it ran on a sample or why it did not."""
    if recipe is None:
        return ""
    ran = f"not run here: {recipe.not_run}"
    if recipe.ran_on:
        ran = f"ran on a sample on {recipe.ran_on}"
    install = [f"  get it with: {recipe.install}"] if recipe.install else []
    text = [f"  {line}" for line in recipe.text.split("\n")]
    return "\n".join(["", f"{recipe.title} ({ran})", *install, *text])
