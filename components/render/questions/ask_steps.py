"""The steps to a query in words: what they are, what one gave, why one was not done."""

from __future__ import annotations

from components.render.markup import esc
from components.render.search.notices import notice

HINT = """The language model chooses what the question is about from the graph's schema, then writes
a query in Cypher, which is run. Change a step and go on from it, or change the query below."""
NO_MODEL = """Needs a language model, and none is configured (SCANSCOUT_LLM_BASE_URL and
SCANSCOUT_LLM_MODEL). Without one the query below fetches what the answer rests on."""


def hint(able: bool) -> str:
    """What the steps are, or why they cannot be gone through."""
    return f"<p class='sub'>{esc(HINT if able else NO_MODEL)}</p>"


def note(text: str) -> str:
    """Why a step gave nothing; nothing where it gave something."""
    return notice("warn", "This step gave nothing.", text, role="status") if text else ""


def explanation(text: str) -> str:
    """The query in plain words, by the model."""
    return notice("info", "The query in words, by the language model.", text, role="status")


def step_trouble(reason: str | None) -> str:
    """The notice for a step that was not done; a defect of ours has no reason."""
    if reason is not None:
        return notice("warn", "This step was not done.", reason, role="alert")
    return notice("bad", "Something went wrong on our side.", "Try it again.", role="alert")
