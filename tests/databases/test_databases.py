"""bio.tools, BLAST and OncoKB against servers that speak their public shapes."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.stage import finish, progress
from retrieval.databases.agent import ApiAgent, ApiAnswers
from retrieval.databases.bio_tools import BioTools, BioToolsQueryParameters
from retrieval.databases.blast import Blast, BlastQueryParameters
from retrieval.databases.oncokb import OncoKB, OncoKBQueryParameters
from retrieval.databases.parameters import filled, form_of
from tests.compat.biochatter.talk import Shapes
from tests.databases.databases import BRAF, TOOLS, BlastServer, http, soon
from tests.fakes import make_state
from tests.web.loopback import says

ONCO = "OncoKBQueryParameters"
SEQUENCE = "ATGGCCATTGTAATGGGCCGC"


def run(stage, text="question"):
    return finish(progress(stage, make_state(text), root=True))


@pytest.mark.requirement("S2-32")
def test_bio_tools_finds_by_topic_and_tells_what_tools_read(serving):
    server = serving(says(TOOLS))
    model = Shapes(BioToolsQueryParameters={"topic": "metabolomics"})
    api = BioTools(http("bio.tools"), server.url)
    result = run(ApiAnswers(api, model), "Which tools can I use for metabolomics?")
    (asked,) = server.asked
    assert (asked.path, asked.params) == (
        "/t/",
        {"format": "json", "topic": "metabolomics", "page": "1"},
    )
    first, second = result.state.evidence.facts
    assert first.text == (
        "XCMS: Processing of mass spectrometry data. (topics: Metabolomics; does: Peak detection; "
        "reads: Mass spectrum, mzML; licence: GPL-2.0)"
    )
    assert first.source == "bio.tools https://bio.tools/xcms"
    assert second.text == "Bare: Nothing stated."
    assert [s.evidence for s in result.state.evidence.answer] == [(first.id,), (second.id,)]
    assert "topic=metabolomics" in result.state.evidence.query.text


@pytest.mark.requirement("S2-32")
def test_bio_tools_has_its_thirty_fields_and_quotes_exact_values():
    fields = set(BioToolsQueryParameters.model_fields)
    assert len(fields) >= 30
    assert {"inputDataFormat", "outputDataFormat", "operation", "license"} <= fields
    api = BioTools(http())
    line = api.request(BioToolsQueryParameters(inputDataFormatID="format_3244", name="xcms"))
    assert "inputDataFormatID=%22format_3244%22" in line
    assert "name=xcms" in line


def test_bio_tools_is_not_asked_for_everything(serving):
    server = serving(says(TOOLS))
    with pytest.raises(StageUnavailable, match="no parameter"):
        BioTools(http("bio.tools"), server.url).fetch(BioToolsQueryParameters(), soon())
    assert server.asked == []


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        (
            {"hugoSymbol": "BRAF", "alteration": "V600E", "tumorType": "Melanoma"},
            {"hugoSymbol": "BRAF", "alteration": "V600E", "tumorType": "Melanoma"},
        ),
        (
            {"hugoSymbol": "TP53", "alteration": "R273C", "tumorType": "Colon Adenocarcinoma"},
            {"hugoSymbol": "TP53", "alteration": "R273C", "tumorType": "Colon Adenocarcinoma"},
        ),
    ],
)
@pytest.mark.requirement("S2-32")
def test_oncokb_is_asked_once_about_a_protein_change(serving, said, sent):
    server = serving(says(BRAF))
    model = Shapes(**{ONCO: {"endpoint": "annotate/mutations/byProteinChange", **said}})
    result = run(ApiAnswers(OncoKB(http("OncoKB"), server.url), model))
    (asked,) = server.asked
    assert asked.path == "/annotate/mutations/byProteinChange"
    assert asked.params == {"referenceGenome": "GRCh37", **sent}
    told = "\n".join(f.text for f in result.state.evidence.facts)
    assert "rated: Oncogenic" in told
    assert "Dabrafenib (LEVEL_1)" in told


@pytest.mark.requirement("S2-32")
def test_oncokb_is_asked_about_a_fusion(serving):
    server = serving(says(BRAF))
    said = {
        "endpoint": "annotate/structuralVariants",
        "hugoSymbolA": "CD47",
        "hugoSymbolB": "ROS1",
        "structuralVariantType": "FUSION",
        "isFunctionalFusion": True,
        "tumorType": "Lung Adenocarcinoma",
    }
    OncoKB(http("OncoKB"), server.url).fetch(OncoKBQueryParameters(**said), soon())
    asked = server.asked[0]
    assert asked.path == "/annotate/structuralVariants"
    assert asked.params["isFunctionalFusion"] == "true"
    assert asked.params["structuralVariantType"] == "FUSION"
    assert "endpoint" not in asked.params
    assert "question_uuid" not in asked.params


def test_an_unknown_gene_is_no_result_and_not_a_failure(serving):
    server = serving(says({"geneExist": False, "oncogenic": "Unknown"}))
    values = {"hugoSymbol": "NOPE", "alteration": "X1Y"}
    result = run(ApiAnswers(OncoKB(http("OncoKB"), server.url), values=values))
    assert result.status == "ok"
    assert result.state.evidence.facts == ()
    assert "found nothing" in result.state.evidence.refusal


def blast(server, **told):
    return Blast(http("NCBI BLAST"), server.url, sleep=lambda _: None, **told)


@pytest.mark.requirement("S2-32")
def test_blast_is_submitted_once_and_asked_until_it_is_ready(serving):
    answers = BlastServer(waits=2)
    server = serving(answers)
    result = run(ApiAnswers(blast(server), values={"query": SEQUENCE}, seconds=600))
    assert [one["CMD"] for one in answers.said] == ["Put", "Get", "Get", "Get", "Get"]
    put, *_, last = answers.said
    assert (put["PROGRAM"], put["DATABASE"], put["QUERY"]) == ("blastn", "nt", SEQUENCE)
    assert last["RID"] == "ABC123XYZ"
    assert last["FORMAT_TYPE"] == "JSON2_S"
    (fact,) = result.state.evidence.facts
    assert fact.text == "a gene (NM_1): expect 1e-20, identity 95.0 %"


def test_3_3_blast_polls_as_often_and_as_long_as_it_is_told(serving):
    answers, waited = BlastServer(waits=99), []
    server = serving(answers)
    api = Blast(http("NCBI BLAST"), server.url, poll_seconds=30, polls=3, sleep=waited.append)
    with pytest.raises(StageUnavailable, match="asked for 3 times"):
        api.fetch(BlastQueryParameters(query=SEQUENCE), soon(600))
    assert waited == [7.0, 30, 30]
    assert Blast(http()).poll_seconds >= 60


@pytest.mark.parametrize(
    ("server_says", "told"),
    [
        (BlastServer(last="FAILED", waits=0), "ended as failed"),
        (BlastServer(last="UNKNOWN", waits=0), "ended as unknown"),
        (BlastServer(submitted="<html>busy</html>"), "did not take the search"),
    ],
)
def test_a_blast_search_that_goes_wrong_is_told(serving, server_says, told):
    with pytest.raises(StageUnavailable, match=told):
        blast(serving(server_says)).fetch(BlastQueryParameters(query=SEQUENCE), soon(600))


def test_a_blast_search_can_be_asked_for_again_by_its_id(serving):
    answers = BlastServer(waits=0)
    api = blast(serving(answers))
    raw = api.fetch(BlastQueryParameters(rid="ABC123XYZ"), soon(600))
    assert [one["CMD"] for one in answers.said] == ["Get", "Get"]
    assert api.records(raw)[0].id == "NM_1"
    with pytest.raises(ValueError, match="query is missing"):
        BlastQueryParameters()


def test_a_blast_search_that_outlasts_its_time_names_its_search(serving):
    with pytest.raises(StageUnavailable, match="ABC123XYZ is not ready in time"):
        blast(serving(BlastServer())).fetch(BlastQueryParameters(query=SEQUENCE), soon(3))


@pytest.mark.parametrize("query", ["<script>", "ATG; rm -rf", "http://x", "A1B2", "AT"])
def test_only_a_sequence_goes_to_blast(query):
    with pytest.raises(ValueError, match="query"):
        BlastQueryParameters(query=query)


@pytest.mark.requirement("S2-31")
def test_parameters_have_descriptions_defaults_and_validation_and_round_trip():
    for parameters in (BioToolsQueryParameters, BlastQueryParameters, OncoKBQueryParameters):
        fields = parameters.model_fields
        assert all(field.description for field in fields.values())
        assert fields["question_uuid"].default is None
    made = OncoKBQueryParameters(hugoSymbol="BRAF", alteration="V600E", proteinStart=600)
    assert OncoKBQueryParameters.model_validate_json(made.model_dump_json()) == made
    with pytest.raises(ValueError, match="needs alteration"):
        OncoKBQueryParameters(hugoSymbol="BRAF")


@pytest.mark.requirement("S2-31")
def test_every_call_has_a_name_of_its_own():
    model = Shapes(**{ONCO: {"hugoSymbol": "BRAF", "alteration": "V600E"}})
    agent = ApiAgent(OncoKB(http()), model)
    names = {agent.parameterise("q").question_uuid for _ in range(3)}
    assert len(names) == 3
    assert None not in names


def test_parameters_are_a_form_where_there_is_no_model(serving):
    server = serving(says(BRAF))
    api = OncoKB(http("OncoKB"), server.url)
    skipped = run(ApiAnswers(api))
    assert skipped.status == "skipped"
    assert "fill in the form" in skipped.note
    assert server.asked == []
    form = form_of(OncoKBQueryParameters, name="oncokb", title="OncoKB")
    kinds = {field.name: field.kind for field in form.fields}
    assert kinds["endpoint"] == "choice"
    assert kinds["isFunctionalFusion"] == "switch"
    assert kinds["proteinStart"] == "number"
    assert kinds["hugoSymbol"] == "text"
    assert "question_uuid" not in kinds
    endpoint = form.fields[0]
    assert endpoint.default in endpoint.choices
    values = {"hugoSymbol": " BRAF ", "alteration": "V600E", "tumorType": "", "consequence": None}
    assert run(ApiAnswers(api, values=values)).state.evidence.facts
    assert server.asked[0].params["hugoSymbol"] == "BRAF"


@pytest.mark.parametrize(
    ("parameters", "values", "told"),
    [
        (BlastQueryParameters, {}, "query is missing"),
        (BlastQueryParameters, {"query": SEQUENCE, "max_hits": 9999}, "max_hits"),
        (OncoKBQueryParameters, {"endpoint": "../admin"}, "endpoint"),
        (OncoKBQueryParameters, {"hugoSymbol": "BRAF"}, "needs alteration"),
    ],
)
def test_a_form_that_is_filled_wrongly_names_the_field(parameters, values, told):
    with pytest.raises(BadInput, match=told):
        filled(parameters, values)


@pytest.mark.parametrize("answer", ["<html>maintenance</html>", "{}", '{"list": 3}', "[]", ""])
def test_an_answer_that_cannot_be_read_is_told_and_is_not_no_result(serving, answer):
    api = BioTools(http("bio.tools"), serving(says(answer)).url)
    result = run(ApiAnswers(api, values={"topic": "x"}))
    assert result.status == "skipped"
    assert "cannot be read" in result.note


def test_a_model_cannot_send_a_request_to_another_place(serving):
    server = serving(says(BRAF))
    model = Shapes(
        **{
            ONCO: {
                "endpoint": "annotate/mutations/byProteinChange",
                "hugoSymbol": "BRAF&x=1#/../admin",
                "alteration": "V600E",
                "base_url": "http://elsewhere.example",
                "token": "x",
            }
        }
    )
    run(ApiAnswers(OncoKB(http("OncoKB"), server.url), model))
    (asked,) = server.asked
    assert asked.path == "/annotate/mutations/byProteinChange"
    assert asked.params["hugoSymbol"] == "BRAF&x=1#/../admin"
    assert set(asked.params) == {"referenceGenome", "hugoSymbol", "alteration"}


def test_a_model_is_not_asked_while_databases_are_off():
    model = Shapes()
    result = run(ApiAnswers(OncoKB(http("OncoKB", on=False)), model))
    assert result.status == "skipped"
    assert "are off" in result.note
    assert model.prompts == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["list", "name", "description", "function", "BlastOutput2", "report"])
            | st.sampled_from(
                ["oncogenic", "treatments", "geneExist", "topic", "results", "search"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(told=JSON)
def test_whatever_a_database_says_is_read_or_refused(told):
    for api in (BioTools(http()), Blast(http()), OncoKB(http())):
        with suppress(StageUnavailable):
            assert all(record.text for record in api.records(json.dumps(told)))
