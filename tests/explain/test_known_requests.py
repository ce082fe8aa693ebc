"""Requests that people judged speak for and against a gap."""

import json
from dataclasses import replace

import faiss
import numpy as np
import pytest
from msgspec import structs

from retrieval.core import Candidate, StageResult
from retrieval.engine.engine import Engine
from retrieval.explain import Evidence, GapModel, JudgedRequests, KnownRequests, SharedWords
from retrieval.explain.gaps import LONGEST
from retrieval.explain.known.decision import GAP_SIGNALS
from retrieval.explain.known.named_need import says_all_of
from retrieval.explain.known.requests import Nearness, Side
from retrieval.settings import ROOT
from retrieval.wiring.explaining import gap_judge
from retrieval.wiring.shipped.judged import KNOWN, judged_requests
from tests.explain.conftest import rows_of
from tests.fakes import HashingEncoder, make_tool

NEEDS = ("growth of nails", "colour of hair", "age of teeth", "length of eyelashes")
SERVED = ("segment the kidney", "count cells", "view a scan", "register two brains")
WORDS = SharedWords.of((*NEEDS, *SERVED))
OWNERS = (("kidneys",), ("cells",), ("viewer", "kidneys"), ("brains",))
WEIGHTS = {"unserved_vector": 10.0, "served_vector": -10.0}
MODEL = GapModel(encoder="hashing", weights=dict.fromkeys(GAP_SIGNALS, 0.0) | WEIGHTS, bias=-0.1)


def index_of(texts):
    rows = HashingEncoder().encode(texts)
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows)
    return index


def known(loaded=("kidneys", "cells", "viewer", "brains"), needs=NEEDS):
    judged = JudgedRequests(needs=needs, served_by=OWNERS)
    return KnownRequests(
        HashingEncoder(), judged, index_of(needs), index_of(SERVED), WORDS, frozenset(loaded)
    )


def evidence(unserved, served, need="age of teeth"):
    sides = [Side(vector=v, vectors=v, word=v, words=v) for v in (unserved, served)]
    near = Nearness(unserved=sides[0], served=sides[1], need=need)
    return Evidence(near=near, relevance=0.5)


def test_a_text_is_as_near_as_its_nearest_request_of_each_kind():
    near = known().nearness("colour of hair")
    assert near.need == "colour of hair"
    assert near.unserved.vector == pytest.approx(1.0, abs=1e-5)
    assert near.served.vector < near.unserved.vector
    assert near.unserved.vectors < near.unserved.vector


def test_words_that_few_requests_have_tell_more_than_those_of_many():
    words = SharedWords.of(("count cells", "count nuclei", "count cells of blood", "stain blood"))
    likeness = words.likeness("count nuclei in plasma", range(4))
    assert likeness[1] == max(likeness) < 1
    assert likeness[3] == 0
    assert words.likeness("Counting cells", [0]) == [pytest.approx(1.0)]
    assert words.likeness("", [0]) == [0.0]


@pytest.mark.parametrize("text", ["zzz", "über die Zellen", "数细胞", "stain zzz über"])
def test_a_word_behind_the_last_term_is_one_that_no_request_has(text):
    words = SharedWords.of(("count cells", "stain blood"))
    assert words.likeness(text, [0]) == [0.0]


def test_words_stay_those_of_their_requests_where_others_are_left_out():
    everything, without = known(), known(loaded=("cells", "viewer", "brains", "kidneys"))
    assert without.nearness("register two brains") == everything.nearness("register two brains")
    five = ("dry the plate", *SERVED)
    judged = JudgedRequests(needs=NEEDS, served_by=(("dryer",), *OWNERS))
    words = SharedWords.of((*NEEDS, *five))
    some = KnownRequests(
        HashingEncoder(),
        judged,
        index_of(NEEDS),
        index_of(five),
        words,
        {"kidneys", "cells", "brains"},
    )
    assert some.nearness("register two brains").served.word == pytest.approx(1.0)
    assert some.nearness("dry the plate").served.word < 0.5


