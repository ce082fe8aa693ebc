"""Whether a text has wishes about software and says nothing of what the software is to do."""

from __future__ import annotations

import re

from retrieval.engine.answer import Answer
from retrieval.engine.snapshot import Snapshot

NOTE = (
    "Your words name no task, so the list goes by the wishes alone and its tools do all kinds of "
    "things. Say what the software is to do as well: each search stands for itself."
)

_DISCOURSE = re.compile(
    r"\b(?:now|same|again|maintenant|jetzt|nun|ahora|adesso|agora)\b", re.IGNORECASE
)
"""Words of a follow-up that name nothing, beside those of grammar."""


def missing_task(answer: Answer, snapshot: Snapshot) -> str:
    """The note for "and now without Python?"; empty where files or other words say more."""
    judge, query = snapshot.gaps, answer.query
    if judge is None or not query.text or not query.wishes or query.scans or not answer.candidates:
        return ""
    # A wish for one tool's kin ("like Fiji") says what is to be done.
    if any(wish.kind in ("tool", "host") and wish.strength != "unwanted" for wish in query.wishes):
        return ""
    rest = query.text
    for wish in query.wishes:
        rest = rest.replace(wish.text, " ") if wish.text else rest
    rest = _DISCOURSE.sub(" ", rest)
    names_nothing = not judge.mentions(rest) and not judge.unread(rest)
    return NOTE if names_nothing and not judge.parts(query.text) else ""
