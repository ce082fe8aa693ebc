"""The public endpoints by the Model Context Protocol, asked by clients of both editions."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import page
from test_api import PUBLIC

from retrieval.settings import ROOT

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")

MOST_CHARACTERS = 4_000
SECOND = os.environ.get("SCANSCOUT_TEST_MCP2", "")
"""A Python with mcp 2.x, which Gradio's own server cannot share an environment with."""


@pytest.fixture(scope="module")
def served_to_agents(tmp_path_factory, settings):
    with page(tmp_path_factory.mktemp("mcp"), settings, SCANSCOUT_MCP="true") as served:
        yield served.url


def in_own_thread(talking):
    """The result of a coroutine; the browser of other tests keeps a loop running in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, talking).result()


@asynccontextmanager
async def session_with(url: str) -> AsyncIterator[Any]:
    from mcp.client.streamable_http import streamable_http_client

    async with (
        streamable_http_client(f"{url}gradio_api/mcp/") as (read, write, _),
        mcp.ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield session


async def call(url: str, name: str, arguments: dict[str, Any]) -> Any:
    async with session_with(url) as session:
        return await (session.call_tool(name, arguments) if name else session.list_tools())


def test_every_argument_of_every_tool_is_described_without_references(served_to_agents):
    tools = in_own_thread(call(served_to_agents, "", {})).tools
    assert {tool.name for tool in tools} == PUBLIC
    for tool in tools:
        assert "$ref" not in json.dumps(tool.inputSchema)
        arguments = tool.inputSchema["properties"]
        assert all(one["description"] and one["type"] for one in arguments.values())
    modes = [t.inputSchema["properties"].get("mode") for t in tools]
    assert all(not mode or "hybrid" in mode["enum"] for mode in modes)
    assert sum(bool(mode) for mode in modes) == 2


@pytest.mark.parametrize("name", ["find_tools", "recommend"])
def test_an_answer_is_json_in_both_forms_and_short_unless_asked_for(name, served_to_agents):
    ask = {"text": "segment lungs", "tokens": ["format:CT"], "top_k": 20}
    short = in_own_thread(call(served_to_agents, name, ask))
    whole = in_own_thread(call(served_to_agents, name, {**ask, "full": True}))
    assert json.loads(short.content[0].text) == short.structuredContent
    assert len(short.content[0].text) <= MOST_CHARACTERS
    assert short.structuredContent["left_out"]
    key = "tools" if name == "find_tools" else "candidates"
    assert len(whole.structuredContent[key]) == 20
    first = short.structuredContent["tools"][0]["id"]
    assert first == whole.structuredContent[key][0]["id"]


def test_a_mode_that_does_not_exist_is_refused_in_words(served_to_agents):
    said = in_own_thread(call(served_to_agents, "recommend", {"text": "x", "mode": "hybird"}))
    assert said.isError
    assert "hybird" in said.content[0].text


@pytest.mark.parametrize("name", ["recommend_files", "recommend_cohort"])
def test_a_path_that_an_upload_returned_is_read_and_its_file_deleted(name, served_to_agents, nifti):
    with nifti.open("rb") as content:
        sent = httpx.post(f"{served_to_agents}gradio_api/upload", files={"files": content})
    (path,) = sent.json()
    said = in_own_thread(call(served_to_agents, name, {"text": "segment", "files": [path]}))
    assert not said.isError, said.content[0].text
    assert "format:NIfTI" in said.content[0].text
    assert not Path(path).exists()


def test_a_file_that_was_not_uploaded_is_refused_and_the_session_goes_on(served_to_agents):
    async def talk() -> tuple[str, str, Any]:
        async with session_with(served_to_agents) as session:
            ask = {"text": "segment lungs", "files": ["/etc/passwd"]}
            by_text = await session.call_tool("recommend_files", ask)
            with pytest.raises(mcp.McpError) as by_data:
                await session.call_tool("recommend_files", {**ask, "files": [{"path": "/etc"}]})
            after = await session.call_tool("find_tools", {"text": "segment lungs"})
            return by_text.content[0].text, str(by_data.value), after

    by_text, by_data, after = in_own_thread(talk())
    assert "give a list of uploaded files" in by_text
    assert "taken by upload, not by address or path" in by_data
    assert not after.isError


@pytest.mark.parametrize(
    "python",
    [
        pytest.param(sys.executable, id="mcp 1.x"),
        pytest.param(
            SECOND,
            id="mcp 2.x",
            marks=pytest.mark.skipif(
                not SECOND, reason="SCANSCOUT_TEST_MCP2 names no Python with mcp 2.x"
            ),
        ),
    ],
)
def test_the_snippet_of_the_page_on_agents_runs(python, served_to_agents):
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    (snippet,) = re.findall(r"```python\n(import asyncio\n.*?)```", text, re.DOTALL)
    code = snippet.replace("http://127.0.0.1:7860/", served_to_agents)
    ran = subprocess.run(
        [python, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.split(",")) == 3


def test_agents_find_no_door_while_it_is_off(served):
    assert httpx.post(f"{served}gradio_api/mcp/", json={}, timeout=90).status_code in {404, 405}
