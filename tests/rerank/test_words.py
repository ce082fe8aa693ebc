"""Words in several fields, the words the best lend, and signals that come later."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from retrieval.lexical.tokenise import tokenise
from retrieval.rerank.learned import IncomingScore, LearnedRank
from retrieval.rerank.words import FeedbackTerms, KnownWords, WordTable
from tests.fakes import make_candidate, make_state

OWN = {
    "bet": "Brain extraction tool.",
    "hd": "Deep brain extraction of scalp and skull in MRI.",
    "strip": "Removes the scalp and the skull.",
    "view": "A viewer of volumes.",
}
TOLD = {"view": "Shows volumes, slices and surfaces of the brain."}
IDS = tuple(OWN)


def state_of(text, scores=(1.0, 0.9, 0.2, 0.1)):
    return make_state(text, *(make_candidate(i, s) for i, s in zip(IDS, scores, strict=True)))


def known(text, *fields):
    table = WordTable(IDS, fields, tokenise)
    signal = KnownWords(table, lambda s: s.query.text)
    return dict(zip(IDS, signal.values(state_of(text)).tolist(), strict=True))


def test_a_word_that_only_the_other_record_has_finds_the_tool():
    assert known("surfaces", OWN)["view"] == 0.0
    assert known("surfaces", OWN, TOLD)["view"] > 0.0


def test_a_second_field_leaves_the_length_of_the_other_records_alone():
    assert known("scalp", OWN)["strip"] == pytest.approx(known("scalp", OWN, TOLD)["strip"])


def test_a_rare_word_counts_more_than_a_common_one_and_a_short_record_more_than_a_long_one():
    assert known("tool", OWN)["bet"] > known("brain", OWN)["bet"] > known("brain", OWN)["hd"]


def test_unknown_words_and_unknown_records_give_nothing():
    table = WordTable(IDS, (OWN,), tokenise)
    assert table.scores({"xyzzy": 1.0}, IDS).tolist() == [0.0] * 4
    assert table.scores({"brain": 1.0}, ("nobody",)).tolist() == [0.0]
    assert WordTable((), ({},), tokenise).scores({"brain": 1.0}, ()).tolist() == []


def test_the_best_lend_the_words_they_share_and_not_those_that_were_asked():
    table = WordTable(IDS, (OWN,), tokenise)
    lent = table.feedback_terms({"bet": 1.0, "hd": 0.9}, frozenset(tokenise("brain")))
    assert max(lent, key=lambda term: lent[term]) == "extract"
    assert "brain" not in lent
    values = FeedbackTerms(table).values(state_of("brain", (1.0, 0.9, 0.0, 0.0)))
    assert values[2] > values[3] == 0.0


def test_a_better_result_lends_more():
    table = WordTable(IDS, (OWN,), tokenise)
    first = table.feedback_terms({"strip": 1.0, "view": 0.1}, frozenset())
    last = table.feedback_terms({"strip": 0.1, "view": 1.0}, frozenset())
    assert first["scalp"] > last["scalp"]
    assert first["viewer"] < last["viewer"]


@dataclass
class Noted:
    """Keeps the scores it was shown."""

    name: str = "noted"
    seen: tuple[float, ...] = ()

    def values(self, state):
        self.seen = tuple(c.score for c in state.candidates)
        return np.array(self.seen)


def test_a_later_signal_sees_the_mean_of_the_others_and_its_share_is_told():
    late, state = Noted(), state_of("x", (4.0, 3.0, 2.0, 0.0))
    stage = LearnedRank(
        [IncomingScore(), IncomingScore("again")], {"before": 0.5, "noted": 0.5}, later=(late,)
    )
    found = stage.run(state).state.candidates
    assert late.seen == (1.0, 0.75, 0.5, 0.0)
    assert [w.text for w in found[0].why if w.kind == "share"] == ["before", "noted"]
    assert [c.score for c in found] == [1.0, 0.75, 0.5, 0.0]
    assert [c.tool.id for c in found] == list(IDS)


PRINTS = """
from tests.rerank.test_words import OWN, IDS
from retrieval.lexical import tokenise
from retrieval.rerank import WordTable
table = WordTable(IDS, (OWN,), tokenise)
print(list(table.feedback_terms(dict.fromkeys(IDS, 0.5), frozenset()).items()))
"""


@pytest.mark.requirement("S1-26")
def test_the_words_lent_are_the_same_under_any_hash_seed():
    def run(seed):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PRINTS]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout

    assert run("1") == run("2") != ""
