"""Services that are down, hang, lie or attack: the page gets a reason, in time, and no more."""

from __future__ import annotations

import gzip
import json
import logging
import time
import tracemalloc
import zlib

import pytest

from tests.web import samples
from tests.web.alone import BODIES, BOMB, CAPTCHA, EXTERNAL, QUICK, TEXT, alone
from tests.web.farming import GOOD, KEYS, SHOWN
from tests.web.loopback import (
    by_path,
    drips,
    drips_its_head,
    endless,
    half,
    hangs,
    raw,
    redirects,
    says,
)

pytestmark = pytest.mark.process


@pytest.mark.requirement("S0-42")
def test_all_down_gives_an_empty_list_and_a_reason_for_each(farm):
    farm.set(**dict.fromkeys(SHOWN, says("", status=500)))
    for preset in ("web", "literature"):
        answer = farm.keyed().run(TEXT, preset)
        assert answer.pages == ()
        assert answer.result.status == "skipped"
        for name, _ in answer.failures:
            assert f"{name}: answered HTTP 500" in (answer.reason or "")


@pytest.mark.requirement("S0-42")
def test_nobody_listening_gives_an_empty_list_and_a_reason(farm):
    web = farm.keyed()
    farm.close()
    answer = web.run(TEXT, "web")
    assert answer.pages == ()
    assert len(answer.failures) == 8
    assert "could not be reached" in (answer.reason or "")


@pytest.mark.parametrize("name", SHOWN)
def test_one_that_hangs_costs_its_share_and_the_next_answers(farm, name):
    farm.set(**{n: says("", status=500) for n in list(SHOWN)[: list(SHOWN).index(name)]})
    farm.set(**{name: hangs})
    start = time.monotonic()
    answer = farm.keyed(**QUICK).run(TEXT, "web")
    took = time.monotonic() - start
    assert took < 6.0
    if name == "arxiv":
        assert answer.pages == ()
    else:
        assert answer.used == (list(SHOWN.values())[list(SHOWN).index(name) + 1],)
    # Which clock ends it, that of the connection or of the call, depends on the load.
    reasons = [reason for service, reason in answer.failures if service == SHOWN[name]]
    assert any("answer" in reason and "HTTP" not in reason for reason in reasons), reasons


@pytest.mark.parametrize("name", ["pubmed", "biorxiv", "semantic_scholar", "arxiv"])
def test_one_that_hangs_leaves_the_other_three_of_the_literature(farm, name):
    farm.set(**{name: hangs})
    start = time.monotonic()
    answer = farm.web(web_seconds=3.0).run(TEXT, "literature")
    assert time.monotonic() - start < 30.0
    assert len(answer.used) == 3
    assert answer.pages
    assert [n for n, _ in answer.failures] == [SHOWN[name]]


def test_all_but_the_last_hang_and_it_answers_within_eight_seconds_by_default(farm):
    farm.set(**dict.fromkeys(("duckduckgo", "pubmed", "biorxiv", "semantic_scholar"), hangs))
    start = time.monotonic()
    answer = farm.web().run(TEXT, "web")
    assert answer.used == ("arXiv",)
    assert time.monotonic() - start < 8.0


@pytest.mark.parametrize("slow", [drips, drips_its_head])
@pytest.mark.parametrize("name", ["tavily", "duckduckgo", "pubmed", "arxiv"])
def test_a_slow_drip_ends_with_the_time_of_its_service(farm, name, slow):
    start = time.monotonic()
    answer = alone(farm, name, slow, web_service_seconds=0.4)
    assert answer.pages == ()
    assert time.monotonic() - start < 6.0
    assert "in time" in answer.failures[0][1] or "too slowly" in answer.failures[0][1]


@pytest.mark.parametrize("name", SHOWN)
def test_half_an_answer_is_a_reason_and_no_list(farm, name):
    answer = alone(farm, name, half(BODIES[name].encode()))
    assert answer.pages == ()
    assert answer.failures == ((SHOWN[name], "broke off in the middle of its answer"),)


