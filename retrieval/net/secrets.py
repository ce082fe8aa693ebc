"""Keys never leave in a text, whoever put them there."""

from __future__ import annotations

import re

HIDDEN = "[hidden]"
SHORTEST = 8
"""Shorter keys are placeholders of local servers, and words of ordinary text."""

_KEY = re.compile(
    r"\b(?:sk|pk|rk|hf|gsk|xai|ghp|gho|github_pat|AKIA|AIza|tvly)[-_]?[A-Za-z0-9_-]{16,}"
    r"|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}"
)


def redact(text: str, *keys: str) -> str:
    """The text without these keys, and without anything that looks like one."""
    for key in keys:
        if len(key) >= SHORTEST:
            text = text.replace(key, HIDDEN)
    return _KEY.sub(HIDDEN, text)
