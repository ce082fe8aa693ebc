"""The public endpoints, asked by the real client and by hand."""

from __future__ import annotations

import json

import httpx
import pytest
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError, ValidationError

from tests.cohort.making import subjects, zipped

SLOW = httpx.Timeout(90)
KEYS = {"query", "stages", "candidates", "graph", "metadata"}


@pytest.fixture(scope="module")
def client(served):
    return Client(served, verbose=False)


PUBLIC = {"recommend", "recommend_files", "recommend_cohort", "find_tools"}


def test_exactly_the_intended_endpoints_are_public(served):
    told = httpx.get(f"{served}gradio_api/info", timeout=SLOW).json()
    assert set(told["named_endpoints"]) == {f"/{name}" for name in PUBLIC}
    assert told["unnamed_endpoints"] == {}


def test_recommend_gives_the_contract_json(client):
    told = client.predict("segment lungs", ["format:CT"], "hybrid", 5, api_name="/recommend")
    assert set(told) >= KEYS
    assert len(told["candidates"]) == 5
    assert told["query"]["tokens"] == ["format:CT"]


def test_recommend_files_reads_and_deletes(client, nifti, upload_dir):
    told = client.predict(
        "segment brain", [handle_file(str(nifti))], "hybrid", 5, api_name="/recommend_files"
    )
    assert "format:NIfTI" in told["query"]["tokens"]
    assert [p for p in upload_dir.rglob("*smith*") if p.is_file()] == []


def test_a_wrong_argument_is_named_to_a_caller_by_hand(served):
    body = {"data": ["segment lungs", [], "hybrid", "ten"]}
    for route in ("call", "run"):
        told = httpx.post(f"{served}gradio_api/{route}/recommend", json=body, timeout=SLOW)
        assert told.status_code == 422
        assert told.json()["error"].startswith("top_k: a text was sent; give a whole number")


def test_a_wrong_argument_is_named_to_the_client(client):
    with pytest.raises(ValidationError, match="tokens: a text was sent; give a list of texts"):
        client.predict("segment lungs", "format:CT", "hybrid", 5, api_name="/recommend")


def test_a_wrong_value_is_answered_in_words(client):
    for wrong in (("hybird", 5), ("hybrid", 99)):
        with pytest.raises(AppError, match=r"hybird|top_k"):
            client.predict("segment lungs", [], *wrong, api_name="/recommend")


def test_find_tools_is_a_short_answer_as_json_text(client):
    said = client.predict("segment lungs", ["format:CT"], 3, api_name="/find_tools")
    told = json.loads(said)
    assert [one["rank"] for one in told["tools"]] == [1, 2, 3]
    assert all(one["why"] for one in told["tools"])
    assert len(said) < 6_000


def test_a_cohort_is_read_by_the_api_and_deleted(client, upload_dir, tmp_path):
    packed = zipped(subjects(tmp_path / "data"), tmp_path / "smith_study.zip")
    told = client.predict("segment organs", [handle_file(packed)], api_name="/recommend_cohort")
    assert told["subjects"] == 3
    assert [g["series"] for g in told["groups"]] == [3, 3]
    assert [p for p in upload_dir.rglob("*smith*") if p.is_file()] == []


@pytest.mark.parametrize(
    "path",
    [
        "gradio_api/file=http://127.0.0.1:9/x",
        "gradio_api/file=https://example.org/x",
        "gradio_api/deep_link?session_hash=abc",
        "monitoring/summary",
        "gradio_api/file=/etc/passwd",
        "gradio_api/file=app.py",
    ],
)
def test_side_doors_are_shut(served, path):
    assert httpx.get(served + path, timeout=SLOW).status_code in {403, 404}


def test_file_data_by_address_is_refused(served):
    body = {"data": ["x", [{"path": "https://example.org/a.dcm"}], "hybrid", 5]}
    told = httpx.post(f"{served}gradio_api/call/recommend_files", json=body, timeout=SLOW)
    assert told.status_code == 400


def test_large_body_is_refused(served):
    told = httpx.post(f"{served}gradio_api/call/recommend", content=b"x" * 5_000_000, timeout=SLOW)
    assert told.status_code == 413


def test_answers_carry_security_headers(served):
    headers = httpx.get(served, timeout=SLOW).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in headers["content-security-policy"]
