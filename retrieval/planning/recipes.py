"""Records of recipes: commands, container lines and notebook cells, every flag with its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from retrieval.catalog import RefusedLine
from retrieval.core import BadInput, Dimension, Format, Modality, PulseSequence

PLACEHOLDER = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")
"""A placeholder of a template; other braces are left alone."""

REASON = re.compile(r'^\{"tool": *"[^"]*", *"reason":')
"""How a line begins that says why its tool has no recipe."""

_OPTION = re.compile(r"(?:^|(?<=\s))--?\d*[A-Za-z][\w-]*")
_BUILTINS = frozenset({"print", "len", "range", "int", "float", "str", "sorted", "list"})

Fact = Literal["modality", "dimension", "format", "sequence", "channels", "spacing", "gpu"]
Kind = Literal["command", "container", "notebook"]
Give = Literal["value", "slices first", "slice ratio", "smallest", "smallest whole"]

Words = Annotated[str, Field(min_length=1, max_length=300)]
Shown = Annotated[str, Field(pattern=r"^[A-Za-z0-9_/][A-Za-z0-9_./-]*$", max_length=60)]
Name = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$", max_length=40)]
Address = Annotated[str, Field(pattern=r"^https?://[^\s<>\"']+$", max_length=300)]

CODES: dict[str, frozenset[str]] = {
    "modality": frozenset(Modality),
    "dimension": frozenset(Dimension),
    "format": frozenset(Format),
    "sequence": frozenset(PulseSequence),
    "channels": frozenset(map(str, range(1, 101))),
    "gpu": frozenset({"yes", "no"}),
}
NUMBERS: dict[str, frozenset[str]] = {
    "channels": frozenset({"value"}),
    "spacing": frozenset({"slices first", "slice ratio", "smallest", "smallest whole"}),
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Left(_Strict):
    """A value that the reader fills in: the word shown in the text, and its meaning."""

    what: Words
    shown: Shown
    by_format: dict[Format, Shown] = {}


class Rule(_Strict):
    """How one fact of the scan, or of the machine, fills a placeholder.

    ``cases`` are pieces of text by code; ``give`` writes the number itself, after ``before``.
    Without a case, or where the fact is unknown, ``otherwise`` stands; where that is None the
    reader fills it in.
    """

    fact: Fact
    cases: dict[str, str] = {}
    give: Give | None = None
    before: str = ""
    otherwise: str | None = None
    left: Left | None = None

    @model_validator(mode="after")
    def _check_choices(self) -> Rule:
        if bool(self.cases) == bool(self.give):
            raise ValueError(f"{self.fact}: state either cases or give")
        if self.give and self.give not in NUMBERS.get(self.fact, ()):
            raise ValueError(f"{self.fact}: no number is given as '{self.give}'")
        if odd := sorted(set(self.cases) - CODES.get(self.fact, frozenset())):
            raise ValueError(f"{self.fact}: no such code {odd[0]!r}")
        if (self.otherwise is None) == (self.left is None):
            raise ValueError(f"{self.fact}: state either otherwise or left")
        return self


class RecipeRecord(_Strict):
    """One recipe. Placeholders are ``{NAME}``; each is filled by a rule or left to the reader.

    A rule's text may hold placeholders that are left to the reader, none that a rule fills.
    ``install`` is the line that gets the tool, where its record in the catalog states none. A
    recipe states either ``ran_on``, the day on which it ran on a sample, or ``not_run``, why not.
    """

    tool: Annotated[str, Field(min_length=1, max_length=80)]
    kind: Kind
    title: Words
    template: Annotated[str, Field(min_length=1, max_length=4_000)]
    filled: dict[Name, Rule] = {}
    left: dict[Name, Left] = {}
    reads: tuple[Format, ...] = ()
    outputs: Annotated[tuple[Words, ...], Field(min_length=1)]
    notes: tuple[Words, ...] = ()
    flags: dict[str, Address]
    sources: Annotated[tuple[Address, ...], Field(min_length=1)]
    checked_on: date
    install: Words | None = None
    ran_on: date | None = None
    not_run: Words | None = None

    @model_validator(mode="after")
    def _check_run(self) -> RecipeRecord:
        if (self.ran_on is None) == (self.not_run is None):
            raise ValueError("state either ran_on or not_run")
        return self

    @model_validator(mode="after")
    def _check_texts(self) -> RecipeRecord:
        texts = (self.template, *(text for many in self.pieces.values() for text in many))
        used = {name for text in texts for name in PLACEHOLDER.findall(text)}
        declared = {*self.filled, *self.left}
        if unfilled := sorted(used - declared):
            raise ValueError(f"nothing fills {{{unfilled[0]}}}")
        if unused := sorted(declared - used):
            raise ValueError(f"{{{unused[0]}}} is not in the template")
        inner = {n for many in self.pieces.values() for t in many for n in PLACEHOLDER.findall(t)}
        if nested := sorted(inner & set(self.filled)):
            raise ValueError(f"{{{nested[0]}}} is filled inside another placeholder")
        if twice := sorted(set(self.filled) & set(self.left)):
            raise ValueError(f"{{{twice[0]}}} is both filled and left")
        flags = flags_of(self.kind, self.template, self.pieces)
        if missing := sorted(flags - set(self.flags)):
            raise ValueError(f"no source for {missing[0]}")
        if extra := sorted(set(self.flags) - flags):
            raise ValueError(f"a source for {extra[0]}, which is not used")
        return self

    @property
    def pieces(self) -> dict[str, tuple[str, ...]]:
        """Every text that a placeholder can become, by placeholder."""
        out = {
            name: (*rule.cases.values(), rule.before and f"{rule.before}1", rule.otherwise or "")
            for name, rule in self.filled.items()
        }
        return {name: tuple(p for p in texts if p) for name, texts in out.items()}


class NoRecipe(_Strict):
    """Why a tool has no recipe, after its pages were read for one; a sentence for visitors."""

    tool: Annotated[str, Field(min_length=1, max_length=80)]
    reason: Annotated[str, Field(pattern=r"^[A-Z].*\.$", max_length=200)]
    sources: Annotated[tuple[Address, ...], Field(min_length=1)]
    checked_on: date


def flags_of(kind: str, template: str, pieces: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Every flag of a template and of the texts that may fill its placeholders.

    Raises ValueError when a notebook cell is not valid Python.
    """
    if kind != "notebook":
        texts = (template, *(text for many in pieces.values() for text in many))
        return {flag for text in texts for flag in _OPTION.findall(PLACEHOLDER.sub(" ", text))}
    names: set[str] = set()
    for number in range(max((len(texts) for texts in pieces.values()), default=1)):
        text_by_name = {name: texts[number % len(texts)] for name, texts in pieces.items() if texts}
        # A cell is only read as Python, so any number does for a placeholder without a text.
        # The pattern has one group, so every second part is the name of a placeholder.
        parts = enumerate(PLACEHOLDER.split(template))
        names.update(_names("".join(text_by_name.get(p, "0") if n % 2 else p for n, p in parts)))
    return names


