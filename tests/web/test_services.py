"""The eight services: what they are asked, what is read from their answers, in which order."""

from __future__ import annotations

import inspect
from types import MappingProxyType

import httpx
import pytest

from retrieval.net.request import Reply
from retrieval.settings import Settings, variable
from retrieval.web.search import WebSearch
from retrieval.web.services import arxiv, general, pubmed
from retrieval.wiring.web import open_web
from tests.web import samples
from tests.web.farming import GOOD, KEYS, SHOWN
from tests.web.loopback import hangs, says

TEXT = "latest papers on lung segmentation"
KEYED = ("tavily", "serper", "serpapi")
NOTES = MappingProxyType({"biorxiv": "bioRxiv, through Europe PMC's preprint index"})


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.requirement("S0-33")
def test_each_of_the_eight_services_is_asked_and_read(farm, name):
    answer = farm.keyed().run(TEXT, SHOWN[name])
    assert answer.used == (SHOWN[name],)
    assert answer.failures == ()
    assert all(page.title and page.url.startswith("https://") for page in answer.pages)
    assert all(page.sources == (SHOWN[name],) for page in answer.pages)
    assert [n for n in SHOWN if farm.asked(n)] == [name]
    assert answer.result.children[0].note == NOTES.get(name, "")


@pytest.mark.requirement("S0-33")
def test_there_are_eight_in_the_order_of_trying(farm):
    assert farm.keyed().presets == ("web", "literature", *SHOWN.values())


@pytest.mark.parametrize("name", ["TAVILY_API_KEY", "SERPER_API_KEY", "SERPAPI_API_KEY"])
@pytest.mark.requirement("S0-34")
def test_keys_are_read_under_exactly_these_names(monkeypatch, name):
    for known in ("TAVILY_API_KEY", "SERPER_API_KEY", "SERPAPI_API_KEY", "NCBI_EMAIL"):
        monkeypatch.delenv(known, raising=False)
    assert variable(name.casefold()) == name
    before = open_web(Settings(_env_file=None)).presets
    monkeypatch.setenv(name, "secret-value")
    after = open_web(Settings(_env_file=None)).presets
    assert len(after) == len(before) + 1
    assert "secret-value" not in repr(Settings(_env_file=None))


@pytest.mark.requirement("S0-34")
def test_the_address_for_ncbi_is_read_under_exactly_this_name(monkeypatch):
    monkeypatch.setenv("NCBI_EMAIL", "me@example.org")
    assert Settings(_env_file=None).ncbi_email.get_secret_value() == "me@example.org"


@pytest.mark.requirement("S0-35")
def test_the_first_successful_service_wins_and_the_failures_before_it_are_named(farm):
    farm.set(tavily=says("oops", status=500), serper=hangs, serpapi=says({"organic_results": []}))
    answer = farm.keyed(web_service_seconds=0.4).run(TEXT, "web")
    assert answer.used == ("DuckDuckGo",)
    assert [p.title for p in answer.pages] == ["Duck's lungs <i>"]
    assert [name for name, _ in answer.failures] == ["Tavily", "Serper", "SerpAPI"]
    first, second, third = (reason for _, reason in answer.failures)
    assert (first, third) == ("answered HTTP 500", "found nothing")
    # The bound of the call or that of its connection, whichever is met first.
    assert second in ("did not answer in time", "the service: no answer within 0.4 s")
    assert "Tavily: answered HTTP 500" in answer.result.note
    assert answer.result.status == "fallback"
    assert not farm.asked("pubmed")


@pytest.mark.requirement("S0-35")
def test_the_same_through_an_injected_transport(tmp_path):
    def handler(request):
        host = request.url.host
        if host == "api.tavily.com":
            return httpx.Response(500)
        if host == "google.serper.dev":
            raise httpx.ReadTimeout("slow")
        if host == "serpapi.com":
            return httpx.Response(200, json={"error": "Google hasn't returned any results"})
        return httpx.Response(200, html=samples.DUCKDUCKGO)

    settings = Settings(web_search=True, cache_dir=tmp_path, **KEYS, _env_file=None)
    answer = open_web(settings, httpx.MockTransport(handler)).run(TEXT, "web")
    assert answer.used == ("DuckDuckGo",)
    assert [name for name, _ in answer.failures] == ["Tavily", "Serper", "SerpAPI"]
    assert [host for _, host in answer.hosts][-1] == "html.duckduckgo.com"


