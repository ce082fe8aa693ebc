"""Every port fails in every way behind the page and its endpoints; the list still comes."""

from __future__ import annotations

import json

import pytest

from components.api import Api
from components.data import Data, Form
from components.run import search
from retrieval.wiring.modes import NAMES
from tests.engine.test_faults_of_ports import ERRORS, PORTS, failing_engine

TEXT = "segment lungs chest CT [REFINE]"

pytestmark = [
    pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__),
    pytest.mark.parametrize("port", PORTS),
]


@pytest.mark.parametrize("mode", [mode for mode in NAMES if mode != "vector"])
def test_the_views_of_a_search_end_with_its_list_while_a_port_fails(mode, port, error):
    views = list(search(failing_engine(port, error), Form(text=TEXT, mode=mode), Data()))
    whole = [view for view in views if "cards" in view]
    assert "lungmask" in whole[-1]["cards"]
    assert "lungmask" in whole[-1]["board"]
    assert views[-1]["running"] is False


def test_the_endpoints_give_their_list_while_a_port_fails(port, error):
    api = Api(failing_engine(port, error))
    assert "lungmask" in {one["id"] for one in api.recommend(TEXT)["candidates"]}
    assert "lungmask" in {one["id"] for one in json.loads(api.find_tools(TEXT))["tools"]}
