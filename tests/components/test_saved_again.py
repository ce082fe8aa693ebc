"""The same file twice: each press gives the page's script a value that it has not seen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from building import CT, answer, candidate, stage, tool, upload

from components.data import Data, Shown
from components.panels.results import exports, plan
from components.panels.search.scan import with_upload
from tests.fakes import small_engine

ENGINE = small_engine()
SHOWN = Shown(answer=answer(stage("rerank", candidate(tool("a")))))


@pytest.mark.parametrize("name", exports.MAKERS)
def test_an_export_comes_at_every_press(name):
    one, two = (exports._maker(name, ENGINE)(SHOWN, Data(), None) for _ in range(2))
    assert one["file"] == two["file"]
    assert one != two


@pytest.mark.parametrize("kind", ["json", "cwl"])
def test_a_plan_comes_at_every_press(kind):
    id = next(iter(ENGINE.catalog))
    event = SimpleNamespace(_data={"id": f"{kind} {id}"})
    data = with_upload(Data(), upload(CT))
    one, two = (plan._saver(ENGINE)(data, SHOWN, event) for _ in range(2))
    assert one["file"]["name"] == two["file"]["name"] == f"plan.{kind}"
    assert one != two
