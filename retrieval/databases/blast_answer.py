"""What BLAST answers: its JSON (one file) and its XML2, as the documented schemas have them.

https://ncbi.github.io/blast-cloud/dev/api.html names both; the schemas are NCBI_BlastOutput2.
A file of one query holds one report, a file of several holds a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from pydantic import BaseModel, Field, ValidationError

from retrieval.core import StageUnavailable

SEARCHES = ("search", "bl2seq", "iterations")
"""Where a report has its searches: one query, two sequences compared, rounds of PSI-BLAST."""

_PAGE_ERROR = re.compile(
    r"Message ID#\d+ Error:\s*([^<\n]{1,200})|class=.error.[^>]*>([^<]{1,200})"
)


class Described(BaseModel):
    """One of the records that share a hit's sequence."""

    accession: str = ""
    title: str = ""


class Pair(BaseModel):
    """A stretch where query and hit were aligned."""

    evalue: float = 0.0
    bit_score: float = 0.0
    identity: int = 0
    align_len: int = 0


class Hit(BaseModel):
    """A sequence of the database; the first description is its own."""

    description: list[Described] = Field(default_factory=list)
    hsps: list[Pair] = Field(default_factory=list)


def hits_of(raw: str) -> tuple[Hit, ...]:
    """The hits in the order of the answer; none where it says that nothing was found.

    Raises StageUnavailable, with the reason that a page gives, for anything else.
    """
    text = raw.lstrip("\ufeff \r\n\t")
    try:
        if text.startswith("{"):
            return tuple(_json_hits(json.loads(text)))
        if text.startswith("<?xml") or text.startswith("<BlastXML2"):
            return tuple(_xml_hits(fromstring(text)))
    except (ValueError, ValidationError, ParseError, DefusedXmlException, RecursionError) as exc:
        raise StageUnavailable("NCBI BLAST: sent something that cannot be read") from exc
    error = _PAGE_ERROR.search(text)
    detail = f" ({' '.join((error[1] or error[2]).split())})" if error else ""
    raise StageUnavailable(f"NCBI BLAST: sent something that cannot be read{detail}")


def _json_hits(data: Mapping[str, Any]) -> Iterator[Hit]:
    outputs = data.get("BlastOutput2")
    if outputs is None:
        raise ValueError("no output")
    for output in outputs if isinstance(outputs, list) else [outputs]:
        for search in _searches(_part(_part(output, "report"), "results")):
            hits = search.get("hits", [])
            if not isinstance(hits, list):
                raise ValueError("hits")
            yield from (Hit.model_validate(hit) for hit in hits)


def _part(parent: Any, name: str) -> Mapping[str, Any]:  # noqa: ANN401 - any JSON value
    part = parent.get(name) if isinstance(parent, Mapping) else None
    if not isinstance(part, Mapping):
        raise ValueError(name)
    return part


def _searches(results: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for name in SEARCHES:
        value = results.get(name)
        for one in value if isinstance(value, list) else [value] if value else []:
            # A round of PSI-BLAST has its search one level below.
            yield _part(one, "search") if "search" in one else one


def _xml_hits(root: Element) -> Iterator[Hit]:
    if _local(root) not in {"BlastXML2", "BlastOutput2"}:
        raise ValueError("no output")
    for hit in (node for node in root.iter() if _local(node) == "Hit"):
        described = [_fields(node) for node in hit.iter() if _local(node) == "HitDescr"]
        pairs = [_fields(node) for node in hit.iter() if _local(node) == "Hsp"]
        yield Hit.model_validate({"description": described, "hsps": pairs})


def _fields(node: Element) -> dict[str, str]:
    """The texts of a node's children; XML writes ``bit-score`` where JSON has ``bit_score``."""
    return {_local(child).replace("-", "_"): (child.text or "").strip() for child in node}


def _local(node: Element) -> str:
    return str(node.tag).rpartition("}")[2]