def test_words_are_read_as_they_were_written(tmp_path):
    WORDS.write(tmp_path / "words.npz")
    again = SharedWords.read(tmp_path / "words.npz")
    rows = range(len(NEEDS) + len(SERVED))
    assert again.likeness("age of a kidney", rows) == WORDS.likeness("age of a kidney", rows)


def test_a_request_whose_records_are_not_loaded_serves_nobody():
    everything, without = known(), known(loaded=("cells", "viewer", "brains", "stranger"))
    assert everything.nearness("segment the kidney").served.vector == pytest.approx(1.0, abs=1e-5)
    # Three are left, of which no mean of four can be made.
    assert without.nearness("segment the kidney") is None


def test_without_a_served_request_nothing_is_told():
    judged = JudgedRequests(needs=NEEDS, served_by=())
    words = SharedWords.of(NEEDS)
    alone = KnownRequests(HashingEncoder(), judged, index_of(NEEDS), index_of(()), words, ())
    assert alone.nearness("colour of hair") is None


def test_a_record_that_nobody_read_for_the_needs_is_not_covered():
    assert known().covers(["kidneys", "cells"])
    assert not known().covers(["kidneys", "stranger"])


def test_vectors_of_other_requests_are_refused():
    judged = JudgedRequests(needs=NEEDS[:3], served_by=OWNERS)
    with pytest.raises(ValueError, match="not those of the judged requests"):
        KnownRequests(HashingEncoder(), judged, index_of(NEEDS), index_of(SERVED), WORDS, ())


@pytest.fixture(scope="module")
def judge():
    kidneys = make_tool("kidneys", tasks=("segmentation",), modalities=("CT",), anatomy=("kidney",))
    return replace(gap_judge((kidneys,)), model=MODEL)


def test_a_need_that_no_record_serves_is_a_gap_though_its_words_are_stated(judge):
    text = "segment the kidney on CT"
    assert judge.judge(text).unmet == ()
    gap = judge.judge(text, evidence(0.9, 0.2, need="segmenting kidneys"))
    assert [(u.kind, u.value, u.records) for u in gap.unmet] == [
        ("request", "segmenting kidneys", 0)
    ]
    assert gap.sentence == (
        "No record is known to serve “segmenting kidneys”, which your request is like."
    )
    assert gap.lacks("kidneys") == ("segmenting kidneys",)


@pytest.mark.parametrize("need", ["stones of the kidney on CT", "kidney on CT of horses"])
def test_a_need_that_says_more_than_the_request_is_not_named(judge, need):
    gap = judge.judge("segment the kidney on CT", evidence(0.9, 0.2, need=need))
    assert gap.sentence == "No record is known to serve “segment the kidney on CT”."


def test_a_letter_is_repeated_in_a_notice_by_its_beginning_alone(judge):
    text = f"segment the kidney on CT {'for which we have waited long ' * 9}"
    gap = judge.judge(text, evidence(0.9, 0.2))
    assert gap.unmet[0].value.startswith("segment the kidney on CT for which we have")
    assert gap.unmet[0].value.endswith(" …")
    assert len(gap.unmet[0].value) <= LONGEST


def test_what_the_first_record_states_whole_is_no_gap_though_it_is_like_a_need(judge):
    text = "segment the kidney on plain CT"
    assert judge.judge(text, replace(evidence(0.9, 0.2), first="kidneys")).unmet == ()
    unlikely = replace(evidence(0.9, 0.2), first="kidneys", relevance=0.3)
    assert judge.judge(text, unlikely).unmet
    assert judge.judge(text, replace(evidence(0.9, 0.2), first="stranger")).unmet


def test_what_is_read_whole_and_stated_is_no_gap_for_a_need_in_other_words(judge):
    text = "segment the kidney on CT"
    rather = replace(evidence(0.9, 0.2), first="kidneys", relevance=0.35)
    in_other_words = replace(rather.near.unserved, word=0.6)
    near = replace(rather.near, unserved=in_other_words)
    assert judge.judge(text, rather).unmet
    assert judge.judge(text, replace(rather, near=near)).unmet == ()
    assert judge.judge(text, replace(rather, near=near, relevance=0.2)).unmet


