"""Refuses a call whose arguments are wrong and names the argument, before Gradio processes it.

Gradio answers such a call with ``{"error": null}``. The refusal here has status 422 and the form
of Gradio's own validators, which its clients and its MCP server show as words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from components.server.requests.body import JsonBody, json_body, replayed

CALL = re.compile(r"/(?P<kind>call/v2|call|run|api)/(?P<name>[^/]+)/?$|/queue/join/?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of an endpoint: its name, which values it takes, the same in words."""

    name: str
    accepts: Callable[[Any], bool]
    expected: str
    optional: bool = False
    """Whether a call by name may leave it out."""
    added: bool = False
    """Whether a call by place may leave it out: callers of an earlier edition do."""
    for_gradio: Callable[[Any], Any] = field(default=lambda value: value)
    """An accepted value in the form that Gradio processes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """What is wrong with a call: an argument by name, and why in words."""

    argument: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """The published endpoints and, by the number of an event, its endpoint and inputs."""

    endpoints: Mapping[str, Sequence[Argument]]
    names: Mapping[int, str]
    inputs: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ArgumentCheck:
    """ASGI middleware; stands behind what limits the size of a body."""

    app: ASGIApp
    calls: Callable[[], Calls]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a wrong call; pass everything else on as it came."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        match = CALL.search(str(scope["path"]))
        if match is None:
            await self.app(scope, receive, send)
            return
        body, again = await json_body(scope, receive)
        wrong = wrong_call(self.calls(), match["kind"] or "", match["name"] or "", body)
        if wrong is not None:
            await _refusal(wrong)(scope, receive, send)
            return
        form = _for_gradio(self.calls(), match["kind"] or "", match["name"] or "", body)
        await self.app(scope, replayed(form, receive) if form else again, send)


def _for_gradio(calls: Calls, kind: str, name: str, body: JsonBody) -> bytes:
    """The body of a right call as Gradio processes it; empty where that is the body as sent.

    A call by place gets null for each added argument that it lacks.
    """
    fields = body.value
    if not isinstance(fields, dict):
        return b""
    if kind == "call/v2":
        named = (one for one in calls.endpoints.get(name, ()) if one.name in fields)
        changed = {**fields, **{one.name: one.for_gradio(fields[one.name]) for one in named}}
        return json.dumps(changed).encode() if changed != fields else b""
    number = None if kind == "call" else _event(fields.get("fn_index"))
    endpoint = calls.endpoints.get(calls.names.get(number, "") if number is not None else name, ())
    data = fields.get("data")
    if not endpoint or not isinstance(data, list):
        return b""
    values = [one.for_gradio(value) for one, value in zip(endpoint, data, strict=False)]
    values += [None] * (len(endpoint) - len(data))
    return json.dumps({**fields, "data": values}).encode() if values != data else b""


def wrong_call(calls: Calls, kind: str, name: str, body: JsonBody) -> Wrong | None:
    """What is wrong with a call of ``name`` by a route of this kind ("" is the queue), if any.

    None also for a body that is no JSON, which the framework refuses without processing it.
    """
    if body.fault == "no JSON":
        return None
    if body.fault:
        return Wrong(argument="data", reason="brackets are nested too deeply; send a flat list")
    fields = body.value
    if not isinstance(fields, dict):
        return Wrong(argument="data", reason="send a JSON object")
    if kind == "call/v2":
        endpoint = calls.endpoints.get(name)
        return _wrong_names(name, endpoint, fields) if endpoint is not None else None
    data = fields.get("data")
    if not isinstance(data, list):
        return Wrong(argument="data", reason="send the arguments as a list")
    number = None if kind == "call" else _event(fields.get("fn_index"))
    if number is not None:
        return _wrong_event(calls, number, data)
    endpoint = calls.endpoints.get(name)
    return _wrong_list(name, endpoint, data) if endpoint is not None else None


def _event(value: object) -> int | None:
    """The number of an event, in every spelling that the framework reads as one."""
    try:
        return int(value) if isinstance(value, int | float | str) else None
    except (ValueError, OverflowError):
        return None


def _wrong_event(calls: Calls, number: int, data: Sequence[Any]) -> Wrong | None:
    if number in calls.names:
        name = calls.names[number]
        return _wrong_list(name, calls.endpoints[name], data)
    needed = calls.inputs.get(number)
    if needed is None:
        return Wrong(argument="fn_index", reason=f"there is no event {number}; reload the page")
    if len(data) < needed:
        reason = f"event {number} takes {needed} values, {len(data)} were sent; reload the page"
        return Wrong(argument="data", reason=reason)
    return None


def _wrong_list(name: str, endpoint: Sequence[Argument], data: Sequence[Any]) -> Wrong | None:
    least = sum(not one.added for one in endpoint)
    if not least <= len(data) <= len(endpoint):
        names = ", ".join(one.name for one in endpoint)
        first = endpoint[len(data)].name if len(data) < len(endpoint) else "data"
        reason = f"{name} takes {len(endpoint)} arguments ({names}), {len(data)} were sent"
        return Wrong(argument=first, reason=reason)
    # Added arguments come last.
    return _first_wrong(zip(endpoint, data, strict=False))


def _wrong_names(
    name: str, endpoint: Sequence[Argument], fields: Mapping[str, Any]
) -> Wrong | None:
    names = ", ".join(one.name for one in endpoint)
    unknown = fields.keys() - {one.name for one in endpoint} - {"oauth_token", "session_hash"}
    if unknown:
        first = min(unknown)[:40].encode("ascii", "replace").decode("ascii")
        return Wrong(argument=first, reason=f"is unknown; {name} takes {names}")
    for one in endpoint:
        if one.name not in fields and not one.optional:
            return Wrong(argument=one.name, reason=f"is missing; {name} takes {names}")
    return _first_wrong((one, fields[one.name]) for one in endpoint if one.name in fields)


def _first_wrong(pairs: Any) -> Wrong | None:  # noqa: ANN401 - arguments with their values
    """The first argument whose value is not accepted; its kind is named, never the value."""
    kinds = {bool: "true or false", str: "a text", list: "a list", dict: "an object"}
    for one, value in pairs:
        if not one.accepts(value):
            kind = "nothing" if value is None else kinds.get(type(value), "a number")
            return Wrong(argument=one.name, reason=f"{kind} was sent; give {one.expected}")
    return None


def _refusal(wrong: Wrong) -> JSONResponse:
    detail = {
        "__type__": "validate",
        "is_valid": False,
        "parameter_name": wrong.argument,
        "message": wrong.reason,
    }
    words = f"{wrong.argument}: {wrong.reason}"
    return JSONResponse({"error": words, "detail": [detail]}, status_code=422)
