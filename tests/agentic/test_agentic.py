"""S4-03 to S4-10: rounds with a model that judges, over real parts."""

from __future__ import annotations

import json
import threading
import time

import pytest

from retrieval.agentic.config import AgenticConfig
from retrieval.core.errors import StageUnavailable
from retrieval.rerank.cross_encoder import LazyScorer
from tests.agentic.judging import ENOUGH, MORE, QUERIES, asked
from tests.fakes import ScriptedModel, ids, make_query, parts_of, small_engine


class Slow(ScriptedModel):
    """Answers after so many seconds."""

    def __init__(self, seconds, *answers):
        super().__init__(*answers)
        self.seconds = seconds

    def complete(self, prompt, **how):
        time.sleep(self.seconds)
        return super().complete(prompt, **how)


class Pairs:
    """Scores a text by how often it says the query's first word; remembers what it was asked."""

    id = "pairs"

    def __init__(self):
        self.asked = []

    def scores(self, query, texts):
        self.asked.append((query, len(texts)))
        return [float(text.casefold().count("lung")) for text in texts]


def light(text="segment lungs", k=20):
    return ids(small_engine().run(text, "rrf", top_k=k).candidates)


@pytest.mark.requirement("S4-03")
def test_both_sources_are_fused_by_rank_cut_to_twenty_reranked_and_five_are_judged():
    model = ScriptedModel(ENOUGH)
    result, report = asked(language_model=model)
    found = parts_of(result)
    round1 = "rounds/round 1/search"
    for name in ("fused/dense", "fused/bm25", "fused", "rerank"):
        assert found[f"{round1}/{name}"].ran
    fused = found[f"{round1}/fused"].state.candidates
    assert fused[0].score == pytest.approx(2 / 61, abs=1e-6)
    assert (report.round1_count, report.round1_reranked_count) == (7, 5)
    listed = [json.loads(line) for line in model.prompts[0].splitlines() if line.startswith('{"n')]
    reranked = found["rounds/round 1"].state.candidates[:5]
    assert [row["name"] for row in listed] == [c.tool.name for c in reranked]


@pytest.mark.requirement("S4-03")
def test_the_numbers_of_the_configuration_are_the_lengths_of_the_lists():
    numbers = {"round1_emb_top_n": 4, "round1_bm25_top_n": 2, "round1_top_n": 3}
    config = AgenticConfig(**numbers, round1_rerank_top_n=1)
    result, report = asked(language_model=ScriptedModel(ENOUGH), config=config)
    found = parts_of(result)
    lengths = [len(ids(found[f"rounds/round 1/search/fused{n}"])) for n in ("/dense", "/bm25", "")]
    assert lengths == [4, 2, 3]
    assert report.round1_reranked_count == 1


@pytest.mark.requirement("S4-04")
def test_sufficient_gives_the_first_round_after_one_call():
    model = ScriptedModel(ENOUGH)
    result, report = asked(language_model=model)
    assert ids(result) == ids(parts_of(result)["rounds/round 1"])
    assert (report.is_sufficient, report.is_multi_round, report.llm_calls) == (True, False, 1)
    assert len(model.prompts) == 1
    assert report.reasoning == "all there"


@pytest.mark.requirement("S4-05")
def test_insufficient_asks_complementary_queries_after_two_calls_in_all():
    model = ScriptedModel(MORE, QUERIES)
    result, report = asked(language_model=model)
    assert len(model.prompts) == report.llm_calls == 2
    assert report.is_multi_round
    assert report.refined_queries == ("register images to an atlas", "measure lung volume")
    found = parts_of(result)
    assert found["rounds/round 2/query 1/fused"].ran
    assert found["rounds/round 2/query 2/fused"].ran
    assert found["rounds/round 2/rerank"].ran
    assert len(set(ids(result))) == len(ids(result))


@pytest.mark.requirement("S4-05")
def test_the_merge_holds_at_most_so_many_and_the_end_at_most_twenty():
    config = AgenticConfig(combined_total=5, final_top_n=3, round1_top_n=4)
    result, report = asked(language_model=ScriptedModel(MORE, QUERIES), config=config)
    assert (report.round2_count, report.final_count, len(ids(result))) == (5, 3, 3)


