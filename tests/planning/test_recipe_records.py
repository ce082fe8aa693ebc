"""What is a recipe: every flag has a source, every placeholder somebody who fills it."""

import json

import pytest

from retrieval.core.errors import BadInput
from retrieval.planning.recipes import load_recipes

GOOD = {
    "tool": "shave",
    "kind": "command",
    "title": "Shave a yak",
    "template": "shave --yak {INPUT} {DEVICE}",
    "filled": {"DEVICE": {"fact": "gpu", "cases": {"no": "--slow"}, "otherwise": ""}},
    "left": {"INPUT": {"what": "your yak", "shown": "YAK.nii.gz"}},
    "outputs": ["wool"],
    "flags": {"--yak": "https://yaks.example/help", "--slow": "https://yaks.example/help"},
    "sources": ["https://yaks.example/help"],
    "checked_on": "2026-11-21",
    "not_run": "no yak is at hand",
}
CELL = {
    **GOOD,
    "kind": "notebook",
    "template": 'from yaks import shave\n\nshave("{INPUT}", slow={DEVICE})\n',
    "filled": {"DEVICE": {"fact": "gpu", "cases": {"no": "True"}, "otherwise": "False"}},
    "flags": {"shave": "https://yaks.example", "shave(slow)": "https://yaks.example"},
}


def loaded(tmp_path, *records):
    path = tmp_path / "recipes.jsonl"
    lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
    path.write_text("\n".join(lines), "utf-8")
    return load_recipes(path)


@pytest.mark.parametrize("record", [GOOD, CELL])
def test_a_whole_recipe_is_taken(tmp_path, record):
    recipes = loaded(tmp_path, record)
    assert recipes.refused == ()
    assert recipes.by_tool["shave"].title == "Shave a yak"


NONE = {
    "tool": "comb",
    "reason": "Works in its own window only.",
    "sources": ["https://yaks.example"],
    "checked_on": "2026-11-23",
}


def test_a_line_says_why_a_tool_has_no_recipe(tmp_path):
    recipes = loaded(tmp_path, GOOD, NONE)
    assert recipes.refused == ()
    assert recipes.none["comb"].reason == "Works in its own window only."
    assert "comb" not in recipes.by_tool


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tool": "shave"}, "a second recipe for shave"),
        ({"sources": []}, "sources: "),
        ({"reason": "no sentence"}, "reason: "),
        ({"reason": "<b>Bold</b>."}, "reason: "),
        ({"title": "A title"}, "title: "),
    ],
)
def test_a_reason_without_source_or_sentence_or_beside_a_recipe_is_refused(
    tmp_path, change, reason
):
    recipes = loaded(tmp_path, GOOD, {**NONE, **change})
    assert [one.line for one in recipes.refused] == [2]
    assert reason in recipes.refused[0].reason
    assert recipes.none == {}


BAD = {
    "a flag without a source": ({"flags": {"--yak": GOOD["flags"]["--yak"]}}, "no source for --sl"),
    "a source of nothing": (
        {"flags": {**GOOD["flags"], "-x": "https://yaks.example"}},
        "a source for -x, which is not used",
    ),
    "a flag of a case": (
        {"filled": {"DEVICE": {"fact": "gpu", "cases": {"no": "-q"}, "otherwise": ""}}},
        "no source for -q",
    ),
    "no source at all": ({"sources": []}, "sources: "),
    "no web address": ({"sources": ["javascript:alert(1)"]}, "sources.0: "),
    "a placeholder nobody fills": ({"left": {}}, "nothing fills {INPUT}"),
    "a filler of nothing": (
        {
            "template": "shave --yak {INPUT} --slow",
            "filled": {},
            "left": {**GOOD["left"], "HERD": {"what": "more", "shown": "HERD"}},
        },
        "{HERD} is not in the template",
    ),
    "both filled and left": (
        {"left": {**GOOD["left"], "DEVICE": {"what": "it", "shown": "IT"}}},
        "{DEVICE} is both filled and left",
    ),
    "an unknown code": (
        {"filled": {"DEVICE": {"fact": "modality", "cases": {"MR": "--slow"}, "otherwise": ""}}},
        "no such code 'MR'",
    ),
    "no way out": (
        {"filled": {"DEVICE": {"fact": "gpu", "cases": {"no": "--slow"}}}},
        "state either otherwise or left",
    ),
    "a number of no kind": (
        {"filled": {"DEVICE": {"fact": "gpu", "give": "value", "otherwise": "--slow"}}},
        "no number is given as 'value'",
    ),
    "a word a shell would run": (
        {"left": {"INPUT": {"what": "it", "shown": "$(rm -rf ~)"}}},
        "left.INPUT.shown: ",
    ),
    "an unknown field": ({"colour": "brown"}, "colour: "),
    "no outputs": ({"outputs": []}, "outputs: "),
    "neither run nor a reason": ({"not_run": None}, "state either ran_on or not_run"),
    "run and a reason": ({"ran_on": "2026-11-23"}, "state either ran_on or not_run"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_recipe_is_refused_with_its_line_and_the_reason(tmp_path, name):
    change, told = BAD[name]
    recipes = loaded(tmp_path, {**GOOD, "tool": "other"}, "", {**GOOD, **change})
    assert list(recipes.by_tool) == ["other"]
    assert [one.line for one in recipes.refused] == [3]
    assert told in recipes.refused[0].reason


def test_every_name_a_cell_calls_and_every_keyword_needs_a_source(tmp_path):
    only = {"shave": CELL["flags"]["shave"]}
    assert (
        "no source for shave(slow)" in loaded(tmp_path, {**CELL, "flags": only}).refused[0].reason
    )
    torn = {**CELL, "template": 'shave("{INPUT}", slow={DEVICE}'}
    assert "the cell is no Python" in loaded(tmp_path, torn).refused[0].reason


def test_a_second_recipe_of_a_tool_and_a_line_that_is_no_json_are_refused(tmp_path):
    recipes = loaded(tmp_path, GOOD, GOOD, "{", "[]")
    assert [one.line for one in recipes.refused] == [2, 3, 4]
    assert recipes.refused[0].reason == "a second recipe for shave"


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(BadInput, match="could not be read"):
        load_recipes(tmp_path / "none.jsonl")
