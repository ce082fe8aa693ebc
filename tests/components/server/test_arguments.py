"""Calls with a wrong number or type of arguments: the answer names the argument."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from components.api import ENDPOINTS
from components.server.files import upload_store
from components.server.requests.arguments import ArgumentCheck, Calls

CALLS = Calls(endpoints=ENDPOINTS, names={7: "recommend"}, inputs={7: 4, 8: 3, 9: 0})
FILE = {"path": "/x/a.nii", "meta": {"_type": "gradio.FileData"}}


async def echo(request: Request) -> JSONResponse:
    return JSONResponse({"arrived": json.loads(await request.body())})


@pytest.fixture(scope="module")
def client():
    app = Starlette(routes=[Route("/{path:path}", echo, methods=["POST"])])
    return TestClient(ArgumentCheck(app, lambda: CALLS))


def sent(client, path: str, body: object) -> tuple[int, str]:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = client.post(f"/gradio_api/{path}", content=content)
    return answer.status_code, answer.json().get("error", "")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("recommend", ["segment", [], "hybrid", 5, *[None] * 7]),
        ("recommend", ["segment", None, "hybrid", 5.0, 20, 1.0, 90, [], [], [], True]),
        ("recommend", [None, ["format:CT"], "hybrid", 99, 1, 2, 3, ["FSL"], None, None, False]),
        ("find_tools", ["segment", ["format:CT"], 8, None, ["licence=MIT"], None, None]),
        ("recommend_files", ["segment", [FILE], "hybrid", 5, None, None, ["gpu=none"], None]),
        ("recommend_cohort", ["segment", None]),
        ("not_ours", [1]),
    ],
)
@pytest.mark.parametrize("route", ["call/{}", "run/{}", "api/{}/"])
def test_a_right_call_arrives_as_it_was_sent(client, route, name, data):
    answer = client.post(f"/gradio_api/{route.format(name)}", json={"data": data})
    assert answer.json() == {"arrived": {"data": data}}


@pytest.mark.parametrize("given", [[], [20], [20, 1]])
@pytest.mark.parametrize("route", ["call/recommend", "run/recommend", "queue/join"])
def test_a_call_by_place_of_an_earlier_edition_gets_nothing_for_what_was_added(
    client, route, given
):
    first = ["segment", [], "hybrid", 5, *given]
    own = {"fn_index": 7} if route == "queue/join" else {}
    answer = client.post(f"/gradio_api/{route}", json={**own, "data": first})
    filled = [*first, *[None] * (11 - len(first))]
    assert answer.json() == {"arrived": {**own, "data": filled}}


@pytest.fixture
def upload_path(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    file = upload_store.reserve("a.nii")
    upload_store.start_waiting(file)
    return str(file)


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("run/recommend_cohort", {"data": ["segment", ["PATH"]]}),
        ("call/recommend_files", {"data": ["segment", ["PATH", FILE], "hybrid", 5, *[None] * 4]}),
        ("call/v2/recommend_files", {"text": "segment", "files": ["PATH"]}),
    ],
)
def test_the_path_of_an_upload_arrives_as_file_data(client, upload_path, route, body):
    path = json.dumps(upload_path)
    as_text = json.loads(json.dumps(body).replace('"PATH"', path))
    data = f'{{"path": {path}, "meta": {{"_type": "gradio.FileData"}}}}'
    as_data = json.loads(json.dumps(body).replace('"PATH"', data))
    answer = client.post(f"/gradio_api/{route}", json=as_text)
    assert answer.json() == {"arrived": as_data}
    waits_until = Path(upload_path).parent.stat().st_mtime
    assert waits_until > Path(upload_path).stat().st_mtime, "the upload is claimed"


@pytest.mark.parametrize("other", ["", "/etc/passwd", "https://example.org/a.nii", "data:,AAAA"])
def test_a_path_that_is_no_upload_is_refused(client, upload_path, other):
    for files in ([other], [upload_path, other], [f"{upload_path}/../../../{other}"]):
        answer = sent(client, "call/recommend_cohort", {"data": ["segment", files]})
        assert answer[0] == 422
        assert answer[1].startswith("files: a list was sent; give a list of uploaded files")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        (
            "recommend",
            [],
            "text: recommend takes 11 arguments (text, tokens, mode, top_k, candidates",
        ),
        ("recommend", ["x"], "tokens: recommend takes 11 arguments"),
        ("recommend", ["x", [], "hybrid", 5, *range(8)], "data: recommend takes 11 arguments"),
        ("recommend", ["x", [], "hybrid", "ten"], "top_k: a text was sent; give a whole number"),
        ("recommend", ["x", [], "hybrid", 2.5], "top_k: a number was sent; give a whole number"),
        ("recommend", ["x", [], "hybrid", None], "top_k: nothing was sent"),
        ("recommend", ["x", [], "hybrid", True], "top_k: true or false was sent"),
        ("recommend", ["x", [], "hybrid", 5, "9"], "candidates: a text was sent; give a whole"),
        ("recommend", ["x", [], "hybrid", 5, 9, 1.5], "hops: a number was sent; give a whole"),
        ("recommend", ["x", [], 3, 5], "mode: a number was sent; give the name of a mode"),
        ("recommend", ["x", "format:CT", "hybrid", 5], "tokens: a text was sent; give a list"),
        ("recommend", ["x", [7], "hybrid", 5], "tokens: a list was sent; give a list of texts"),
        ("recommend", [{"a": 1}, [], "hybrid", 5], "text: an object was sent"),
        ("recommend", ["\ud800", [], "hybrid", 5], "text: a text was sent; give a text of valid"),
        ("find_tools", ["x", [], []], "top_k: a list was sent"),
        ("find_tools", ["x", [], 5, "FSL"], "exclude: a text was sent; give a list of texts"),
        ("find_tools", ["x", [], 5, [], [7]], "filters: a list was sent; give a list of texts"),
        ("find_tools", ["x", [], 5, [], [], {}], "require: an object was sent; give a list"),
        ("find_tools", ["x", [], 5, [], [], [], 0], "rerank: a number was sent; give true or"),
        ("recommend_files", ["x", ["a.nii"], "hybrid", 5], "files: a list was sent; give a list"),
        ("recommend_files", ["x", [{"path": 7}], "hybrid", 5], "files: a list was sent"),
        ("recommend_cohort", ["x", "a.zip"], "files: a text was sent"),
        ("recommend_cohort", "x", "data: send the arguments as a list"),
    ],
)
@pytest.mark.parametrize("route", ["call/{}", "run/{}"])
def test_a_wrong_argument_is_named(client, route, name, data, words):
    code, error = sent(client, route.format(name), {"data": data})
    assert code == 422
    assert error.startswith(words)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "text: is missing; recommend takes text, tokens, mode, top_k"),
        ({"text": "x", "topk": 3}, "topk: is unknown; recommend takes text, tokens"),
        ({"text": "x", "top_k": "3"}, "top_k: a text was sent"),
    ],
)
def test_a_wrong_argument_by_name_is_named(client, body, words):
    code, error = sent(client, "call/v2/recommend", body)
    assert code == 422
    assert error.startswith(words)
    assert sent(client, "call/v2/recommend", {"text": "x"}) == (200, "")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"fn_index": 7, "data": ["x"]}, "tokens: recommend takes 11 arguments"),
        ({"fn_index": "7", "data": ["x", [], "hybrid", "y"]}, "top_k: a text was sent"),
        ({"fn_index": 8, "data": ["x"]}, "data: event 8 takes 3 values, 1 were sent; reload"),
        ({"fn_index": 404, "data": []}, "fn_index: there is no event 404; reload the page"),
        ([1], "data: send a JSON object"),
        (b"[" * 100_000, "data: brackets are nested too deeply"),
    ],
)
def test_a_wrong_event_is_named(client, body, words):
    code, error = sent(client, "queue/join", body)
    assert code == 422
    assert error.startswith(words)


def test_the_refusal_has_the_form_of_gradios_validators(client):
    answer = client.post("/gradio_api/call/recommend", json={"data": ["x", [], "hybrid", "y"]})
    (one,) = answer.json()["detail"]
    assert (one["__type__"], one["is_valid"]) == ("validate", False)
    assert one["parameter_name"] == "top_k"


def test_a_refusal_repeats_nothing_that_was_sent(client):
    body = {"data": ["zqplanted", ["zqplanted"], "zqplanted", "zqplanted"]}
    assert "zqplanted" not in client.post("/gradio_api/call/recommend", json=body).text
