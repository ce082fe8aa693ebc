"""Tools for agents by the Model Context Protocol: schemas of our own, answers as JSON, both short.

Gradio describes a file by a schema whose references lead nowhere and writes an answer as Python's
own text. Its server stays; what it lists and what it answers is rewritten here.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

Json = dict[str, Any]
Handler = Callable[[Any], Awaitable[Any]]

MOST_CHARACTERS = 4_000
"""Of one answer unless all of it is asked for: agents pay for every character of their context."""
FULL = "full"
"""The argument that asks for all of an answer."""
SHORTEST = 160
"""Characters that stay of a text that is cut."""

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
        full = arguments.pop(FULL, False) is True
        request.params.arguments = arguments
        result = await calling(request)
        if not result.root.isError:
            answer: Json = json.loads(result.root.content[0].text)
            answer = answer if full else shortened(brief(answer))
            # Both forms, since clients of the first edition show the text alone.
            result.root.structuredContent = answer
            result.root.content[0].text = _text(answer)
        return result

    def text_contents(data: Sequence[Any], _root: str) -> list[Any]:
        return [types.TextContent(type="text", text=_text(one)) for one in data]

    server.postprocess_output_data = text_contents
    handlers[types.ListToolsRequest] = list_tools
    handlers[types.CallToolRequest] = call_tool


def _text(output: Any) -> str:  # noqa: ANN401
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)


def shortened(answer: Json, most: int = MOST_CHARACTERS) -> Json:
    """The answer in at most ``most`` characters of JSON; ``left_out`` tells what it lacks.

    Long texts are cut first, then the ends of the longest lists, which are ordered best first.
    """
    if len(_text(answer)) <= most:
        return answer
    short: Json = {name: _cut(value) for name, value in answer.items()}
    left_out: dict[str, int] = {}
    remedy = f"call again with {FULL}: true for all"
    while len(_text({**short, "left_out": left_out, "remedy": remedy})) > most:
        name = max(short, key=lambda key: len(_text(short[key])))
        value = short[name]
        if isinstance(value, list) and value:
            short[name] = value[:-1]
        else:
            short.pop(name)
        left_out[name] = left_out.get(name, 0) + 1
    return {**short, "left_out": left_out, "remedy": remedy} if left_out else short


def _cut(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, str) and len(value) > SHORTEST:
        return value[: SHORTEST - 1] + "…"
    if isinstance(value, list):
        return [_cut(one) for one in value]
    return {k: _cut(v) for k, v in value.items()} if isinstance(value, dict) else value
