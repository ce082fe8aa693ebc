"""Tools that a question describes by another one: "the tools that X requires".

What is asked of them is a second step, after the step from X to the tools.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.ask.cues import cues_of, json_table
from retrieval.ask.grouping import Limit, Role
from retrieval.ask.linker import Link
from retrieval.ask.reading import FIELD_CUES, Reader, Reading

ROLES: tuple[Role, ...] = ("required_by", "requires", "near")
"""The steps between two tools that a description may name."""

ASKS_MORE = frozenset({*FIELD_CUES, "requires", "compatible_with", "task"})
"""Cues of what is asked of the tools described; "list the tools that X requires" has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """The words that describe tools by another tool, and the reading that finds these tools."""

    text: str
    before: str
    after: str
    reading: Reading

    def outer(self, names: Sequence[str]) -> str:
        """The question with the names of the tools in place of their description."""
        own = json_table("words/follow_up")[self.reading.language]
        return f"{self.before}{own['and'].join(names)}{self.after}"


def hop_of(reader: Reader, question: str, language: str) -> Hop | None:
    """The first description of tools by another tool, of which the question asks something more.

    None where a further condition follows the description: all of it then describes one set.
    """
    links = [x for x in reader.linker.links(question) if reader.base.kind(x.node) == "tool"]
    table = json_table("words/hops")[language]
    for name in dict.fromkeys(link.text for link in links):
        for role in ROLES:
            for pattern in table[role]:
                words = pattern.format(tools=table["tools"], x=re.escape(name))
                match = re.search(rf"(?<!\w){words}", question, re.IGNORECASE)
                if match is None or re.match(table["further"], question[match.end() :]):
                    continue
                hop = _hop(match, role, [x for x in links if x.text == name], language)
                if any(cue.kind in ASKS_MORE for cue in cues_of(hop.outer(()), language)):
                    return hop
    return None


def _hop(match: re.Match[str], role: Role, links: Sequence[Link], language: str) -> Hop:
    nodes = tuple(dict.fromkeys(link.node for link in links))
    relation = "compatible_with" if role == "near" else ""
    limit = Limit(kind=role, options=tuple((relation, node) for node in nodes))
    return Hop(
        text=match.group(),
        before=match.string[: match.start()],
        after=match.string[match.end() :],
        reading=Reading(language=language, limits=(limit,), linked=nodes),
    )