def test_another_common_task_on_a_thing_that_is_stated_is_nothing_that_is_lacking(judge):
    """Who outlines glomeruli finds and counts them; a diagnosis is another matter."""
    read = replace(judge, model=replace(MODEL, weights=MODEL.weights | {"read": -20.0}))
    near = evidence(0.9, 0.2)
    assert read.judge("detect the kidney on CT", near).unmet == ()
    assert read.judge("count kidneys on CT", near).unmet == ()
    assert read.judge("detect the kidney on MRI", near).unmet
    assert read.judge("register the kidney on CT", near).unmet


def test_the_one_thing_asked_about_is_told_where_no_record_states_it(judge):
    """Served requests that are alike speak for a thing with other parts beside it, not for it."""
    served = evidence(0.2, 0.9)
    assert judge.judge("segment the pituitary gland on CT", served).sentence == (
        "No record mentions pituitary gland."
    )
    assert judge.judge("segment the kidney on CT", served).unmet == ()
    # A word that no concept covers may be what is meant, and so may the other thing.
    assert judge.judge("segment xylophones of the pituitary gland on CT", served).unmet == ()
    assert judge.judge("segment the kidney and the pituitary gland on CT", served).unmet == ()


@pytest.mark.parametrize(
    ("text", "need", "is_said"),
    [
        ("hippocampal subfields on 7T MRI", "hippocampus on MRI", True),
        ("count worms", "intestinal worms in photos", False),
        ("how thick is the cornea on OCT", "corneal thickness on OCT", True),
        ("corneal thickness on anterior OCT", "thickness of the cornea on OCT", True),
        ("Zähne segmentieren", "segmenting teeth on MRI", False),
        ("Zähne im MRT", "teeth on MRI", True),
    ],
)
def test_a_need_is_said_by_its_words_or_their_concepts(judge, text, need, is_said):
    assert says_all_of(text, need, judge.mentions, judge.stated.wider) is is_said


def test_a_request_like_a_served_one_is_no_gap_though_a_word_is_unknown(judge):
    text = "segment the kidney in ultrasound"
    assert judge.judge(text).unmet
    assert judge.judge(text, evidence(0.2, 0.9)).unmet == ()


def test_parts_that_no_record_states_are_told_as_such(judge):
    gap = judge.judge("segment the kidney in ultrasound", evidence(0.9, 0.2))
    assert [u.value for u in gap.unmet] == ["ultrasound"]


def test_a_need_that_is_not_much_like_a_request_is_not_named(judge):
    gap = judge.judge("segment the kidney on CT", evidence(0.5, 0.2))
    assert gap.sentence == "No record is known to serve “segment the kidney on CT”."


