"""Genes, pathways and GO terms: their records, their edges, and their names in a query."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from retrieval.catalog import Annotator, check_ids, read_lines

EntityKind = Literal["gene", "pathway", "go_term"]
KINDS: tuple[str, ...] = get_args(EntityKind)

LINKS = ("is_a", "part_of", "associated_with")
MANY = ("synonyms", *LINKS, "tools")

SHORTEST_SYMBOL = 3
"""Two capitals name too much else (AR, CT, MR) to be read as a gene."""

MAX_TEXT = 20_000
"""Characters of a query that are searched for names."""

MOST_WORDS = 12
"""Most words of a name that is looked for in a query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One node of biology; its id is ``kind:code``. ``tools`` are ids of tools that use it."""

    id: str
    kind: EntityKind
    label: str
    synonyms: tuple[str, ...] = ()
    is_a: tuple[str, ...] = ()
    part_of: tuple[str, ...] = ()
    associated_with: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The id without its kind: ``GO:0006915``, ``hsa04210``, ``BRAF``."""
        return self.id.split(":", 1)[1]


@cache
def load_biology(path: Path) -> tuple[Entity, ...]:
    """The entities of a JSONL file in its order. Raises BadInput with the line that is wrong.

    Cached per path for the life of the process: a changed file is not read again.
    """
    entities = read_lines(path, "biology", _entity)
    check_ids("biology", ((e.id, (target for _, target in _links(e))) for e in entities))
    return entities


def _entity(line: str) -> Entity:
    row = json.loads(line)
    entity = Entity(
        id=row["id"],
        kind=row["kind"],
        label=row["label"],
        **{name: tuple(row.get(name, ())) for name in MANY},
    )
    if entity.kind not in KINDS or not entity.id.startswith(f"{entity.kind}:"):
        raise ValueError(f"{entity.id} is of no known kind; choose one of {KINDS}")
    return entity


def merged(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Entities by ascending id, once each; the lists of several rows of one id are united.

    Kind and label are those of the first row; the values of a list keep their order, each once.
    """
    rows: dict[str, Entity] = {}
    for entity in entities:
        earlier = rows.setdefault(entity.id, entity)
        if earlier is not entity:
            both: dict[str, Any] = {
                name: tuple(dict.fromkeys((*getattr(earlier, name), *getattr(entity, name))))
                for name in MANY
            }
            rows[entity.id] = replace(earlier, **both)
    return tuple(rows[id_] for id_ in sorted(rows))


def entity_edges(entities: Sequence[Entity]) -> Iterator[tuple[str, str, str]]:
    """Source, target and kind of every edge; a tool is the source of the edge to an entity.

    Targets may be missing from ``entities``: build_graph drops such edges.
    """
    for entity in entities:
        yield from ((entity.id, target, kind) for kind, target in _links(entity))
        yield from ((tool, entity.id, "associated_with") for tool in entity.tools)


def _links(entity: Entity) -> Iterator[tuple[str, str]]:
    for kind in LINKS:
        yield from ((kind, target) for target in getattr(entity, kind))


class EntityNames:
    """Finds the entities that a text names, beside what another annotator finds in it.

    A gene is named by its symbol exactly as written, a pathway or GO term by its full name or
    by its id, whatever the case; where names overlap the longest of the leftmost wins.
    """

    def __init__(self, entities: Iterable[Entity], beside: Annotator | None = None) -> None:
        self._beside = beside
        self._symbols: defaultdict[str, list[str]] = defaultdict(list)
        self._codes: dict[str, str] = {}
        self._phrases: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for entity in entities:
            self._add(entity)
        self._longest = max(map(len, self._phrases), default=0)
        self._opening = {words[0] for words in self._phrases}

    def _add(self, entity: Entity) -> None:
        if entity.kind == "gene":
            for symbol in (entity.label, *entity.synonyms):
                if len(symbol) >= SHORTEST_SYMBOL and symbol == symbol.upper():
                    self._symbols[symbol].append(entity.id)
            return
        self._codes[entity.code.casefold()] = entity.id
        for name in (entity.label, *entity.synonyms):
            words = _words(name)
            if not 0 < len(words) <= MOST_WORDS:
                continue
            self._phrases[words].append(entity.id)
            # A pathway is named without its last word too where two or more words remain.
            if len(words) > 2 and words[-1] == "pathway":
                self._phrases[words[:-1]].append(entity.id)

    def beside(self, other: Annotator) -> EntityNames:
        """The same entities beside another annotator."""
        twin = copy(self)
        twin._beside = other
        return twin

    def concepts(self, text: str) -> tuple[str, ...]:
        """What the other annotator finds, then entities, once each.

        First those of symbols and ids in the order of the text, then those of names in the order of
        the text. Entities are looked for in the first MAX_TEXT characters.
        """
        others = self._beside.concepts(text) if self._beside else ()
        return tuple(dict.fromkeys((*others, *self._entities(text[:MAX_TEXT]))))

    def _entities(self, text: str) -> Iterator[str]:
        for token in re.findall(r"[A-Za-z0-9][A-Za-z0-9:._-]*", text):
            code = token.rstrip(":._-")
            yield from self._symbols.get(code, ())
            if code.casefold() in self._codes:
                yield self._codes[code.casefold()]
        words = _words(text)
        at = 0
        while at < len(words):
            longest = min(self._longest, len(words) - at) if words[at] in self._opening else 0
            lengths = range(longest, 0, -1)
            length = next((n for n in lengths if words[at : at + n] in self._phrases), 0)
            yield from self._phrases.get(words[at : at + length], ())
            at += max(1, length)


def _words(text: str) -> tuple[str, ...]:
    plain = text.casefold().replace("signalling", "signaling")
    return tuple(re.findall(r"[^\W_]+", plain))