@pytest.mark.parametrize("name", [n for n in SHOWN if n != "duckduckgo"])
def test_half_a_json_or_xml_that_ends_well_is_a_reason_too(farm, name):
    text = BODIES[name]
    answer = alone(farm, name, says(text[: len(text) // 2]))
    assert answer.pages == ()
    assert "that cannot be read" in answer.failures[0][1]


def test_half_an_xml_of_pubmed_is_a_reason(farm):
    cut = says(samples.EFETCH[: len(samples.EFETCH) // 2])
    answer = alone(farm, "pubmed", by_path(esearch_fcgi=says(samples.ESEARCH), efetch_fcgi=cut))
    assert answer.failures == (("PubMed", "sent XML that cannot be read"),)


@pytest.mark.parametrize("name", ["arxiv", "pubmed"])
def test_an_entity_bomb_is_refused_unread(farm, name):
    bomb = says(BOMB)
    answer = alone(
        farm, name, bomb if name == "arxiv" else by_path(esearch_fcgi=GOOD[name], efetch_fcgi=bomb)
    )
    assert answer.failures == ((SHOWN[name], "sent XML that cannot be read"),)


def test_an_external_entity_is_never_fetched(farm, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("PRIVATE")
    for place in (secret.as_uri(), farm.servers["tavily"].url):
        answer = alone(farm, "arxiv", says(EXTERNAL.format(place)))
        assert answer.pages == ()
        assert "PRIVATE" not in str(answer)
    assert farm.asked("tavily") == []


@pytest.mark.parametrize("status", [200, 202])
def test_a_captcha_is_told_as_such_and_the_next_is_asked(farm, status):
    farm.set(duckduckgo=says(CAPTCHA, status=status))
    answer = farm.web().run(TEXT, "web")
    assert answer.used == ("PubMed",)
    assert "a captcha" in answer.failures[0][1]


@pytest.mark.parametrize("name", [n for n in SHOWN if n != "duckduckgo"])
def test_a_login_page_instead_of_data_is_told_as_such(farm, name):
    answer = alone(farm, name, says("<html><body>Please sign in</body></html>"))
    assert "sent a web page instead of data" in answer.failures[0][1]


@pytest.mark.parametrize("name", SHOWN)
def test_a_redirect_to_this_machine_is_never_followed(farm, name):
    other = farm.servers["arxiv" if name != "arxiv" else "tavily"]
    for to in (
        other.url,
        f"http://localhost:{other.port}/",
        f"http://[::ffff:127.0.0.1]:{other.port}/",
    ):
        answer = alone(farm, name, redirects(to))
        assert answer.pages == ()
        assert "not asked" in answer.failures[0][1] or "not followed" in answer.failures[0][1]
    assert other.asked == []


@pytest.mark.parametrize(
    "to", ["file:///etc/passwd", "ftp://example.org/", "javascript:1", "", "about:blank"]
)
def test_a_redirect_to_anything_but_the_web_is_never_followed(farm, to):
    answer = alone(farm, "arxiv", redirects(to))
    assert answer.pages == ()
    assert "no web address" in answer.failures[0][1] or "no address" in answer.failures[0][1]


@pytest.mark.parametrize("name", SHOWN)
def test_200_mb_are_left_after_a_few(farm, name):
    tracemalloc.start()
    answer = alone(farm, name, endless)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert answer.failures == ((SHOWN[name], "sent more than 4 MB"),)
    assert peak < 60_000_000


@pytest.mark.parametrize("name", ["tavily", "duckduckgo", "arxiv"])
def test_a_gzip_bomb_is_left_after_a_few_mb(farm, name):
    squeezed = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join([*(squeezed.compress(b" " * 1_000_000) for _ in range(300)), squeezed.flush()])
    tracemalloc.start()
    answer = alone(farm, name, says(bomb, "Content-Encoding: gzip"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert answer.failures == ((SHOWN[name], "sent more than 4 MB"),)
    assert peak < 60_000_000


def test_a_bomb_inside_a_bomb_is_an_encoding_nobody_asked_for(farm):
    twice = gzip.compress(gzip.compress(b" " * 10_000_000))
    answer = alone(farm, "tavily", says(twice, "Content-Encoding: gzip, gzip"))
    assert answer.failures == (("Tavily", "sent an encoding that was not asked for"),)


@pytest.mark.parametrize("name", SHOWN)
def test_a_compressed_answer_is_read(farm, name):
    if name == "pubmed":
        gz = {
            k: says(gzip.compress(v), "Content-Encoding: gzip")
            for k, v in (
                ("esearch_fcgi", json.dumps(samples.ESEARCH).encode()),
                ("efetch_fcgi", samples.EFETCH.encode()),
            )
        }
        assert alone(farm, name, by_path(**gz)).pages
    else:
        body = gzip.compress(BODIES[name].encode())
        assert alone(farm, name, says(body, "Content-Encoding: gzip")).pages


@pytest.mark.requirement("S0-42")
def test_keys_are_in_no_log_error_result_or_cache(farm, caplog):
    caplog.set_level(logging.DEBUG)
    echo = {k: f"echo {' '.join(KEYS.values())}" for k in ("title", "content", "snippet")}
    rows = [{**echo, "url": "https://example.org/", "link": "https://example.org/"}]
    good = says({"results": rows, "organic": rows, "organic_results": rows})
    seen = []
    for answer in (
        says(" ".join(KEYS.values()), status=401),
        says(" ".join(KEYS.values())),
        redirects("https://example.org/?" + "&".join(KEYS.values())),
        good,
    ):
        farm.set(**dict.fromkeys(SHOWN, answer))
        web = farm.keyed(web_cache_hours=1, **QUICK)
        seen += [repr(web.run(TEXT, preset)) for preset in web.presets]
        seen.append(repr(web))
    told = caplog.text + "".join(seen)
    kept = b"".join(p.read_bytes() for p in farm.folder.rglob("*") if p.is_file())
    assert kept
    for value in KEYS.values():
        assert value not in told
        assert value.encode() not in kept
    for name in ("tavily", "serper", "serpapi"):
        assert KEYS[f"{name}_api_key"] in str(farm.asked(name))
    assert "lung segmentation" not in caplog.text


def test_too_many_requests_leaves_the_service_alone_for_as_long_as_it_says(farm):
    def busy(connection, _asked, _over):
        connection.sendall(raw(429, b"", "Retry-After: 60"))

    farm.set(duckduckgo=busy)
    web = farm.web()
    first, second = web.run(TEXT, "DuckDuckGo"), web.run(TEXT, "DuckDuckGo")
    assert "too many requests" in first.failures[0][1]
    assert "asked too often" in second.failures[0][1]
    assert len(farm.asked("duckduckgo")) == 1


def test_a_service_that_is_back_at_once_is_asked_a_second_time_and_no_third(farm):
    farm.set(tavily=says("", status=503))
    assert not alone(farm, "tavily", says("", status=503)).pages
    assert len(farm.asked("tavily")) == 2
