"""A conversation in BioChatter's manner that is fed a script, and rules for prompts."""

from __future__ import annotations

import json
from pathlib import Path

DATA = Path(__file__).parents[2] / "data"
INFO = DATA / "schema_info.yaml"
CONFIG = DATA / "schema_config.yaml"
QUESTION = "Which genes are associated with mucoviscidosis?"


class Talk:
    """Plain answers, one after the other; ``asked`` is what came."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def query(self, text):
        self.asked.append(text)
        return self.answers.pop(0), {"total_tokens": 1}, None


class Shapes:
    """A language model that answers by the shape it is asked for; lists are used up in order."""

    id = "shapes"

    def __init__(self, **answers):
        self.answers = {k: list(v) if isinstance(v, list) else v for k, v in answers.items()}
        self.prompts = []

    def complete(self, prompt, *, schema=None, images=(), seconds=None, meter=None):
        title = (schema or {}).get("title", "text")
        self.prompts.append((title, prompt))
        said = self.answers[title]
        said = said.pop(0) if isinstance(said, list) else said
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, str) else json.dumps(said)

    def prompt(self, title):
        return [text for shape, text in self.prompts if shape == title]
