"""File facts that somebody wrote into the text: ``format:CT`` and lines of original formats."""

from __future__ import annotations

import re

from retrieval.catalog import dimension_of, format_of, modality_of
from retrieval.core import format_token

_LINE = re.compile(r"^[ \t]*OriginalFormats?[ \t]*:(?P<formats>[^\r\n]{0,200})$", re.I | re.M)
_WORD = re.compile(r"(?<!\S)format:(?P<code>[\w.+-]{1,40})(?=[\s,;]|$)", re.I)


def written_tokens(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without such facts, and their tokens in order, once each.

    What names no format, modality or dimension this app knows stays in the text.
    """
    tokens: list[str] = []

    def line(match: re.Match[str]) -> str:
        formats = [format_of(word) for word in re.split(r"[\s,;]+", match["formats"]) if word]
        if not formats or None in formats:
            return match.group()
        tokens.extend(format_token(code) for code in formats if code)
        return ""

    def word(match: re.Match[str]) -> str:
        spelled = match["code"].replace("_", " ")
        code = format_of(spelled) or modality_of(spelled) or dimension_of(spelled)
        if code is None:
            return match.group()
        tokens.append(format_token(code))
        return ""

    rest = _WORD.sub(word, _LINE.sub(line, text))
    return rest if tokens else text, tuple(dict.fromkeys(tokens))
