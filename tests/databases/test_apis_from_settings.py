"""Databases from settings, as those who can answer, within *ask*."""

from __future__ import annotations

import pytest

from retrieval.ask.routing import choose
from retrieval.core.errors import BadInput
from retrieval.core.stage import finish, progress
from retrieval.settings import Settings
from retrieval.wiring.databases import api_answerers, api_form, database_purposes, open_apis
from tests.compat.biochatter.talk import Shapes
from tests.databases.databases import BRAF, TOOLS
from tests.fakes import make_state
from tests.web.loopback import says


def settings(**told):
    return Settings(_env_file=None, **told)


def test_databases_are_off_by_default_and_go_to_their_public_addresses():
    told = settings()
    assert told.databases is False
    assert database_purposes(told) == frozenset()
    apis = open_apis(told)
    assert {name: api.base for name, api in apis.items()} == {
        "bio.tools": "https://bio.tools/api",
        "blast": "https://blast.ncbi.nlm.nih.gov/Blast.cgi",
        "oncokb": "https://demo.oncokb.org/api/v1",
    }


def test_a_token_is_nowhere_to_be_seen():
    apis = open_apis(settings(oncokb_token="t0ken-secret"))
    assert apis["oncokb"].token == "t0ken-secret"
    assert "t0ken" not in repr(apis)


def test_every_database_has_a_form():
    apis = open_apis(settings())
    for name in apis:
        form = api_form(apis, name)
        assert form.fields
        assert all(field.label for field in form.fields)
    with pytest.raises(BadInput, match=r"bio\.tools, blast, oncokb"):
        api_form(apis, "crystal ball")


@pytest.mark.requirement("S2-08")
def test_a_question_goes_to_the_database_that_it_names():
    apis = open_apis(settings(databases=True))
    answerers = {n: made(None) for n, made in api_answerers(apis).items()}
    choice = choose("What is the oncogenic potential of BRAF V600E?", answerers)
    assert (choice.answerer, choice.by) == ("oncokb", "rules")
    assert "oncogenic" in choice.reason
    assert {name for name, _ in choice.alternatives} == {"bio.tools", "blast"}
    assert choose("anything", answerers, wanted="blast").by == "person"


def test_a_form_that_was_filled_in_is_what_is_asked(serving):
    server = serving(says(TOOLS))
    told = settings(databases=True, bio_tools_url=server.url)
    made = api_answerers(open_apis(told), values={"inputDataFormat": "mzML"})["bio.tools"](None)
    result = finish(progress(made.stage, make_state("which read mzML?"), root=True))
    assert server.asked[0].params["inputDataFormat"] == "mzML"
    assert len(result.state.evidence.facts) == 2


def test_a_wrongly_filled_form_is_a_reason_and_no_defect(serving):
    told = settings(databases=True, oncokb_url=serving(says(BRAF)).url)
    made = api_answerers(open_apis(told), values={"hugoSymbol": "BRAF"})["oncokb"](None)
    result = finish(progress(made.stage, make_state("q"), root=True))
    assert result.status == "skipped"
    assert "needs alteration" in result.note


def test_a_model_fills_in_what_a_question_says(serving):
    server = serving(says(BRAF))
    told = settings(databases=True, oncokb_url=server.url)
    model = Shapes(OncoKBQueryParameters={"hugoSymbol": "BRAF", "alteration": "V600E"})
    made = api_answerers(open_apis(told), model)["oncokb"](None)
    result = finish(progress(made.stage, make_state("What of BRAF V600E?"), root=True))
    assert result.state.evidence.answer[0].evidence == ("oncokb oncogenic",)
    (asked,) = model.prompts
    assert "hugoSymbol: Gene, such as BRAF" in asked[1]
    assert "What of BRAF V600E?" in asked[1]


def test_a_database_that_is_off_is_never_chosen_by_the_rules_and_says_so():
    answerers = {n: made(None) for n, made in api_answerers(open_apis(settings())).items()}
    suits, why = answerers["oncokb"].suits("What is the oncogenic potential of BRAF V600E?")
    assert suits == 0.0
    assert "SCANSCOUT_DATABASES" in why
    assert all("(switched off)" in one.description for one in answerers.values())
