"""Files of biology that a user brings: Gene Ontology (OBO), pathway tables, UniProt tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.core import BadInput
from retrieval.graph.biology import Entity, merged

MAX_LINE = 1_000_000
"""Bytes of a longer line are not read into memory."""

MAX_ENTITIES = 300_000
"""Rows of one file that are taken; later ones are refused."""

MAX_TOLD = 1_000
"""Refused rows that are listed; further ones are counted."""

GO_ID = re.compile(r"GO:\d{7}")
PATHWAY_ID = re.compile(r"(?:[a-z]{2,4}\d{5}|R-[A-Z]{3}-\d+|WP\d+)")
SYMBOL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@/-]{0,39}")
ACCESSION = re.compile(r"[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row or stanza that was refused: the number of its first line from 1, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedBiology:
    """What a file gave; ``bad`` counts every refused row, ``refused`` lists the first of them."""

    entities: tuple[Entity, ...]
    refused: tuple[BadRow, ...] = ()
    bad: int = 0
    obsolete: int = 0


@dataclass(slots=True)
class _Taking:
    entities: list[Entity] = field(default_factory=list)
    refused: list[BadRow] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    bad: int = 0
    obsolete: int = 0

    def refuse(self, line: int, reason: str) -> None:
        self.bad += 1
        if len(self.refused) < MAX_TOLD:
            self.refused.append(BadRow(line=line, reason=reason))

    def take(self, line: int, code: str, *entities: Entity) -> None:
        """The entities of one row, whose id in the file is ``code``."""
        if code in self.seen:
            self.refuse(line, f"{code} is there twice; the first one is kept")
        elif len(self.entities) + len(entities) > MAX_ENTITIES:
            self.refuse(line, f"beyond the first {MAX_ENTITIES:,} entities")
        else:
            self.seen.add(code)
            self.entities.extend(entities)

    def done(self) -> LoadedBiology:
        return LoadedBiology(
            entities=merged(self.entities),
            refused=tuple(self.refused),
            bad=self.bad,
            obsolete=self.obsolete,
        )


def load_go(path: Path) -> LoadedBiology:
    """The terms of an OBO file, read stanza by stanza, with their is_a and part_of links."""
    taking = _Taking()
    for line, stanza in _stanzas(path, taking):
        _take_term(line, stanza, taking)
    return taking.done()


def _take_term(line: int, stanza: Sequence[str], taking: _Taking) -> None:
    tags: dict[str, list[str]] = {}
    for text in stanza:
        tag, colon, value = text.partition(":")
        if not colon:
            return taking.refuse(line, f"{text[:40]!r} is no tag and value")
        tags.setdefault(tag.strip(), []).append(value.split(" ! ")[0].strip())
    if tags.get("is_obsolete") == ["true"]:
        taking.obsolete += 1
        return None
    code, name = (tags.get(tag, [""])[0] for tag in ("id", "name"))
    if not GO_ID.fullmatch(code):
        return taking.refuse(line, f"{code[:40]!r} is no id of a GO term" if code else "has no id")
    if not name:
        return taking.refuse(line, f"{code} has no name")
    related = [r.split() for r in tags.get("relationship", ())]
    parts = [r[1] for r in related if len(r) == 2 and r[0] == "part_of"]
    kinds = [value.split(" ")[0] for value in tags.get("is_a", ())]
    if wrong := [c for c in (*kinds, *parts) if not GO_ID.fullmatch(c)]:
        return taking.refuse(line, f"{code} is linked to {wrong[0][:40]!r}, which is no GO id")
    term = Entity(
        id=f"go_term:{code}",
        kind="go_term",
        label=_plain(name),
        is_a=tuple(f"go_term:{c}" for c in kinds),
        part_of=tuple(f"go_term:{c}" for c in parts),
    )
    return taking.take(line, code, term)


def _stanzas(path: Path, taking: _Taking) -> Iterator[tuple[int, list[str]]]:
    """The lines of each ``[Term]`` with the number of its first line."""
    start, lines = 0, list[str]()
    for number, text in _lines(path, taking):
        if text.startswith("["):
            if start:
                yield start, lines
            start, lines = (number, []) if text.strip() == "[Term]" else (0, [])
        elif start and text.strip() and not text.startswith("!"):
            lines.append(text)
    if start:
        yield start, lines


def load_pathways(path: Path) -> LoadedBiology:
    """Pathways of a table in the manner of KEGG: id, name, genes; tabs or commas between."""
    taking = _Taking()
    for line, cells in _rows(path, taking):
        code = cells[0].removeprefix("path:")
        if not taking.seen and not taking.bad and "id" in code.casefold().split()[-1:]:
            continue
        if not PATHWAY_ID.fullmatch(code):
            taking.refuse(line, f"{code[:40]!r} is no id of a pathway, such as hsa04210")
        elif len(cells) < 2 or not cells[1]:
            taking.refuse(line, f"{code} has no name")
        else:
            genes = [g for cell in cells[2:] for g in re.split(r"[,;|\s]+", cell) if g]
            _take_pathway(line, code, cells[1], genes, taking)
    return taking.done()


def _take_pathway(line: int, code: str, name: str, genes: Sequence[str], taking: _Taking) -> None:
    if wrong := [g for g in genes if not SYMBOL.fullmatch(g)]:
        return taking.refuse(line, f"{code} names {wrong[0][:40]!r}, which is no gene symbol")
    pathway = Entity(id=f"pathway:{code}", kind="pathway", label=name)
    parts = (
        Entity(id=f"gene:{gene}", kind="gene", label=gene, part_of=(pathway.id,))
        for gene in dict.fromkeys(genes)
    )
    return taking.take(line, code, pathway, *parts)


def load_uniprot(path: Path) -> LoadedBiology:
    """Genes of a UniProt table: the first gene name is the symbol, GO ids become links.

    Raises BadInput when the columns Entry and Gene Names are not there.
    """
    taking = _Taking()
    rows = _rows(path, taking)
    header = [cell.casefold() for cell in next(rows, (0, [""]))[1]]
    if not {"entry", "gene names"} <= set(header):
        raise BadInput(f"UniProt table: {path.name} needs the columns Entry and Gene Names")
    for line, cells in rows:
        if len(cells) != len(header):
            taking.refuse(line, f"{len(cells)} columns where the header has {len(header)}")
        else:
            _take_protein(line, dict(zip(header, cells, strict=True)), taking)
    return taking.done()


def _take_protein(line: int, row: dict[str, str], taking: _Taking) -> None:
    entry, names = row["entry"], row["gene names"].split()
    terms = [t for t in re.split(r"[;\s]+", row.get("gene ontology ids", "")) if t]
    if not ACCESSION.fullmatch(entry):
        return taking.refuse(line, f"{entry[:40]!r} is no UniProt accession")
    if not names:
        return taking.refuse(line, f"{entry} has no gene name")
    if wrong := [n for n in names if not SYMBOL.fullmatch(n)]:
        return taking.refuse(line, f"{entry} names {wrong[0][:40]!r}, which is no gene symbol")
    if wrong := [t for t in terms if not GO_ID.fullmatch(t)]:
        return taking.refuse(line, f"{entry} has {wrong[0][:40]!r}, which is no GO id")
    gene = Entity(
        id=f"gene:{names[0]}",
        kind="gene",
        label=names[0],
        synonyms=(*names[1:], entry),
        associated_with=tuple(f"go_term:{t}" for t in terms),
    )
    return taking.take(line, entry, gene)


def _rows(path: Path, taking: _Taking) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is neither empty nor a comment."""
    for number, text in _lines(path, taking):
        if text.strip() and not text.startswith("#"):
            between = "\t" if "\t" in text else ","
            cells = next(csv.reader([text], delimiter=between), [])
            yield number, [_plain(cell) for cell in cells]


def _lines(path: Path, taking: _Taking) -> Iterator[tuple[int, str]]:
    """Numbered lines; one that is too long or no UTF-8 is refused. Raises BadInput."""
    try:
        with path.open("rb") as handle:
            number = 0
            while raw := handle.readline(MAX_LINE + 1):
                number += 1
                end = raw
                while not end.endswith(b"\n") and (end := handle.readline(MAX_LINE)):
                    raw = raw[: MAX_LINE + 1]
                if len(raw) > MAX_LINE:
                    taking.refuse(number, f"longer than {MAX_LINE:,} bytes")
                    continue
                try:
                    yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    taking.refuse(number, "is not in UTF-8")
    except OSError as exc:
        raise BadInput(f"biology: {path.name} could not be read ({exc.strerror})") from exc


def _plain(text: str) -> str:
    """Without control characters and runs of blanks."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", text).split())
