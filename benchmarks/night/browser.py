"""One open page without a browser: its session, its events, and what comes of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

DEFECTS = ("on our side", "defect of the server", "Traceback (most recent")
"""What the page and its endpoints say of a failure that has no name."""
REFUSALS = ("notice-warn", "notice-bad")

Json = dict[str, Any]


class UnnamedError(Exception):
    """An answer of the server without a reason that a visitor could act on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What an event or a call led to: its texts, and whether they refuse something by name."""

    text: str
    is_refused: bool

    @property
    def result(self) -> Any:  # noqa: ANN401 - the JSON of an endpoint
        """The first value of an answer as JSON."""
        return json.loads(self.text)[0]


def checked(response: httpx.Response) -> bool:
    """Whether the server took a request; raises UnnamedError for a failure without a reason."""
    if response.status_code >= 500:
        raise UnnamedError(f"{response.status_code} at {_route(response)}")
    if response.status_code >= 400 and not response.text.strip():
        raise UnnamedError(f"{response.status_code} without words at {_route(response)}")
    return response.status_code < 400


def _route(response: httpx.Response) -> str:
    return "/".join(response.request.url.path.split("/")[:4])


def judged(text: str, error: object, success: bool, where: str) -> Reply:
    """The reply of a finished event; raises UnnamedError where it failed without a reason."""
    words = text if success else str(error or "")
    defect = next((one for one in DEFECTS if one in words), None)
    if defect or (not success and not words.strip()):
        raise UnnamedError(f"{where}: {defect or 'no words'}")
    return Reply(text=words, is_refused=not success or any(one in text for one in REFUSALS))


class PageMap:
    """Events of the page by route, element and kind, as its configuration lists them."""

    def __init__(self, config: Json) -> None:
        self._components = {one["id"]: one["props"] for one in config["components"]}
        self._routes = {
            (route, self._components[id].get("elem_id")): id
            for route, page in config["page"].items()
            for id in page["components"]
        }
        self._events = config["dependencies"]

    def events(self, route: str, element: str, kind: str) -> list[Json]:
        """The events of one element, most inputs first."""
        target = [self._routes[route, element], kind]
        matching = [one for one in self._events if target in [list(t) for t in one["targets"]]]
        return sorted(matching, key=lambda one: -len(one["inputs"]))

    def inputs(self, event: Json, fill: Mapping[str, Any]) -> list[Any]:
        """Values of an event's inputs: those of the fresh page, or ``fill`` by element."""
        props = [self._components[id] for id in event["inputs"]]
        return [fill.get(str(one.get("elem_id")), one.get("value")) for one in props]


class OpenPage:
    """A visitor's page. Its heartbeat is open until it leaves, as a browser's is."""

    def __init__(self, client: httpx.AsyncClient, page: PageMap) -> None:
        self._client, self._page = client, page
        self._session = uuid4().hex
        self._headers = {"x-scanscout-page": uuid4().hex, "x-scanscout-holds": "nothing"}
        self._beating = asyncio.create_task(self._beat())
        self.lock = asyncio.Lock()
        self.documents: list[str] = []
        """Ids of the documents that this visitor has added."""

    async def _beat(self) -> None:
        path = f"gradio_api/heartbeat/{self._session}"
        with suppress(httpx.HTTPError):
            async with self._client.stream(
                "GET", path, headers=self._headers, timeout=None
            ) as stream:
                async for _ in stream.aiter_raw():
                    pass

    async def leave(self) -> None:
        """Close the page."""
        self._beating.cancel()
        with suppress(asyncio.CancelledError):
            await self._beating

    async def upload(self, paths: Sequence[Path]) -> list[Json]:
        """Store files on the server; the file data that events and endpoints take."""
        files = [("files", (path.name, path.read_bytes())) for path in paths]
        response = await self._client.post("gradio_api/upload", files=files, headers=self._headers)
        if not checked(response):
            return []
        mark = {"_type": "gradio.FileData"}
        return [
            {"path": stored, "orig_name": path.name, "meta": mark}
            for stored, path in zip(response.json(), paths, strict=True)
        ]

    async def fire(
        self, route: str, element: str, kind: str, data: object = None, /, **fill: object
    ) -> Reply:
        """One event from the press of a button to its end."""
        event = self._page.events(route, element, kind)[0]
        number = await self.press(event, data, **fill)
        return await self.outcome(f"{element} {kind}") if number else REFUSED

    async def press(self, event: Json, data: object = None, /, **fill: object) -> str:
        """Join the queue; the number of the event, empty where the server refused it by name."""
        values = self._page.inputs(event, fill)
        body = {"data": values, "fn_index": event["id"], "session_hash": self._session}
        join = await self._client.post(
            "gradio_api/queue/join", json=body | {"event_data": data}, headers=self._headers
        )
        return str(join.json()["event_id"]) if checked(join) else ""

    async def outcome(self, where: str) -> Reply:
        """What the events under way in this session end with."""
        params = {"session_hash": self._session}
        response = await self._client.get(
            "gradio_api/queue/data", params=params, headers=self._headers
        )
        checked(response)
        lines = [x.removeprefix("data: ") for x in response.text.splitlines() if x[:5] == "data:"]
        messages = [json.loads(line) for line in lines]
        ends = [one for one in messages if one["msg"] in {"process_completed", "unexpected_error"}]
        if not ends:
            raise UnnamedError(f"{where}: the stream ended without an end of the event")
        output = ends[-1].get("output") or {}
        return judged(
            response.text,
            output.get("error") or ends[-1].get("message"),
            bool(ends[-1].get("success")),
            where,
        )

    async def stop(self, route: str, event: Json, number: str) -> None:
        """What Stop does in a browser: cancel what it is wired to cancel, run its other events."""
        body = {"session_hash": self._session, "fn_index": event["id"], "event_id": number}
        for one in self._page.events(route, "stop", "click"):
            if event["id"] in one["cancels"]:
                checked(
                    await self._client.post("gradio_api/cancel", json=body, headers=self._headers)
                )
            elif not one["cancels"]:
                call = {"data": [], "fn_index": one["id"], "session_hash": self._session}
                checked(
                    await self._client.post(
                        "gradio_api/run/predict", json=call, headers=self._headers
                    )
                )

    def event(self, route: str, element: str, kind: str) -> Json:
        """The event that an element starts, with the most inputs where it starts several."""
        return self._page.events(route, element, kind)[0]


REFUSED = Reply(text="", is_refused=True)


async def call(client: httpx.AsyncClient, name: str, *values: object) -> Reply:
    """One call of a published endpoint, from its start to its end."""
    begun = await client.post(f"gradio_api/call/{name}", json={"data": list(values)})
    if not checked(begun):
        return REFUSED
    response = await client.get(f"gradio_api/call/{name}/{begun.json()['event_id']}")
    checked(response)
    events = response.text.split("\n\n")
    last = next(one for one in reversed(events) if one.startswith(("event: com", "event: err")))
    text = last.partition("data: ")[2]
    return judged(text, text.replace("null", ""), last.startswith("event: com"), name)
