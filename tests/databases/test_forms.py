"""Databases by form: shown before it is sent, sent as shown, and never while they are off."""

from __future__ import annotations

import pytest

from retrieval.core.errors import BadInput
from retrieval.settings import Settings
from retrieval.wiring.questions.databases import Databases
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.databases.databases import BRAF, TOOLS, BlastServer
from tests.fakes import SMALL
from tests.web.loopback import says

pytestmark = pytest.mark.process

FILLED = {
    "bio.tools": {"topic": "Metabolomics", "q": ""},
    "blast": {"program": "blastn", "query": "ACGTACGTACGT", "max_hits": 5, "megablast": False},
    "oncokb": {"hugoSymbol": "BRAF", "alteration": "V600E", "isFunctionalFusion": ""},
}
TOLD = {"bio.tools": "XCMS", "blast": "NM_1", "oncokb": "Oncogenic"}


@pytest.fixture(scope="module")
def asking() -> QuestionEngine:
    return QuestionEngine(GraphParts.of(SMALL))


@pytest.fixture
def servers(serving):
    blast = BlastServer(waits=0)
    return {
        "bio.tools": serving(says(TOOLS)),
        "blast": serving(blast),
        "oncokb": serving(says(BRAF)),
    }


@pytest.fixture
def databases(servers) -> Databases:
    addresses = {f"{name.replace('.', '_')}_url": one.url for name, one in servers.items()}
    return Databases(Settings(_env_file=None, databases=True, **addresses))


@pytest.mark.parametrize("name", FILLED)
def test_every_field_of_a_form_stands_open_or_folded_and_none_twice(name: str) -> None:
    held = Databases(Settings(_env_file=None))
    form = next(form for form in held.forms if form.name == name)
    shown = [*held.fields(name), *held.fields(name, folded=True)]
    assert sorted(f.name for f in shown) == sorted(f.name for f in form.fields)
    assert 0 < len(held.fields(name)) <= 6


@pytest.mark.parametrize("name", ["bio.tools", "oncokb"])
def test_what_is_shown_before_is_what_is_sent(
    name: str, databases: Databases, servers, asking: QuestionEngine
) -> None:
    shown = databases.request(name, FILLED[name])
    assert servers[name].asked == []
    asked = databases.with_form(asking, name, FILLED[name]).ask("a form", answerer=name)
    (sent,) = servers[name].asked
    query = "&".join(f"{key}={value}" for key, value in sent.params.items())
    assert shown.startswith(f"GET {servers[name].url}")
    assert shown.endswith(query)
    assert asked.query.text == shown
    assert TOLD[name] in asked.evidence.answer[0].text
    held = {fact.id for fact in asked.evidence.facts}
    assert all(set(one.evidence) <= held for one in asked.evidence.answer)


def test_a_sequence_is_searched_by_form(databases: Databases, asking: QuestionEngine) -> None:
    asked = databases.with_form(asking, "blast", FILLED["blast"]).ask("a form", answerer="blast")
    assert TOLD["blast"] in asked.evidence.answer[0].text


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("oncokb", {"hugoSymbol": "BRAF"}, "needs alteration"),
        ("blast", {"query": "123"}, "query"),
        ("bio.tools", {"topic": "", "q": None}, "it is empty"),
        ("crystal ball", {"q": "x"}, "database:"),
    ],
)
def test_a_form_that_cannot_be_sent_says_why_and_sends_nothing(
    name: str, values: dict, said: str, databases: Databases, servers, asking: QuestionEngine
) -> None:
    for attempt in (databases.request, lambda *told: databases.with_form(asking, *told)):
        with pytest.raises(BadInput, match=said):
            attempt(name, values)
    assert all(one.asked == [] for one in servers.values())


def test_while_databases_are_off_a_form_is_looked_at_and_not_sent(
    servers, asking: QuestionEngine
) -> None:
    off = Databases(Settings(_env_file=None, oncokb_url=servers["oncokb"].url))
    assert "SCANSCOUT_DATABASES=true" in off.off
    assert "hugoSymbol=BRAF" in off.request("oncokb", FILLED["oncokb"])
    asked = off.with_form(asking, "oncokb", FILLED["oncokb"]).ask("a form", answerer="oncokb")
    assert "nothing is sent until they are switched on" in asked.refused
    assert servers["oncokb"].asked == []


def test_a_database_that_fails_is_told_apart_from_one_that_found_nothing(
    serving, asking: QuestionEngine
) -> None:
    told = {"broken": says("<html>", status=500), "empty": says({**TOOLS, "list": [], "count": 0})}
    refused = {}
    for name, answer in told.items():
        one = Databases(Settings(_env_file=None, databases=True, bio_tools_url=serving(answer).url))
        asked = one.with_form(asking, "bio.tools", {"q": "x"}).ask("a form", answerer="bio.tools")
        refused[name] = asked.refused
    assert "HTTP 500" in refused["broken"]
    assert refused["empty"] == "bio.tools found nothing for these parameters."