@pytest.fixture(scope="module")
def shipped():
    lines = (KNOWN / "requests.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_every_served_request_names_records_of_the_shipped_catalog(shipped):
    lines = (ROOT / "assets" / "catalog" / "tools.jsonl").read_text("utf-8").splitlines()
    catalog = {json.loads(line)["id"] for line in lines}
    served = [row["served"] for row in shipped if "served" in row]
    assert all(ids and catalog.issuperset(ids) for ids in served)
    # One record states nothing that it does.
    assert len(catalog - {i for ids in served for i in ids}) <= 1


def test_no_request_is_there_twice(shipped):
    texts = [(row.get("text") or row["need"]).casefold() for row in shipped]
    assert len(set(texts)) == len(texts)


def test_no_request_of_a_set_that_is_kept_apart_is_among_the_judged_ones(shipped):
    texts = {row.get("text", row.get("need")) for row in shipped}
    apart = sorted((ROOT / "tests" / "data").glob("gaps_*_kept.jsonl"))
    apart += sorted((ROOT / "tests" / "data" / "unseen").glob("*.jsonl"))
    assert len(apart) > 8
    for path in apart:
        rows = map(json.loads, filter(str.strip, path.read_text("utf-8").splitlines()))
        assert texts.isdisjoint(row.get("query", "") for row in rows), path.name


def test_the_shipped_words_are_those_of_the_shipped_requests(shipped):
    texts = [row.get("text") or row["need"] for row in shipped if "need" in row]
    texts += [row["text"] for row in shipped if "served" in row]
    words = SharedWords.read(KNOWN / "words.npz")
    assert len(words.starts) == len(texts) + 1
    for number in range(0, len(texts), 97):
        assert words.likeness(texts[number], [number]) == [pytest.approx(1.0, abs=1e-5)]


@pytest.mark.model
def test_the_shipped_vectors_are_those_of_the_shipped_requests(judged, shipped):
    encoder = judged.current().encoder
    for name, key in (("unserved", "need"), ("served", "served")):
        index = faiss.read_index(str(KNOWN / f"{name}.faiss"))
        rows = [row.get("text") or row["need"] for row in shipped if key in row]
        assert index.ntotal == len(rows)
        some = range(0, len(rows), 97)
        vectors = encoder.encode([rows[n] for n in some])
        cosines = [float(index.reconstruct(n) @ v) for n, v in zip(some, vectors, strict=True)]
        assert min(cosines) > 0.99


@pytest.mark.model
def test_requests_of_writers_kept_apart_are_mostly_told_and_seldom_wrongly(judged):
    rows = rows_of("gaps_writers_kept")[::4]
    told = {True: [], False: []}
    for row in rows:
        told[row["gap"]].append(bool(judged.run(row["query"]).insight.gap.unmet))
    assert np.mean(told[True]) >= 0.8
    assert np.mean(told[False]) <= 0.08


@pytest.mark.model
@pytest.mark.parametrize(
    "text",
    [
        "count cells",
        "cell counting",
        "count cells, free for commercial use",
        "Zellen zählen",
        "Karies auf Röntgenbildern",
        "how much bone is in this mouse femur, trabeculae and all",
        "EEG artefact removal, my matlab licence ran out last month",
        "glomeruli detection in kidney biopsies",
        "white blood cell differential count on blood smear slides",
        "leukocyte differential from blood smear slides",
        "tool 4 measuring ejection frac on echo",
    ],
)
def test_what_is_read_whole_and_stated_is_no_gap_for_a_narrower_need(judged, text):
    assert judged.run(text).insight.gap.unmet == ()


def test_words_of_grammar_and_of_concepts_are_no_unread_ones(judge):
    assert judge.unread("the kidney on CT of a goblet") == 1
    assert judge.unread("how much kidney is in it, CT and all") == 0


@pytest.mark.model
def test_where_an_unread_record_leads_the_records_alone_decide(judged):
    snapshot = judged.current()
    text = "volume of the amygdala on CT"
    stranger = make_tool("stranger", tasks=("measurement",))

    class Listed:
        name = "listed"

        def run(self, state):
            listed = (Candidate(tool=stranger, score=1.0),)
            return StageResult(name=self.name, state=structs.replace(state, candidates=listed))

    mode = replace(snapshot.modes["hybrid"], pipeline=Listed())
    alone = Engine(replace(snapshot, modes={"hybrid": mode})).run(text).insight.gap
    assert alone.unmet == snapshot.gaps.judge(text).unmet


def test_the_judged_requests_are_read_once():
    assert judged_requests() is judged_requests()


@pytest.mark.model
def test_of_a_list_that_an_exclusion_cuts_the_records_alone_decide(judged):
    text = "hippocampal volume on CT"
    assert judged.run(text).insight.gap.unmet
    cut = judged.run(f"{text} [EXCLUDE:ashs]").insight.gap
    assert cut.unmet == judged.current().gaps.judge(text).unmet


@pytest.mark.model
@pytest.mark.parametrize(
    "text",
    [
        "estimate brain age",
        "kidney segmentation on non-contrast CT",
        "hyperspectral imaging analysis",
        "segment teeth in browser",
        "teeth segmentation web app",
    ],
)
def test_what_the_first_record_does_is_no_gap_whatever_is_wished_of_software(judged, text):
    assert judged.run(text).insight.gap.unmet == ()