@pytest.mark.requirement("S4-05")
def test_the_refined_queries_are_searched_at_the_same_time():
    barrier = threading.Barrier(2, timeout=30)

    class Meets:
        def __init__(self, inner):
            self.id, self.dim, self.inner = inner.id, inner.dim, inner

        def encode(self, texts, batch_size=32):
            if list(texts) in (["register images to an atlas"], ["measure lung volume"]):
                barrier.wait()
            return self.inner.encode(texts)

        def encode_tokens(self, texts):
            return self.inner.encode_tokens(texts)

    from tests.agentic.judging import PARTS

    _, report = asked(language_model=ScriptedModel(MORE, QUERIES), encoder=Meets(PARTS.encoder))
    assert not barrier.broken
    assert report.num_queries == 2


@pytest.mark.requirement("S4-07")
def test_the_metadata_of_one_round_have_all_fields_and_none_of_a_second():
    _, report = asked(language_model=ScriptedModel(ENOUGH))
    told = report.as_json()
    assert set(told) == {
        "retrieval_mode",
        "is_multi_round",
        "round1_count",
        "round1_reranked_count",
        "round1_latency_ms",
        "is_sufficient",
        "reasoning",
        "missing_info",
        "final_count",
        "total_latency_ms",
        "llm_calls",
    }
    assert told["retrieval_mode"] == "agentic"
    assert told["total_latency_ms"] >= told["round1_latency_ms"] > 0


@pytest.mark.requirement("S4-08")
def test_the_metadata_of_two_rounds_tell_of_the_second():
    _, report = asked(language_model=ScriptedModel(MORE, QUERIES))
    told = report.as_json()
    assert told["refined_queries"] == ["register images to an atlas", "measure lung volume"]
    assert (told["query_strategy"], told["num_queries"]) == ("by step", 2)
    assert (told["round2_count"], told["multi_query_total_docs"]) == (7, 14)
    assert told["round2_latency_ms"] > 0
    assert told["missing_info"] == ["registration", "atlas"]


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (None, "llm_provider was not given"),
        (ScriptedModel(StageUnavailable("refused")), "LLM API call failed: refused"),
        (ScriptedModel(MORE, StageUnavailable("gone")), "LLM API call failed: gone"),
        (ScriptedModel(RuntimeError("broke")), "LLM API call failed: failed on a defect"),
    ],
)
@pytest.mark.requirement("S4-09")
def test_without_a_model_that_answers_the_result_is_the_plain_search(model, reason):
    result, report = asked(language_model=model)
    assert report.retrieval_mode == "agentic_fallback"
    assert report.fallback_reason.startswith(reason)
    assert ids(result) == light()
    assert parts_of(result)["agentic"].status == "fallback"


@pytest.mark.requirement("S4-09")
def test_a_model_that_is_late_gives_the_plain_search_and_says_timeout():
    config = AgenticConfig(timeout=2.0)
    result, report = asked(language_model=Slow(30, ENOUGH), config=config)
    assert report.retrieval_mode == "agentic_fallback"
    assert report.fallback_reason.startswith("LLM API timeout")
    assert ids(result) == light()


@pytest.mark.requirement("S4-09")
def test_a_time_that_is_over_before_anything_ran_still_gives_the_plain_search():
    config = AgenticConfig(timeout=1e-9)
    result, report = asked(language_model=ScriptedModel(ENOUGH), config=config)
    assert report.retrieval_mode == "agentic_fallback"
    assert ids(result) == light()


@pytest.mark.requirement("S4-09")
def test_no_candidates_say_so_and_ask_no_model():
    model = ScriptedModel()
    query = make_query("segment lungs", excluded=tuple(light(k=50)))
    result, report = asked(query=query, language_model=model)
    assert (ids(result), model.prompts) == ([], [])
    assert report.retrieval_mode == "agentic_fallback"
    assert report.fallback_reason == "no candidates were found"


