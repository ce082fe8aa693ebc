"""A recipe as HTML: the text to copy, what is left, what comes first, nothing that runs."""

import re
from dataclasses import replace

import pytest
from building import CT, HOSTILE, tool

from components.data import Data
from components.panels.results.plan import recipe_shown
from components.render.markup import esc
from components.render.results.detail import detail
from components.render.results.plan import no_recipe, recipe_panel
from components.server.assets import ROOT
from retrieval import Machine, load_recipes, recipe_of
from tests.fakes import make_pairs

RECIPES = load_recipes(ROOT / "recipes" / "recipes.jsonl")
TOTAL = tool("totalsegmentator", formats_in=("NIfTI", "DICOM"))


class Catalog:
    """An engine of the page's eyes: its catalog alone."""

    def __init__(self, *tools):
        self.catalog = {one.id: one for one in tools}


def test_text_copy_button_and_what_is_left_are_there():
    recipe = recipe_of(RECIPES, TOTAL, CT, Machine(gpu=False))
    html = recipe_panel(recipe, TOTAL, (), {}, scan=True)
    text = re.search(r"<pre><code>(.*)</code></pre>", html)[1]
    assert re.sub(r"</?span>", "", text) == recipe.text
    assert "data-copy" in html
    assert "For you to fill in" in html
    assert "<code>total</code></dt><dd>modality: CT</dd>" in html
    assert "looked up on 2026-11-21" in html
    assert html.count("Source 1") == 1


def test_a_recipe_tells_whether_it_ran_and_how_to_get_its_tool():
    recipe = replace(recipe_of(RECIPES, TOTAL, CT), install="pip install <b>")
    html = recipe_panel(recipe, TOTAL, (), {}, scan=True)
    assert "Not run here: it downloads trained weights on first use." in html
    # The first thing to copy is how to get the tool.
    install, code = html.index("&lt;b&gt;"), html.index("<h2 tabindex='-1'>")
    assert html.index("Get it with") < install < html.index("data-copy") < code
    assert html.count("data-copy") == 2
    ran = replace(recipe, install="", ran_on=recipe.checked_on, not_run=None)
    html = recipe_panel(ran, TOTAL, (), {}, scan=True)
    assert "Ran on a sample scan on 2026-11-21." in html
    assert "Get it with" not in html


def test_what_is_not_added_is_said_so():
    html = recipe_panel(recipe_of(RECIPES, TOTAL, CT), TOTAL, (), {}, scan=True)
    assert "no option added</dt><dd>graphics card: not known, so the usual" in html


def test_a_hostile_recipe_is_shown_as_text():
    recipe = replace(
        recipe_of(RECIPES, TOTAL, CT),
        text=HOSTILE,
        title=HOSTILE,
        outputs=(HOSTILE,),
        notes=(HOSTILE,),
        sources=("javascript:alert(1)",),
        converts=(HOSTILE, (HOSTILE,)),
    )
    named = replace(TOTAL, name=HOSTILE)
    steps = ((HOSTILE, "totalsegmentator", HOSTILE),)
    html = recipe_panel(recipe, named, steps, {"totalsegmentator": named}, scan=True)
    html += no_recipe(named)
    assert "<script" not in html
    assert "<img" not in html
    assert "javascript:" not in html


def test_a_conversion_comes_first_with_a_recipe_of_its_own():
    bet = tool("hd_bet", formats_in=("NIfTI",))
    convert = tool("dcm2niix", converts=make_pairs("DICOM > NIfTI"), modalities=("CT",))
    data = Data(upload=Seen())
    html = recipe_shown(Catalog(bet, convert), RECIPES, "hd_bet", data)
    assert "Your scan is DICOM; this reads NIfTI. Convert it first:" in html
    assert 'data-act="recipe" data-id="dcm2niix"' in html
    assert "Nothing in the catalog converts it." in recipe_shown(
        Catalog(bet), RECIPES, "hd_bet", data
    )


class Seen:
    """One CT upload."""

    picked = None
    scans = (CT,)


def test_a_scan_of_another_modality_is_warned_of():
    lung = tool("lungmask", formats_in=("DICOM",), modalities=("PET",))
    html = recipe_shown(Catalog(lung), RECIPES, "lungmask", Data(upload=Seen()))
    assert "States PET only; your scan is CT." in html


def test_without_a_scan_or_a_recipe_the_panel_says_so():
    known = Catalog(TOTAL, tool("unheard_of", docs_url="https://docs.example"))
    assert "Add a scan" in recipe_shown(known, RECIPES, "totalsegmentator", Data())
    html = recipe_shown(known, RECIPES, "unheard_of", Data())
    assert "There is no recipe for UNHEARD_OF" in html
    # Its documentation is linked above the panel.
    assert "https://docs.example" not in html
    assert recipe_shown(known, RECIPES, "gone", Data()) == ""


def test_why_a_tool_has_no_recipe_stands_with_its_day_and_its_sources():
    known, why = Catalog(tool("openseadragon")), RECIPES.none["openseadragon"]
    html = recipe_shown(known, RECIPES, "openseadragon", Data())
    assert f"as its pages were read on {why.checked_on}. A JavaScript library" in html
    assert all(f'href="{source}"' in html for source in why.sources)
    assert "each of its flags would need a source" not in html


def test_without_a_recipe_the_line_that_installs_the_tool_still_stands():
    one = tool("x", install=(("pip", "pip install <x>", "https://a.b"),))
    assert "&lt;x&gt;" in no_recipe(one)
    assert "data-copy" in no_recipe(one)
    page = tool("y", install=(("page", "https://a.b/install", "https://a.b"),))
    assert 'href="https://a.b/install"' in no_recipe(page)
    assert "Get it with" not in no_recipe(tool("x"))


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("plugin", "Installing TrackMate is easy as calling the Fiji Updater"),
        ("plugin", "Help > Update... > Manage update sites > PTBIOP"),
        ("MATLAB", "Add repository to MATLAB path."),
        ("source", "get a local copy of it by download or git cloning"),
    ],
)
def test_a_sentence_is_no_command_to_copy(kind, line):
    one = tool("x", install=((kind, line, "https://a.b"),))
    for html in (no_recipe(one), detail(one, None)):
        assert esc(line) in html
        assert 'href="https://a.b"' in html
        assert "data-copy" not in html
        assert "<code>" not in html


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("source", "pip install -e ."),
        ("R", 'BiocManager::install("Cardinal")'),
        ("docker", "docker run -a stdin the/image"),
        ("conda", "conda create -n caiman caiman # build a caiman environment"),
        ("Julia", "] add KomaMRI"),
    ],
)
def test_a_command_is_copied(kind, line):
    one = tool("x", install=((kind, line, "https://a.b"),))
    assert all("data-copy" in html for html in (no_recipe(one), detail(one, None)))
