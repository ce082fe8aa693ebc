"""Everything a language model's server was seen to do wrong, and the reason that is told."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tests.llm.faults import (
    KEY,
    Act,
    completion,
    hangs_up,
    ranking,
    resets,
    says,
    silent,
    stops_half_way,
    streams,
)

SECONDS = 1.5
"""Time for a call that never ends by itself; the others end long before theirs is over."""

ERROR = json.dumps({"error": {"message": f"no luck with key {KEY}, Bearer {KEY}"}}).encode()
DEEP = '{"tools":' * 50_000


@dataclass(frozen=True)
class Fault:
    """Acts of the server, words of the reason, requests that come, and the time that is given."""

    acts: tuple[Act, ...]
    reason: str
    requests: int = 1
    seconds: float = 30.0


FAULTS = {
    "time-out": Fault((silent,), "in time|no answer within", seconds=SECONDS),
    "slow drip of the body": Fault(
        (streams(b" ", 400, 0.05),), "in time|no answer within|too slowly", seconds=SECONDS
    ),
    "slow drip of the head": Fault(
        (streams(b"X", 400, 0.05, b"HTTP/1.1 200 X\r\nX-Slow: "),),
        "in time|no answer within",
        seconds=SECONDS,
    ),
    "endless body": Fault((streams(b" " * 65536, 100_000),), "sent more than 1 MB"),
    "50 MB with a length": Fault((says(b" " * 50_000_000),), "sent more than 1 MB"),
    "50 MB without a length": Fault((streams(b" " * 65536, 763),), "sent more than 1 MB"),
    "packed": Fault((says(b"\x1f\x8b", Content_Encoding="gzip"),), "compressed body"),
    "429 with a long wait": Fault(
        (says(ERROR, 429, Retry_After="3600"),), r"too many requests.*429.*3600 s"
    ),
    "429 with a far date": Fault(
        (says(ERROR, 429, Retry_After="Fri, 01 Jan 2100 00:00:00 GMT"),), "too many requests"
    ),
    "429 without end": Fault((says(ERROR, 429, Retry_After="0"),), "HTTP 429", requests=2),
    "500 with a key": Fault((says(ERROR, 500),), "its server failed.*500"),
    "401 with a key": Fault((says(ERROR, 401),), "the key was refused"),
    "503 with markup": Fault(
        (says(b"<script>alert(1)</script>", 503, "text/html"),), "its server failed.*503", 2
    ),
    "404": Fault((says(ERROR, 404),), "no such model"),
    "redirect to the machine next door": Fault(
        (says(b"", 302, Location="http://169.254.169.254/latest"),), "pointed elsewhere.*302"
    ),
    "307 with the body": Fault((says(b"", 307, Location="/v1/other"),), "pointed elsewhere"),
    "connection reset": Fault((resets,), "broke off", requests=2),
    "connection closed at once": Fault((hangs_up,), "closed the connection", requests=2),
    "endless head": Fault(
        (streams(b"X-More: " + b"x" * 1000 + b"\r\n", 10_000, 0.0, b"HTTP/1.1 200 X\r\n"),),
        "closed the connection|in time|no answer within",
        requests=2,
    ),
    "connection closed half way": Fault((stops_half_way,), "broke off", requests=2),
    "not JSON": Fault((says(b"<html>busy</html>", kind="text/html"),), "no chat completion"),
    "half of a JSON": Fault((says(completion("x")[:40]),), "no chat completion"),
    "JSON null": Fault((says(b"null"),), "no chat completion"),
    "another encoding": Fault(
        (says(completion(ranking("b")).decode().encode("utf-16")),), "no chat completion"
    ),
    "content as a list": Fault(
        (says(b'{"choices": [{"message": {"content": [{"text": "b"}]}}]}'),), "no chat completion"
    ),
    "JSON list": Fault((says(b"[]"),), "no chat completion"),
    "choices of a wrong type": Fault((says(b'{"choices": "x"}'),), "no chat completion"),
    "nested too deep": Fault((says(b"[" * 500_000),), "no chat completion"),
    "no choice": Fault((says(b'{"choices": []}'),), "was empty"),
    "no body": Fault((says(b""),), "no chat completion"),
    "content null": Fault((says(completion(None)),), "was empty"),
    "content empty": Fault((says(completion("")),), "was empty"),
    "prose": Fault((says(completion("I would take tool b.")),), "held no JSON"),
    "refusal in the text": Fault((says(completion("I can't help with that.")),), "held no JSON"),
    "refusal in its own field": Fault((says(completion(None, refusal="No.")),), "held no JSON"),
    "call of a function": Fault(
        (
            says(
                completion(
                    None,
                    tool_calls=[
                        {
                            "id": "1",
                            "type": "function",
                            "function": {"name": "os.system", "arguments": '{"x": "id"}'},
                        }
                    ],
                )
            ),
        ),
        "was empty",
    ),
    "truncated answer": Fault((says(completion(ranking("b", "a")[:30])),), "shape|no JSON"),
    "wrong schema": Fault((says(completion('{"answer": ["b"]}')),), r"another shape \(tools"),
    "wrong type": Fault((says(completion('{"tools": "b, a"}')),), r"another shape \(tools"),
    "answer null": Fault((says(completion("null")),), "held no JSON"),
    "not a number": Fault((says(completion('{"tools": NaN}')),), "held no JSON"),
    "answer nested too deep": Fault((says(completion(DEEP)),), "held no JSON"),
    "hallucinated ids alone": Fault(
        (
            says(
                completion(ranking("x", "nnU-Net")),
            ),
        ),
        "named no tool",
    ),
}