@pytest.mark.requirement("S4-09")
def test_without_the_fallback_the_failure_is_told_and_no_list_is_made_up():
    config = AgenticConfig(fallback_on_error=False)
    result, _ = asked(language_model=ScriptedModel(StageUnavailable("refused")), config=config)
    told = parts_of(result)["agentic"]
    assert (told.status, ids(result)) == ("skipped", [])
    assert "refused" in told.note


@pytest.mark.requirement("S4-10")
def test_without_multi_query_one_query_is_asked():
    config = AgenticConfig(enable_multi_query=False)
    model = ScriptedModel(MORE, QUERIES)
    _, report = asked(language_model=model, config=config)
    assert report.refined_queries == ("register images to an atlas",)
    assert "Write one search" in model.prompts[1]


@pytest.mark.requirement("S4-10")
def test_without_the_reranker_none_is_called():
    pairs, model = Pairs(), ScriptedModel(MORE, QUERIES)
    config = AgenticConfig(use_reranker=False)
    cross = LazyScorer(lambda: pairs)
    result, _ = asked(language_model=model, config=config, cross_encoder=cross)
    assert pairs.asked == []
    assert not any("rerank" in node.name for node in result.walk())


def test_a_cross_encoder_reranks_in_batches_in_both_rounds_and_hears_the_instruction():
    pairs, model = Pairs(), ScriptedModel(MORE, QUERIES)
    config = AgenticConfig(reranker_batch_size=3, reranker_instruction="Prefer open tools")
    result, _ = asked(language_model=model, config=config, cross_encoder=LazyScorer(lambda: pairs))
    assert [n for _, n in pairs.asked] == [3, 3, 1, 3, 3, 1]
    assert {q for q, _ in pairs.asked} == {"Prefer open tools\nsegment lungs"}
    assert ids(result)[:3] == ["airways", "lungmask", "nodules"]


def test_a_cross_encoder_that_is_late_leaves_the_order_to_the_scores():
    class Late(Pairs):
        def scores(self, query, texts):
            time.sleep(30)
            return super().scores(query, texts)

    config = AgenticConfig(reranker_timeout=0.2)
    result, report = asked(
        language_model=ScriptedModel(ENOUGH), config=config, cross_encoder=LazyScorer(Late)
    )
    rerank = parts_of(result)["rounds/round 1/search/rerank"]
    assert rerank.status == "fallback"
    assert "no answer within 0.2 s" in rerank.note
    assert report.retrieval_mode == "agentic"


def test_no_rerank_gives_the_order_without_a_pair_model():
    query = make_query("segment lungs", rerank=False)
    result, _ = asked(query=query, language_model=ScriptedModel(ENOUGH))
    plain, _ = asked(language_model=ScriptedModel(ENOUGH))
    assert ids(result) == ids(plain)


def test_what_the_query_excludes_is_in_no_list_of_any_round():
    query = make_query("segment lungs", excluded=("lungmask",))
    result, _ = asked(query=query, language_model=ScriptedModel(MORE, QUERIES))
    assert all("lungmask" not in ids(node) for node in result.walk())


def test_the_length_that_the_query_asks_for_cuts_the_end_and_not_the_rounds():
    query = make_query("segment lungs", top_k=2)
    result, report = asked(query=query, language_model=ScriptedModel(ENOUGH))
    assert (len(ids(result)), report.round1_count, report.round1_reranked_count) == (2, 7, 5)


def test_what_a_visitor_chose_and_excluded_before_weighs_on_the_end_of_the_rounds():
    engine = small_engine(language_model=ScriptedModel(ENOUGH, ENOUGH))
    plain = ids(engine.run("segment lungs", "agentic").candidates)
    told = {"liked": (plain[3],), "disliked": (plain[0],)}
    weighed = engine.run("segment lungs", "agentic", **told)
    assert sorted(ids(weighed.candidates)) == sorted(plain)
    assert ids(weighed.candidates).index(plain[3]) < 3
    assert {w.text for c in weighed.candidates for w in c.why if w.kind == "taste"} == {
        "You chose it before",
        "You excluded it before",
    }
    assert parts_of(weighed.result)["taste"].listed
