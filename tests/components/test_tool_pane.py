"""A tool away from the search: the same detail, with the parts that need no search."""

from __future__ import annotations

from building import Fit, answer, candidate, stage, tool

from components.panels.tool_pane import record_of
from components.render.results.detail import detail
from retrieval.core import Needs
from tests.fakes import small_engine


def tabs(html):
    return [
        name
        for name in ("overview", "fit", "get", "plan", "similar", "papers", "scores")
        if f'data-tab="{name}"' in html
    ]


def test_the_parts_that_need_a_search_are_left_out_and_the_fit_comes_with_an_answer():
    one = tool("a", install=(("pip", "pip install a", "https://a.org"),))
    html = detail(one, None, browsing=True)
    assert tabs(html) == ["overview", "get", "similar"]
    assert "pip install a" in html
    fits = (Fit(fact="modality", verdict="fail", scan="MRI", tool="CT"),)
    found = answer(stage("fit", candidate(one, fit=fits)), scans=(object(),))
    with_fit = detail(one, found, browsing=True)
    assert tabs(with_fit) == ["overview", "fit", "get", "similar"]
    assert "does not fit" in with_fit
    assert len(tabs(detail(one, found))) == 7


def test_the_facts_and_the_fit_say_what_the_input_has_to_be_in_words():
    one = tool("a", needs=Needs(data=("image", "label"), orientation="axial", units="HU"))
    stated = "data: image and label map, orientation: axial slices, units: HU"
    html = detail(one, None, browsing=True)
    assert f"<dt>Input</dt><dd>{stated}</dd>" in html
    lacking = "requirements.data: image, label; also needs a label map"
    turned = "requirements.orientation: axial, after reorienting"
    fits = (
        Fit(fact="modality", verdict="pass", scan="CT", tool="modalities: CT"),
        Fit(fact="data", verdict="unknown", scan="image", tool=lacking),
        Fit(fact="orientation", verdict="after conversion", scan="coronal", tool=turned),
    )
    shown = detail(one, answer(stage("fit", candidate(one, fit=fits)), scans=(object(),)))
    assert "Fits after reorienting, also needs a label map" in shown
    assert "needs: image, label; also needs a label map" in shown
    assert "orientation: axial, after reorienting" in shown


def test_every_detail_has_a_link_to_its_tool():
    one = tool("a b", name="A")
    for html in (detail(one, None), detail(one, None, browsing=True)):
        assert 'data-link="catalog?tool=a+b"' in html


def test_an_id_that_the_catalog_lacks_opens_the_empty_place():
    assert "Choose a tool" in record_of(small_engine(), "")
    html = record_of(small_engine(), "<no such tool>")
    assert "The catalog has no tool with the id &#x27;&lt;no such tool&gt;&#x27;" in html
    assert "Choose a tool in the list" in html
