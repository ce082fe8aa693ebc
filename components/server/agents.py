"""Tools for agents by the Model Context Protocol: schemas of our own, answers as JSON, both short.

Gradio describes a file by a schema whose references lead nowhere and writes an answer as Python's
own text. Its server stays; what it lists and what it answers is rewritten here.
"""

from __future__ import annotations

import json
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from components.server.shortening import shortened

Json = dict[str, Any]
Handler = Callable[[Any], Awaitable[Any]]

MOST_CHARACTERS = 4_000
"""Of one answer unless all of it is asked for: agents pay for every character of their context."""
FULL = "full"
"""The argument that asks for all of an answer."""
REMEDY = f"call again with {FULL}: true for all"

FULL_SCHEMA: Json = {
    "type": "boolean",
    "default": False,
    "description": f"All of the answer; without it at most {MOST_CHARACTERS:,} characters of JSON.",
}


def serve_agents(
    server: Any,  # noqa: ANN401 - a class of the extra mcp
    schemas: Mapping[str, Json],
    brief: Callable[[Json], Json],
) -> None:
    """Give Gradio's server the schemas by name of a tool, and answers as structured content.

    ``brief`` takes out of an answer what an agent can do without.
    Side effect: its handlers of the requests for the list and for a call are replaced.
    """
    types, handlers = server.types, server.mcp_server.request_handlers
    listing: Handler = handlers[types.ListToolsRequest]
    calling: Handler = handlers[types.CallToolRequest]
    endpoints = server.tool_to_endpoint

    async def list_tools(request: Any) -> Any:  # noqa: ANN401
        result = await listing(request)
        for tool in result.root.tools:
            tool.inputSchema = schemas.get(endpoints[tool.name].lstrip("/"), tool.inputSchema)
        return result

    async def call_tool(request: Any) -> Any:  # noqa: ANN401
        arguments = dict(request.params.arguments or {})
        # What is neither true nor false is left to the schema, which refuses it.
        full = isinstance(arguments.get(FULL), bool) and arguments.pop(FULL)
        request.params.arguments = arguments
        result = await calling(request)
        if not result.root.isError:
            # In a thread: a cohort of thousands of files would halt every visitor meanwhile.
            text = result.root.content[0].text
            answer, text = await to_thread(_for_agents, text, None if full else brief)
            # Both forms, since clients of the first edition show the text alone.
            result.root.structuredContent = answer
            result.root.content[0].text = text
        return result

    def text_contents(data: Sequence[Any], _root: str) -> list[Any]:
        return [types.TextContent(type="text", text=_text(one)) for one in data]

    server.postprocess_output_data = text_contents
    handlers[types.ListToolsRequest] = list_tools
    handlers[types.CallToolRequest] = call_tool


def _for_agents(text: str, brief: Callable[[Json], Json] | None) -> tuple[Json, str]:
    """An answer as data and as text, made short where a function for that is given."""
    answer: Json = json.loads(text)
    answer = shortened(brief(answer), MOST_CHARACTERS, REMEDY) if brief else answer
    return answer, _text(answer)


def _text(output: Any) -> str:  # noqa: ANN401
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