@pytest.mark.requirement("S0-35")
def test_keyless_services_follow_in_their_order(farm):
    down = says("", status=500)
    farm.set(duckduckgo=down, pubmed=down, biorxiv=down, semantic_scholar=down)
    answer = farm.web().run(TEXT, "web")
    assert answer.used == ("arXiv",)
    assert [n for n, _ in answer.failures] == [
        "DuckDuckGo",
        "PubMed",
        "bioRxiv",
        "Semantic Scholar",
    ]


@pytest.mark.requirement("S0-36")
def test_without_a_key_no_keyed_service_is_asked(farm):
    web = farm.web()
    web.run(TEXT, "web")
    web.run(TEXT, "literature")
    assert [farm.asked(n) for n in KEYED] == [[], [], []]
    assert not {"Tavily", "Serper", "SerpAPI"} & set(web.presets)


@pytest.mark.parametrize("name", KEYED)
@pytest.mark.requirement("S0-36")
def test_a_key_goes_to_its_own_service_only(farm, name):
    field = f"{name}_api_key"
    for server in farm.servers.values():
        server.answers = says("", status=500)
    farm.web(**{field: KEYS[field]}).run(TEXT, "web")
    for other in SHOWN:
        told = str(farm.asked(other))
        assert (KEYS[field] in told) == (other == name)
    assert [n for n in KEYED if farm.asked(n)] == [name]


@pytest.mark.requirement("S0-37")
def test_the_address_is_sent_to_ncbi_when_it_is_set(farm):
    farm.web(ncbi_email="me@example.org").run(TEXT, "PubMed")
    assert [a.params["email"] for a in farm.asked("pubmed")] == ["me@example.org"] * 2


@pytest.mark.requirement("S0-37")
def test_without_an_address_ncbi_is_asked_all_the_same(farm):
    assert farm.web().run(TEXT, "PubMed").pages
    assert all("email" not in a.params for a in farm.asked("pubmed"))


@pytest.mark.requirement("S0-38")
def test_search_arxiv_has_these_defaults():
    from retrieval.compat.biocortex.web_search import search_arxiv

    told = inspect.signature(search_arxiv).parameters
    assert next(iter(told)) == "query"
    assert told["max_results"].default == 10
    assert told["categories"].default == ["q-bio", "cs.AI"]


@pytest.mark.requirement("S0-38")
def test_search_arxiv_asks_for_these_categories(farm):
    from retrieval.compat.biocortex.web_search import search_arxiv

    found = search_arxiv("protein folding", settings=farm.settings())
    sent = farm.asked("arxiv")[0].params
    assert sent["search_query"] == (
        '(all:"protein" AND all:"folding") AND (cat:q-bio.* OR cat:cs.AI)'
    )
    assert sent["max_results"] == "10"
    assert [row["arxiv_id"] for row in found] == ["2401.12345"]
    assert set(found[0]) == {"title", "authors", "abstract", "arxiv_id", "pdf_url"}


@pytest.mark.requirement("S0-39")
def test_an_arxiv_item_has_title_authors_abstract_id_and_pdf():
    (page,) = arxiv.parse(Reply(body=samples.ARXIV.encode()))
    assert page.title == "Lungs by transformers"
    assert page.authors == ("Ada Lovelace", "Max Mustermann")
    assert page.text == "We segment lungs with attention."
    assert page.arxiv_id == "2401.12345"
    assert page.pdf_url == "http://arxiv.org/pdf/2401.12345v2"
    assert (page.date, page.doi) == ("2024-01-22", "10.1000/xyz123")


@pytest.mark.requirement("S0-40")
def test_pubmed_gives_whole_abstracts_with_their_sections():
    first, second = reversed(pubmed.parse(Reply(body=samples.EFETCH.encode())))
    assert [head for head, _ in first.sections] == [
        "BACKGROUND",
        "METHODS",
        "RESULTS",
        "CONCLUSIONS",
    ]
    assert first.sections[0][1] == "Lungs are hard & varied."
    assert first.text.splitlines()[2] == "RESULTS: Dice was 0.98 ± 0.03."
    assert first.authors == ("Johannes Hofmanninger", "Forian Prayer")
    assert (first.date, first.doi) == ("2025-08-02", "10.1186/s41747-020-00173-2")
    assert (second.text, second.sections, second.date) == ("One paragraph only.", (), "2024-03")
    assert second.title == "A second record with a plain abstract."


