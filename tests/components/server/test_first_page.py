"""What a page is opened with: one script and one style sheet in the place of many requests."""

from __future__ import annotations

import gzip

import gradio as gr
import pytest
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.testclient import TestClient

from components.render.search.first_box import first_box
from components.server.frontend.first_page import FirstPage, opened, opening
from components.server.frontend.modules import ASSETS, FRONTEND, modules, read

INDEX = (FRONTEND / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def first():
    made = opening({"textbox", "button", "html"}, first_box())
    assert made is not None
    return made


async def gradio(scope, receive, send):
    pages = {"/": HTMLResponse(INDEX), "/catalog": HTMLResponse(INDEX)}
    await pages.get(scope["path"], PlainTextResponse("other"))(scope, receive, send)


@pytest.fixture
def client(first):
    return TestClient(FirstPage(gradio, first))


def file_of(first, ending):
    return next(one for name, one in first.files.items() if name.endswith(ending))


def test_the_modules_of_a_type_come_with_all_that_they_import_and_their_sheets():
    few, more = modules({"html"}), modules({"html", "dropdown"})
    assert few is not None
    assert more is not None
    new = set(more.scripts) - set(few.scripts)
    assert any("dropdown" in read(name) for name in new)
    assert set(more.components) > set(few.components)
    assert all((ASSETS / name).is_file() for name in (*more.scripts, *more.sheets))


def test_every_import_in_the_pack_leads_to_a_module_of_gradio(first):
    text = file_of(first, ".js").bodies[""].decode()
    begin = text.index("scanscoutUnpack(", text.index("scanscoutPresent("))
    assert "from`./" not in text[begin:]
    assert 'from\\"./' not in text[begin:]
    assert "scanscout:" in text[begin:]


def test_every_encoding_holds_the_same_text(first):
    for one in first.files.values():
        assert gzip.decompress(one.bodies["gzip"]) == one.bodies[""]


def test_the_page_links_the_pack_and_no_longer_gradios_first_script(client, first):
    html = client.get("/").text
    assert 'type="module"' not in html
    assert all(f'"scanscout/{name}"' in html for name in first.files)
    assert html.index("index-") < html.index("scanscout/pack-")
    assert '<div id="first"' in html


def test_only_the_main_page_has_the_first_search_box(client):
    html = client.get("/catalog").text
    assert "scanscout/pack-" in html
    assert '<div id="first"' not in html


def test_the_pack_may_be_kept_and_is_served_packed(client, first):
    for name, one in first.files.items():
        for encoding, wanted in (("gzip", "gzip"), ("identity", None)):
            answer = client.get(f"/scanscout/{name}", headers={"accept-encoding": encoding})
            assert answer.headers.get("content-encoding") == wanted
            assert int(answer.headers["content-length"]) == len(one.bodies[wanted or ""])
            assert "immutable" in answer.headers["cache-control"]
            assert answer.content == one.bodies[""]


def test_the_main_page_has_its_title_before_gradios_script_runs(first):
    named = INDEX.replace("</head>", '<meta property="og:title" content="A &amp; B" /></head>', 1)
    assert named != INDEX
    assert "<title>A &amp; B</title>" in opened(named, first.head, first.box)
    assert "<title>" not in opened(named, first.head, "")


def test_other_answers_and_other_pages_pass_as_they_are(client, first):
    assert client.get("/gradio_api/info").text == "other"
    assert opened("<html><p>Not Gradio</p></html>", first.head, first.box) == (
        "<html><p>Not Gradio</p></html>"
    )


def test_the_first_box_says_what_the_search_box_says():
    from components.panels.search import query
    from components.render.search import first_box as words

    with gr.Blocks():
        box = query.layout("").text
    assert (box.label, box.placeholder) == (words.QUESTION, words.SUGGESTIONS)
    assert box.max_length == words.MOST_CHARACTERS
    assert f'maxlength="{box.max_length}"' in first_box()


def test_words_that_gradio_adds_are_in_the_language_of_the_page(first):
    assert 'Object.defineProperty(navigator, "language", { get: () => "en" })' in first.head
