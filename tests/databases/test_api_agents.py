"""``APIAgent`` by BioChatter's names: three parts, of which none runs after a failure."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field
from retrieval.compat.biochatter.api_agent.base.agent_abc import (
    BaseFetcher,
    BaseInterpreter,
    BaseQueryBuilder,
)
from retrieval.compat.biochatter.api_agent.base.api_agent import APIAgent
from retrieval.compat.biochatter.api_agent.base.formatters import (
    format_as_python_call,
    format_as_rest_call,
)
from retrieval.compat.biochatter.api_agent.web.oncokb import (
    OncoKBFetcher,
    OncoKBInterpreter,
    OncoKBQueryBuilder,
)

from retrieval.compat.biochatter.api_agent import api_agent as seed_agent
from retrieval.compat.biochatter.rag_agent import RagAgent
from retrieval.core.errors import StageUnavailable
from retrieval.databases.agent import MOST_CONTEXT, interpreted, reduced
from retrieval.databases.oncokb import OncoKBQueryParameters
from tests.compat.biochatter.talk import Shapes
from tests.databases.databases import BRAF
from tests.web.loopback import says

QUESTION = "What is the oncogenic potential of BRAF V600E mutation?"
ASKED = {"hugoSymbol": "BRAF", "alteration": "V600E"}


class Asked(BaseModel):
    word: str = Field(default="", description="A word")


class Builds(BaseQueryBuilder):
    def create_runnable(self, query_parameters, conversation):
        raise NotImplementedError

    def parameterise_query(self, question, conversation):
        if question == "unclear":
            raise StageUnavailable("the parameters could not be filled in")
        return Asked(word=question)


class Fetches(BaseFetcher):
    def __init__(self, answer):
        self.answer, self.calls = answer, 0

    def fetch_results(self, query_model, retries=3):
        self.calls += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Interprets(BaseInterpreter):
    def __init__(self):
        self.heard = []

    def summarise_results(self, question, conversation_factory, response_text):
        self.heard.append(response_text)
        return f"about {response_text}"


def agent(answer):
    return APIAgent(
        conversation_factory=lambda: None,
        query_builder=Builds(),
        fetcher=Fetches(answer),
        interpreter=Interprets(),
    )


@pytest.mark.requirement("S2-29")
def test_an_answer_passes_all_three_parts_and_is_kept():
    made = agent("text")
    made.connect()
    assert made.execute("q") == made.final_answer == "about text"
    assert made.get_query_results("q") == "about text"
    assert made.parameterise_query("q") == Asked(word="q")
    assert made.fetch_results(Asked()) == "text"
    assert made.summarise_results("q", "more") == "about more"


@pytest.mark.requirement("S2-29")
def test_a_description_names_the_tool():
    told = agent("x").get_description("BLAST", "It finds sequences." * 100)
    assert "BLAST" in told
    assert len(told) <= 1000


@pytest.mark.requirement("S2-29")
def test_a_summary_is_optional():
    made = APIAgent(lambda: None, Builds(), Fetches("text"))
    assert made.execute("q") == made.final_answer == "text"


@pytest.mark.parametrize("part", [BaseQueryBuilder, BaseFetcher, BaseInterpreter])
@pytest.mark.requirement("S2-30")
def test_a_part_without_its_methods_cannot_be_made(part):
    with pytest.raises(TypeError):
        part()
    with pytest.raises(TypeError):
        type("Half", (part,), {})()


@pytest.mark.parametrize("answer", [StageUnavailable("the server is down"), None, "", "  "])
@pytest.mark.requirement("S2-35")
def test_a_failed_fetch_never_reaches_the_interpreter(answer):
    made = agent(answer)
    assert made.execute("q") == f"No answer: {made.error}"
    assert made.interpreter.heard == []
    assert made.final_answer is None
    assert made.error


@pytest.mark.requirement("S2-35")
def test_a_question_without_parameters_is_not_fetched():
    made = agent("text")
    assert made.execute("unclear") == f"No answer: {made.error}"
    assert made.fetcher.calls == 0
    assert "could not be filled" in made.error


@pytest.mark.requirement("S2-35")
def test_nothing_of_an_earlier_answer_is_left_after_a_failure():
    made = agent("text")
    made.execute("q")
    made.fetcher.answer = StageUnavailable("gone")
    assert made.execute("q") == f"No answer: {made.error}"
    assert made.final_answer is None


@pytest.mark.requirement("S2-34")
def test_a_large_response_is_reduced_and_says_how_much_is_left_out():
    lines = [f"line {n} " + "x" * 90 for n in range(1000)]
    small = reduced("\n".join(lines))
    assert len(small) <= MOST_CONTEXT
    assert small.startswith("line 0 ")
    kept = small.count("\n")
    assert f"[{1000 - kept} more lines were left out]" in small
    assert len(reduced("y" * 50_000)) <= MOST_CONTEXT
    assert reduced("short") == "short"


@pytest.mark.requirement("S2-34")
def test_a_summary_is_made_from_the_reduced_response():
    model = Shapes(Summary={"answer": "many"})
    assert interpreted(model, "q", "word\n" * 100_000, title="it") == "many"
    assert len(model.prompts[0][1]) < MOST_CONTEXT + 2000


@pytest.fixture
def oncokb(serving, monkeypatch, tmp_path):
    """OncoKB at an address of this machine, switched on in the environment."""
    monkeypatch.chdir(tmp_path)

    def start(answers=None, *, on="true"):
        server = serving(answers or says(BRAF))
        monkeypatch.setenv("SCANSCOUT_DATABASES", on)
        monkeypatch.setenv("SCANSCOUT_ONCOKB_URL", server.url)
        return server

    return start


def onco(model):
    return APIAgent(
        conversation_factory=lambda: model,
        query_builder=OncoKBQueryBuilder(),
        fetcher=OncoKBFetcher(),
        interpreter=OncoKBInterpreter(),
    )


def model(**more):
    return Shapes(OncoKBQueryParameters=ASKED, Summary={"answer": "It is oncogenic."}, **more)


def test_3_3_oncokb_is_fetched_once_and_summed_up(oncokb):
    server, said = oncokb(), model()
    made = onco(said)
    assert made.execute(QUESTION) == "It is oncogenic."
    assert len(server.asked) == 1
    assert isinstance(made.parameters, OncoKBQueryParameters)
    assert "rated: Oncogenic" in said.prompt("Summary")[0]
    assert json.loads(made.response)["oncogenic"] == "Oncogenic"


def busy_at_first(times):
    """Says that it is busy so many times, then answers."""
    left = [says("busy", status=503)] * times

    def answer(connection, asked, over):
        (left.pop() if left else says(BRAF))(connection, asked, over)

    return answer


def test_a_passing_fault_is_tried_again_as_often_as_retries_say(oncokb):
    query = OncoKBQueryParameters(**ASKED)
    patient = oncokb(busy_at_first(1))
    assert json.loads(OncoKBFetcher().fetch_results(query, retries=2))["oncogenic"] == "Oncogenic"
    assert len(patient.asked) == 2
    hasty = oncokb(busy_at_first(1))
    with pytest.raises(StageUnavailable):
        OncoKBFetcher().fetch_results(query, retries=1)
    assert len(hasty.asked) == 1


def test_outside_calls_are_off_until_they_are_switched_on(oncokb):
    server, said = oncokb(on="false"), model()
    made = onco(said)
    assert made.execute(QUESTION) == f"No answer: {made.error}"
    assert "SCANSCOUT_DATABASES" in made.error
    assert server.asked == []
    assert said.prompt("Summary") == []


def test_a_response_that_cannot_be_read_is_not_summed_up(oncokb):
    oncokb(says("<html>busy</html>"))
    said = model()
    made = onco(said)
    assert made.execute(QUESTION) == f"No answer: {made.error}"
    assert "cannot be read" in made.error
    assert said.prompt("Summary") == []


@pytest.mark.requirement("S2-36")
def test_import_paths_of_both_generations_are_the_same_classes():
    from retrieval.compat.biochatter.api_agent import abc, bio_tools, blast, oncokb
    from retrieval.compat.biochatter.api_agent.base import agent_abc
    from retrieval.compat.biochatter.api_agent.base import api_agent as base_agent
    from retrieval.compat.biochatter.api_agent.web import bio_tools as web_tools
    from retrieval.compat.biochatter.api_agent.web import blast as web_blast
    from retrieval.compat.biochatter.api_agent.web import oncokb as web_oncokb

    assert seed_agent.APIAgent is base_agent.APIAgent
    assert abc.BaseFetcher is agent_abc.BaseFetcher
    assert oncokb.OncoKBFetcher is web_oncokb.OncoKBFetcher
    assert blast.BlastQueryBuilder is web_blast.BlastQueryBuilder
    assert bio_tools.BioToolsInterpreter is web_tools.BioToolsInterpreter


def test_parameters_can_be_shown_as_a_call():
    class Shown(BaseModel):
        base_url: str = "https://host/api/"
        endpoint: str = "t"
        topic: str | None = "a b"
        other: str | None = None

    assert format_as_rest_call(Shown()) == "https://host/api/t?topic=a+b"
    assert format_as_python_call(Shown()) == "Shown(topic='a b')"


@pytest.mark.requirement("S2-06")
def test_an_agent_of_a_database_answers_or_says_error(oncokb):
    oncokb()
    told = {"mode": "api_oncokb", "use_prompt": True, "conversation_factory": model}
    assert RagAgent(**told).generate_responses(QUESTION) == [("It is oncogenic.", "response")]
    oncokb(on="false")
    off = RagAgent(**told)
    [(text, kind)] = off.generate_responses(QUESTION)
    assert (text, kind) == (f"No answer: {off.reason}", "error")
    assert "SCANSCOUT_DATABASES" in off.reason
