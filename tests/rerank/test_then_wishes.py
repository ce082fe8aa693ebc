"""A re-ranking model does not undo the wishes of the text."""

from __future__ import annotations

from msgspec.structs import replace

from retrieval.core import StageResult, StageUnavailable, Wish, finish, progress, ranked
from retrieval.fit import WishStage
from retrieval.rerank import ThenWishes
from tests.fakes import ids, make_candidate, make_state

R = make_candidate("r", 0.2, languages=("R",))
PYTHON = make_candidate("python", 0.9, languages=("Python",))
WISH = Wish(kind="language", value="Python", text="in Python", strength="wanted")


class TurnsRound:
    name = "model"

    def run(self, state):
        turned = ranked([replace(c, score=1 - c.score) for c in state.candidates])
        return StageResult(name="model", state=replace(state, candidates=turned))


class Absent:
    name = "model"

    def run(self, state):
        raise StageUnavailable("no model")


def order(model, *wishes):
    stage = ThenWishes("model", model, WishStage({"language": 1.0}))
    return finish(progress(stage, make_state("x", PYTHON, R, wishes=wishes)))


def test_the_order_of_the_model_stands_without_a_wish():
    assert ids(order(TurnsRound())) == ["r", "python"]


def test_wishes_come_before_the_order_of_the_model():
    result = order(TurnsRound(), WISH)
    assert ids(result) == ["python", "r"]
    assert result.children[-1].name.endswith("wishes")


def test_an_absent_model_changes_nothing():
    result = order(Absent(), WISH)
    assert not result.ran
    assert ids(result) == ["python", "r"]