@pytest.mark.requirement("S0-40")
def test_semantic_scholar_gives_citation_counts(farm):
    answer = farm.web().run(TEXT, "Semantic Scholar")
    assert [p.citations for p in answer.pages] == [412, 0]


def test_pubmed_keeps_the_order_of_its_search(farm):
    assert [p.pmid for p in farm.web().run(TEXT, "PubMed").pages] == ["33333333", "22222222"]


def test_scientific_services_get_the_topic_and_general_ones_the_whole_text(farm):
    web = farm.keyed()
    web.run(TEXT, "Tavily")
    web.run(TEXT, "PubMed")
    assert farm.asked("tavily")[0].data["query"] == TEXT
    assert farm.asked("pubmed")[0].params["term"] == "lung segmentation"


@pytest.mark.parametrize(
    ("text", "name", "where", "sent"),
    [
        ("PMID: 32814998", "pubmed", "term", "32814998[pmid]"),
        ("doi 10.1186/s41747-020-00173-2.", "pubmed", "term", "10.1186/s41747-020-00173-2[doi]"),
        ("arXiv:2401.12345v3", "arxiv", "id_list", "2401.12345"),
    ],
)
def test_a_number_is_looked_up_as_a_number(farm, text, name, where, sent):
    farm.web().run(text, SHOWN[name])
    assert farm.asked(name)[0].params[where] == sent


def test_semantic_scholar_looks_one_paper_up_by_its_number(farm):
    one = samples.SEMANTIC_SCHOLAR["data"][0]
    farm.set(semantic_scholar=says(one))
    answer = farm.web().run("10.1186/s41747-020-00173-2", "Semantic Scholar")
    assert farm.asked("semantic_scholar")[0].path == "/paper/DOI:10.1186/s41747-020-00173-2"
    assert [p.citations for p in answer.pages] == [412]


def test_biorxiv_is_asked_through_europe_pmc_for_its_preprints_alone(farm):
    farm.web().run("nuclei (cells)", "bioRxiv")
    sent = farm.asked("biorxiv")[0].params["query"]
    assert sent == '(nuclei cells) AND (SRC:PPR) AND (PUBLISHER:"bioRxiv")'


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("latest papers on lung segmentation", ("pub_date", "P_PDATE_D desc", "submittedDate")),
        ("papers on lung segmentation", ("relevance", None, "relevance")),
    ],
)
def test_who_asks_for_the_latest_gets_the_newest_first(farm, text, orders):
    farm.web().run(text, "literature")
    pubmed_asked = next(a for a in farm.asked("pubmed") if "term" in a.params)
    assert orders == (
        pubmed_asked.params["sort"],
        farm.asked("biorxiv")[0].params.get("sort"),
        farm.asked("arxiv")[0].params["sortBy"],
    )


def test_serper_reads_dates_in_words():
    import json

    reply = Reply(body=json.dumps(samples.SERPER).encode())
    (page,) = general.SERPER.search(lambda request: reply, "lungs", 5, key="k")
    assert (page.date, page.year) == ("2026-03-03", 2026)


def test_every_service_is_a_stage_with_time_and_list(farm):
    answer = farm.web().run(TEXT, "literature")
    told = {c.name: [x.tool.name for x in c.state.candidates] for c in answer.result.children}
    assert list(told) == ["PubMed", "bioRxiv", "Semantic Scholar", "arXiv"]
    assert all(told.values())
    assert all(c.metrics["answered_ms"] > 0 for c in answer.result.children)


def test_a_preset_nobody_knows_is_refused_naming_those_there_are(farm):
    from retrieval.core.errors import BadInput

    with pytest.raises(BadInput, match="unknown 'Bing'; choose one of: web, literature"):
        farm.web().run(TEXT, "Bing")


def test_every_good_answer_has_a_server():
    assert set(GOOD) == set(SHOWN)
    assert isinstance(open_web(Settings(_env_file=None)), WebSearch)