def _names(cell: str) -> Iterator[str]:
    """The functions that a cell calls and their keywords: ``slic``, ``slic(spacing)``."""
    try:
        tree = ast.parse(cell)
    except SyntaxError as exc:
        raise ValueError(f"the cell is no Python, line {exc.lineno}: {exc.msg}") from exc
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in _BUILTINS:
            continue
        yield name
        yield from (f"{name}({key.arg})" for key in node.keywords)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipes:
    """The recipes by tool id, why others have none, and the lines that were refused."""

    by_tool: dict[str, RecipeRecord]
    none: dict[str, NoRecipe] = field(default_factory=dict)
    refused: tuple[RefusedLine, ...] = ()


def load_recipes(path: Path) -> Recipes:
    """Read a file of recipes, one per line. Raises BadInput when it cannot be opened.

    A line with a ``reason`` says why its tool has none. An invalid line is refused with its number
    and why; the other lines are loaded.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise BadInput(f"recipes: {path.name} could not be read ({exc})") from exc
    records: dict[str, RecipeRecord] = {}
    none: dict[str, NoRecipe] = {}
    refused: list[RefusedLine] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        record = _record(line)
        if not isinstance(record, str) and (record.tool in records or record.tool in none):
            record = f"a second recipe for {record.tool}"
        if isinstance(record, RecipeRecord):
            records[record.tool] = record
        elif isinstance(record, NoRecipe):
            none[record.tool] = record
        else:
            refused.append(RefusedLine(line=number, reason=record))
    return Recipes(by_tool=records, none=none, refused=tuple(refused))


def _record(line: str) -> RecipeRecord | NoRecipe | str:
    try:
        if REASON.search(line):
            return NoRecipe.model_validate_json(line)
        return RecipeRecord.model_validate_json(line)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        message = f"{place or 'recipe'}: {first['msg'].removeprefix('Value error, ')}"
        return re.sub(r"[^\x20-\x7e]", "?", message)[:200]
