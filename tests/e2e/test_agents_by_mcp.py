"""The public endpoints by the Model Context Protocol, asked by its own client."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from serving import page
from test_api import PUBLIC

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")


async def talk(url: str) -> tuple[set[str], dict[str, object]]:
    from mcp.client.streamable_http import streamablehttp_client

    async with (
        streamablehttp_client(f"{url}gradio_api/mcp/") as (read, write, _),
        mcp.ClientSession(read, write) as session,
    ):
        await session.initialize()
        listed = {tool.name for tool in (await session.list_tools()).tools}
        ask = {"text": "segment lungs", "tokens": ["format:CT"], "top_k": 3}
        said = await session.call_tool("find_tools", ask)
        return listed, json.loads(said.content[0].text)


def in_own_thread(talking):
    """The result of a coroutine; the browser of other tests keeps a loop running in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, talking).result()


def test_an_agent_sees_the_intended_tools_and_gets_an_answer(tmp_path, settings):
    with page(tmp_path, settings, SCANSCOUT_MCP="true") as served:
        listed, told = in_own_thread(talk(served.url))
    assert listed == PUBLIC
    assert len(told["tools"]) == 3


def test_agents_find_no_door_while_it_is_off(served):
    import httpx

    assert httpx.post(f"{served}gradio_api/mcp/", json={}, timeout=90).status_code in {404, 405}
