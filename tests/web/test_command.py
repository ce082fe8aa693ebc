"""``python -m retrieval web``: a table or JSON, and a clear line while web search is off."""

from __future__ import annotations

import contextlib
import io
import json

import pytest

from retrieval.cli import build_parser
from retrieval.core.errors import BadInput, OutsideCallRefused
from tests.web.farming import KEYS


def printed(farm, text, *switches, **more):
    args = build_parser().parse_args(["web", *switches, "--", text])
    with contextlib.redirect_stdout(io.StringIO()) as out:
        args.run(args, farm.settings(**more))
    return out.getvalue().removesuffix("\n")


def test_a_table_names_what_was_sent_the_pages_and_every_service(farm):
    told = printed(farm, "latest papers on lung segmentation")
    assert told.startswith("sent: lung segmentation  [literature]")
    assert "412 citations; PubMed, Semantic Scholar" in told
    assert "bioRxiv, through Europe PMC's preprint index" in told


def test_json_is_one_line(farm):
    told = printed(farm, "what is new in MONAI", "--json", **KEYS)
    assert "\n" not in told
    assert json.loads(told)["preset"] == "web"
    assert json.loads(told)["used"] == ["Tavily"]
    assert not any(value in told for value in KEYS.values())


def test_literature_can_be_asked_for(farm):
    assert json.loads(printed(farm, "segment lungs", "--literature", "--json"))["pages"]
    assert not farm.asked("duckduckgo")


@pytest.mark.requirement("S0-42")
def test_while_web_search_is_off_it_is_refused_in_one_line(farm):
    with pytest.raises(OutsideCallRefused, match="SCANSCOUT_WEB_SEARCH=true") as caught:
        printed(farm, "latest papers on lungs", web_search=False)
    assert "\n" not in str(caught.value)
    assert farm.count == 0


@pytest.mark.parametrize("text", ["", "   ", "[NO_RERANK]"])
def test_an_empty_text_is_refused(farm, text):
    with pytest.raises(BadInput):
        printed(farm, text)
    assert farm.count == 0
