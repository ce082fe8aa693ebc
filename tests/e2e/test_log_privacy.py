"""Malformed calls of every kind, each with a planted word: none of them reaches the log."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

import httpx
import pytest
from serving import page

BASE = "gradio_api/"
ENDPOINTS = ("recommend", "find_tools", "recommend_files", "recommend_cohort")
WORD = re.compile(r"zqplanted\d{5}x")
TIMEOUT = httpx.Timeout(60)
META = {"_type": "gradio.FileData"}


class Words:
    """Gives a new planted word at each use."""

    def __init__(self) -> None:
        self._numbers = count()

    def __str__(self) -> str:
        return f"zqplanted{next(self._numbers):05}x"


def values(word):
    """One value of each wrong or odd kind, with a planted word wherever one fits."""
    nested = f"{word}"
    for _ in range(200):
        nested = [nested]
    file = {"path": f"/tmp/{word}.nii", "orig_name": f"{word}.nii", "meta": META}
    return [
        *(f"{word}", f"{word}\0{word}", f"{word} [EXCLUDE:{word}", f"{word} " * 20_000),
        *([f"{word}"], {f"{word}": f"{word}"}, [[f"{word}"]], [{"path": f"{word}"}], nested),
        *(None, True, -1, 5.5, 1e300, 10**400, float("nan"), float("-inf"), [], {}),
        *([file], file, [{**file, "size": f"{word}"}], [{**file, "meta": f"{word}"}]),
        {"__type__": "update", "value": f"{word}"},
        {"path": f"{word}", "url": f"{word}", "is_stream": True},
    ]


def calls(word):
    """The data of calls: wrong counts, and every odd value in every place."""
    good = [f"segment {word}", [f"format:{word}"], "hybrid", 5]
    yield from (good[:n] for n in range(4))
    yield [*good, f"{word}"]
    for place in range(4):
        for value in values(word):
            yield [*good[:place], value, *good[place + 1 :]]


def bodies(word):
    """Bodies that are no call at all."""
    deep = b"[" * 100_000 + str(word).encode() + b"]" * 100_000
    return [
        *(b"", b"{", f'{{"data": ["{word}"'.encode(), f'"{word}"'.encode(), deep),
        *(f'{{"data": "{word}"}}'.encode(), f'{{"data": {{"{word}": 1}}}}'.encode()),
        f'{{"data": ["\\ud800 {word}", [], "hybrid", 5]}}'.encode(),
        f'{{"data": ["{word}\\u0000", ["\\udfff{word}"], "{word}\\ud800", 5]}}'.encode(),
        b'{"data": ["\xff\xfe ' + str(word).encode("utf-16-le") + str(word).encode() + b'"]}',
        f'{{"data": [], "event_data": "{word}", "session_hash": ["{word}"]}}'.encode(),
        f'{{"{word}": "{word}", "text": {{"{word}": 1}}}}'.encode(),
        f'{{"text": "{word}", "top_k": "{word}"}}'.encode(),
        f'{{"text": ["{word}"], "tokens": "{word}", "mode": "{word}"}}'.encode(),
    ]


class Caller:
    """Sends calls and reads what comes of those that are accepted."""

    def __init__(self, url: str) -> None:
        self.url = f"{url}{BASE}"
        self.client = httpx.Client(timeout=TIMEOUT)
        self.refused = 0

    def post(self, route: str, content: bytes, **more) -> None:
        kind = {"content-type": "application/json", **more}
        # The server may answer and close before it has read a body that it does not want.
        with suppress(httpx.TransportError):
            answer = self.client.post(f"{self.url}{route}", content=content, headers=kind)
            self.refused += answer.status_code >= 400
            if answer.status_code == 200 and route.startswith("call/"):
                self.client.get(f"{self.url}{route}/{answer.json()['event_id']}")


def dumped(data, **more) -> bytes:
    return json.dumps({"data": data, **more}).encode()


def send_everything(caller: Caller, word: Words) -> None:
    requests = []
    for name in ENDPOINTS:
        for data in calls(word):
            requests.append((f"call/{name}", dumped(data)))
        for data in list(calls(word))[::9]:
            requests.append((f"run/{name}", dumped(data)))
            requests.append((f"api/{name}/", dumped(data, session_hash=f"{word}")))
        for route in (f"call/{name}", f"call/v2/{name}", f"run/{name}"):
            requests += [(route, body) for body in bodies(word)]
    for number in range(-1, 112):
        session = f"{word}"
        for data in ([f"{word}"], [f"{word}"] * 60, [{f"{word}": [f"{word}"]}] * 60):
            event = {"trigger_id": number, "event_data": {f"{word}": f"{word}"}}
            body = dumped(data, fn_index=number, session_hash=session, **event)
            requests.append(("queue/join", body))
    requests += [("queue/join", body) for body in bodies(word)]
    for route in (f"call/{word}", f"run/{word}", "component_server", "cancel", "reset", f"{word}"):
        requests += [(route, body) for body in bodies(word)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: caller.post(*one), requests))


def send_odd_requests(caller: Caller, word: Words) -> None:
    paths = (
        *(f"file={word}", f"file=/tmp/{word}", f"queue/data?session_hash={word}", f"info?x={word}"),
        *(f"call/recommend/{word}", f"stream/{word}/{word}/0/playlist.m3u8", "upload_progress"),
        *(f"upload_progress?upload_id={word}", f"heartbeat/{word}", f"theme.css?v={word}"),
        *(
            f"startup-events?{word}",
            f"custom_component/{word}/{word}/{word}/x.js",
            "%00" + f"{word}",
        ),
    )

    def get(path: str) -> None:
        # Some of these are streams that say nothing while they are open, or break off.
        with suppress(httpx.TransportError):
            caller.client.get(f"{caller.url}{path}", timeout=2)

    border = f"{word}"
    form = f'multipart/form-data; boundary="{border}"'
    forms = (
        (f"--{border}\r\n{word}: {word}\r\n\r\n{word}\r\n--{border}--", form),
        (f"--{border}\r\nContent-Disposition: form-data; name={word}\r\n\r\n{word}", form),
        (f"{word}", form),
        (f"{word}", f"multipart/form-data; {word}"),
        (f"{word}", f"{word}/{word}"),
    )

    def post(body: str, kind: str) -> None:
        sent = {"content-type": kind, f"{word}": f"{word}"}
        caller.post(f"upload?upload_id={word}", body.encode(), **sent)

    # Streams and forms without end are waited for, so all are sent side by side.
    with ThreadPoolExecutor(len(paths) + len(forms)) as pool:
        begun = [pool.submit(get, path) for path in paths]
        begun += [pool.submit(post, *form) for form in forms]
    for one in begun:
        one.result()


def send_bad_files(caller: Caller, word: Words) -> None:
    contents = (
        *(b"", b"\0" * 400, b"\x1f\x8b" + str(word).encode(), b"PK\3\4" + str(word).encode()),
        *(b"\0" * 128 + b"DICM" + str(word).encode() * 9, b"NRRD0004\n" + str(word).encode()),
        *(b"II*\0" + b"\xff" * 60 + str(word).encode(), b"ObjectType = " + str(word).encode()),
    )
    endings = ("nii", "nii.gz", "dcm", "zip", "nrrd", "tif", "mha", f"{word}")
    for content, ending in zip(contents, endings, strict=True):
        files = {"files": (f"{word}.{ending}", content)}
        answer = caller.client.post(f"{caller.url}upload", files=files)
        paths = answer.json() if answer.is_success else []
        data = [{"path": path, "orig_name": f"{word}", "meta": META} for path in paths]
        caller.post("call/recommend_files", dumped([f"segment {word}", data, "hybrid", 5]))
        caller.post("call/recommend_cohort", dumped([f"{word}", data]))


@pytest.fixture(scope="module")
def own(tmp_path_factory, settings):
    """A page in its own process that writes everything above DEBUG to its log."""
    root = tmp_path_factory.mktemp("logs")
    with page(root, settings, level="INFO", SCANSCOUT_VECTOR_SEARCH="false") as served:
        yield served


@pytest.mark.timeout(600)
@pytest.mark.parametrize("send", [send_odd_requests, send_bad_files, send_everything])
def test_no_word_of_a_malformed_request_reaches_the_log(own, send):
    caller = Caller(own.url)
    send(caller, Words())
    assert caller.refused or send is send_bad_files
    lines = own.log().splitlines()
    assert [line[:300] for line in lines if WORD.search(line)] == []
    assert [line for line in lines if "Traceback" in line] == []
    assert own.alive()
