"""Keys are removed from every text that leaves this process, and from every answer of a service."""

from __future__ import annotations

import re
from collections.abc import Iterable

HIDDEN = "[hidden]"
SHORTEST = 8
"""Shorter keys are placeholders of local servers, and words of ordinary text."""

_KEY = re.compile(
    r"\b(?:sk|pk|rk|hf|gsk|xai|ghp|gho|github_pat|AKIA|AIza|tvly)[-_]?[A-Za-z0-9_-]{16,}"
    r"|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}"
)


def redact(text: str, *keys: str) -> str:
    """The text without these keys, and without anything that looks like one.

    Known forms: keys of OpenAI, Hugging Face, Groq, xAI, GitHub, AWS, Google, Tavily and
    others, and bearer tokens. Keys shorter than SHORTEST stay, because they can be ordinary words.
    """
    for key in keys:
        if len(key) >= SHORTEST:
            text = text.replace(key, HIDDEN)
    return _KEY.sub(HIDDEN, text)


def hide(body: bytes, secrets: Iterable[str]) -> bytes:
    """The body of an answer without these secrets, in case a service repeats them.

    Secrets of three characters or fewer stay: they would take letters out of ordinary words.
    """
    for secret in secrets:
        body = body.replace(secret.encode(), HIDDEN.encode()) if len(secret) > 3 else body
    return body
