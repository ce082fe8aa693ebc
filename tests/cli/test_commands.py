"""explain, what-if and similar over the command line."""

from __future__ import annotations

import json
import re

import pytest

from retrieval.cli import main

pytestmark = pytest.mark.process


@pytest.fixture
def command(shared_engines, capsys):
    """Runs a command without weights."""

    def run(*args, code=0):
        assert main(list(args)) == code
        return capsys.readouterr()

    return run


def test_explain_tells_the_fate_of_a_tool_as_json_and_in_words(command):
    told = json.loads(command("explain", "segment lungs", "--tool", "lungmask", "--json").out)
    assert told["fate"] == "kept"
    assert told["rank"] >= 1
    assert [p["stage"] for p in told["places"]][:1] == ["fused/bm25"]
    words = command("explain", "segment lungs [EXCLUDE:lungmask]", "--tool", "lungmask").out
    assert words.startswith("lungmask: excluded (selection)")


def test_a_rank_behind_the_end_of_a_list_says_that_the_list_was_cut(command):
    out = command("explain", "segment images on CT", "--tool", "cellpose").out
    ranks = re.findall(r"rank +(\d+) of (\d+)", out)
    assert all(int(rank) <= int(length) for rank, length in ranks)
    assert re.search(r"rank +\d+ before the cut to \d+", out)


def test_explain_states_what_the_input_has_to_be(command):
    given = ("explain", "radiomics features", "--tool", "pyradiomics")
    assert json.loads(command(*given, "--json").out)["input"] == ["data: image and label map"]
    assert "needs as input: data: image and label map\n" in command(*given).out


def test_explain_shows_the_recipe_and_the_day_it_ran_or_why_it_did_not(command):
    for tool in ("dcm2niix", "adpkd_segmentation"):
        given = ("explain", "segment kidneys", "--tool", tool)
        shown, words = json.loads(command(*given, "--json").out)["recipe"], command(*given).out
        assert shown["text"] in words.replace("\n  ", "\n")
        assert shown["install"] in words
        assert (shown["ran_on"] is None) != (shown["not_run"] is None)
        assert f"not run here: {shown['not_run']}" in words or shown["ran_on"] in words


def test_a_tool_without_a_recipe_is_explained_without_one(command):
    given = ("explain", "segment kidneys", "--tool", "no such tool")
    shown = json.loads(command(*given, "--json").out)
    assert (shown["recipe"], shown["no_recipe"]) == (None, None)


def test_explain_says_why_there_is_no_recipe_where_the_pages_of_the_tool_say_it(command):
    given = ("explain", "viewer for slides in a web page", "--tool", "openseadragon")
    shown, words = json.loads(command(*given, "--json").out), command(*given).out
    assert shown["recipe"] is None
    assert shown["no_recipe"].startswith("A JavaScript library for web pages")
    assert f"no recipe (pages read on 2026-11-23): {shown['no_recipe']}" in words


def test_what_if_tells_the_moves_as_json_and_in_words(command):
    told = json.loads(command("what-if", "segment lungs", "--off", "graph", "--json").out)
    assert told["lever"] == "graph"
    assert told["before"]
    assert command("what-if", "segment lungs", "--off", "graph").out.startswith("without graph:")


def test_similar_tells_neighbours_as_json_and_in_words(command):
    told = json.loads(command("similar", "BET (FSL)", "--open", "--json").out)
    assert told["id"] not in [row["id"] for row in told["similar"]]
    assert len(told["similar"]) == 10
    assert "HD-BET" in [row["name"] for row in told["similar"]]
    assert command("similar", "StarDist", "--since", "2024").out.startswith("like StarDist:")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("similar", "nothing like it"), "is not in the catalog"),
        (("similar", "FSL", "--since", "soon"), "--since: 'soon' is no date"),
        (("similar", "FSL", "--limit", "0"), "--limit: 0 is outside 1 to 50"),
        (("cohort", "segment", "/nowhere/at/all"), "PATHS: there is no such file or folder"),
        (("explain", " ", "--tool", "FSL"), "TEXT is empty"),
        (("what-if", "segment lungs", "--off", "magic"), "unknown lever 'magic'"),
    ],
)
def test_a_mistake_is_one_readable_line_and_code_2(command, args, message):
    told = command(*args, code=2)
    assert message in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_no_character_of_a_text_reorders_or_hides_others_on_the_terminal(command):
    typed = "segment\u202e lungs\u2066"
    shown = command("search", typed).out
    assert "\u202e" not in shown
    assert "segment\\u202e lungs\\u2066" in shown
    written = command("search", typed, "--json").out
    assert "\u202e" not in written
    assert json.loads(written)["query"]["raw"] == typed
    assert "\x1b" not in command("search", "x", "--mode", "\x1b[31m", code=2).err
