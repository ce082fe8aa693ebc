"""An answer cut to a number of characters of JSON: long texts, then the ends of long lists."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from typing import Any

Json = dict[str, Any]

SHORTEST = 160
"""Characters that stay of a text that is cut."""


def shortened(answer: Json, most: int, remedy: str) -> Json:
    """The answer in at most ``most`` characters of JSON; ``left_out`` tells what it lacks.

    Long texts are cut first, then the ends of the longest lists, which are ordered best first.
    """
    if _size(answer) <= most:
        return answer
    texts: Json = {name: _cut(value) for name, value in answer.items()}
    if _size(texts) <= most:
        return texts

    def with_lists(room: int) -> Json:
        short = {
            name: _rows(value, room) if isinstance(value, list) else _fitted(value, room)
            for name, value in texts.items()
        }
        left_out = {key: count for key, count in _left_out(texts, short).items() if count}
        return {**short, "left_out": left_out, "remedy": remedy}

    # The longest lists that fit. One try costs time in proportion to ``most``, not to the answer.
    longest = bisect_left(range(most), True, key=lambda room: _size(with_lists(room)) > most)
    short = with_lists(max(0, longest - 1))
    while _size(short) > most:
        name = max(texts.keys() & short.keys(), key=lambda key: _size(short[key]))
        short.pop(name)
        short["left_out"][name] = 1
    return short


def _size(value: Any) -> int:  # noqa: ANN401
    return len(json.dumps(value, ensure_ascii=False))


def _rows(rows: list[Any], room: int, fewest: int = 0) -> list[Any]:
    """The first rows that fit into so many characters; lists of objects in a row share them."""
    short: list[Any] = []
    share = room // max(1, len(rows))
    for row in rows:
        one = _fitted(row, share)
        room -= _size(one) + 2
        if room < 0 and len(short) >= fewest:
            break
        short.append(one)
    return short


def _fitted(value: Any, room: int) -> Any:  # noqa: ANN401
    """A value with its lists of objects cut, of which each keeps one object."""
    if isinstance(value, list):
        return _rows(value, room, 1) if _has_objects(value) else value
    if not isinstance(value, dict):
        return value
    # With the names and brackets of what is cut, and the comma behind the object.
    rest = {key: [] if _has_objects(one) else one for key, one in value.items()}
    share = (room - _size(rest) - 2) // max(1, sum(map(_has_objects, value.values())))
    return {key: _fitted(one, share) for key, one in value.items()}


def _has_objects(value: Any) -> bool:  # noqa: ANN401
    inner = value.values() if isinstance(value, dict) else value
    return isinstance(value, dict | list) and any(isinstance(one, dict | list) for one in inner)


def _left_out(texts: Any, short: Any, name: str = "") -> Counter[str]:  # noqa: ANN401
    """How many elements each list lacks, by its place: ``groups``, ``groups.tools``."""
    counts: Counter[str] = Counter()
    if isinstance(short, list):
        counts[name] += len(texts) - len(short)
        for full, one in zip(texts, short, strict=False):
            counts += _left_out(full, one, name)
    elif isinstance(short, dict):
        for key, one in short.items():
            counts += _left_out(texts[key], one, f"{name}.{key}".strip("."))
    return counts


def _cut(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, str) and len(value) > SHORTEST:
        return value[: SHORTEST - 1] + "…"
    if isinstance(value, list):
        return [_cut(one) for one in value]
    return {k: _cut(v) for k, v in value.items()} if isinstance(value, dict) else value
