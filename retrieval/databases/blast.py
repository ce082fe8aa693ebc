"""NCBI BLAST by its URL API: a search is submitted, then asked for until it is ready.

https://ncbi.github.io/blast-cloud/dev/api.html asks for at most one poll a minute.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field, field_validator, model_validator

from retrieval.core import Deadline, StageUnavailable
from retrieval.databases.api import Api, Record, checked_base
from retrieval.databases.blast_answer import Hit, Pair, hits_of
from retrieval.databases.parameters import QueryParameters
from retrieval.net import TRIES, Request

BLAST_ADDRESS = "https://blast.ncbi.nlm.nih.gov/Blast.cgi"
POLL = 60.0
POLLS = 20
MOST_LETTERS = 20_000

_RID = re.compile(r"^\s*RID\s*=\s*([A-Z0-9-]{4,40})\s*$", re.MULTILINE)
_ROUGH = re.compile(r"^\s*RTOE\s*=\s*(\d{1,5})\s*$", re.MULTILINE)
_STATUS = re.compile(r"Status=(\w+)")
_SEQUENCE = re.compile(r"(?:>[^\n]*\n)?[A-Za-z*\-\s]+")


class BlastQueryParameters(QueryParameters):
    """A search for sequences like one that is given."""

    program: Literal["blastn", "blastp", "blastx", "tblastn", "tblastx"] = Field(
        default="blastn", description="Which kinds of sequence are compared"
    )
    database: str = Field(
        default="nt", pattern=r"^[A-Za-z0-9_/.-]{1,60}$", description="Such as nt, nr, swissprot"
    )
    query: str | None = Field(
        default=None, min_length=4, max_length=MOST_LETTERS, description="The sequence, or FASTA"
    )
    rid: str | None = Field(
        default=None,
        pattern=r"^[A-Z0-9-]{4,40}$",
        description="Id of an earlier search, instead of a sequence",
    )
    max_hits: int = Field(default=10, ge=1, le=100, description="How many hits at most")
    megablast: bool = Field(default=False, description="For nearly identical nucleotides, faster")
    expect: float = Field(default=10.0, gt=0, le=1000, description="Highest expect value")

    @field_validator("query")
    @classmethod
    def _letters(cls, query: str | None) -> str | None:
        if query is not None and not _SEQUENCE.fullmatch(query):
            raise ValueError("is no sequence; give letters alone, or one entry of FASTA")
        return query

    @model_validator(mode="after")
    def _something(self) -> BlastQueryParameters:
        if not (self.query or self.rid):
            raise ValueError("query is missing; give a sequence")
        return self


@dataclass(frozen=True)
class Blast(Api):
    """Sequences that are like a given one."""

    base: str = BLAST_ADDRESS
    poll_seconds: float = POLL
    polls: int = POLLS
    sleep: Callable[[float], None] = time.sleep

    name = "blast"
    title = "NCBI BLAST"
    description = "finds nucleotide or protein sequences that are like a given sequence"
    parameters = BlastQueryParameters
    home = BLAST_ADDRESS

    def call(self, parameters: BaseModel) -> Request:
        """The submission, or the question for an earlier search."""
        rid = parameters.model_dump()["rid"]
        return self._get(rid) if rid else self._submission(parameters)

    def fetch(self, parameters: BaseModel, deadline: Deadline, tries: int = TRIES) -> str:
        """Hits as JSON, once the search is ready. Raises StageUnavailable when it is not in time.

        The search is submitted once; only questions for its state are repeated. One that is not
        ready in time can be asked for again by its id.
        """
        rid, rough = parameters.model_dump()["rid"], 0.0
        if not rid:
            page = self.http.send(self._submission(parameters), deadline, tries=1)
            rid_line, rough_line = _RID.search(page), _ROUGH.search(page)
            if rid_line is None:
                wrong = "did not take the search; check the parameters"
                raise StageUnavailable(f"{self.title}: {wrong}")
            rid, rough = rid_line.group(1), float(rough_line.group(1)) if rough_line else 0.0
        self._ready(rid, rough, deadline)
        return self.http.send(self._get(rid, FORMAT_TYPE="JSON2_S"), deadline, tries)

    def records(self, raw: str) -> tuple[Record, ...]:
        """The hits of an answer in its order, best first; those without a description are left out.

        A record states the expect value and the identity in per cent of its pair of highest bit
        score. JSON and XML2 are read. Raises StageUnavailable for an answer of another shape.
        """
        return tuple(_record(hit) for hit in hits_of(raw) if hit.description)

    def _submission(self, parameters: BaseModel) -> Request:
        values = parameters.model_dump()
        form = [
            ("CMD", "Put"),
            ("PROGRAM", values["program"]),
            ("DATABASE", values["database"]),
            ("QUERY", values["query"]),
            ("HITLIST_SIZE", str(values["max_hits"])),
            ("EXPECT", str(values["expect"])),
            ("TOOL", "ScanScout"),
        ]
        if values["megablast"] and values["program"] == "blastn":
            # MEGABLAST is a variant of blastn alone.
            form.append(("MEGABLAST", "on"))
        return Request(url=checked_base(self.base), form=tuple(form), own=self.own)

    def _get(self, rid: str, **more: str) -> Request:
        params = (("CMD", "Get"), ("RID", rid), *more.items())
        return Request(url=checked_base(self.base), params=params, own=self.own)

    def _ready(self, rid: str, rough: float, deadline: Deadline) -> None:
        # NCBI estimates the time (RTOE); a short search is not kept waiting for a whole poll.
        wait = min(rough, self.poll_seconds)
        for _ in range(self.polls):
            if wait >= deadline.left:
                raise StageUnavailable(
                    f"{self.title}: search {rid} is not ready in time; ask later with it as rid"
                )
            self.sleep(wait)
            page = self.http.send(self._get(rid, FORMAT_OBJECT="SearchInfo"), deadline)
            status = _STATUS.search(page)
            if status and status.group(1) == "READY":
                return
            if status is None or status.group(1) != "WAITING":
                state = status.group(1).lower() if status else "not stated"
                raise StageUnavailable(f"{self.title}: search {rid} ended as {state}")
            wait = self.poll_seconds
        raise StageUnavailable(
            f"{self.title}: search {rid} was asked for {self.polls} times and is not ready; "
            "ask later with it as rid"
        )


def _record(hit: Hit) -> Record:
    first, best = hit.description[0], max(hit.hsps, key=lambda p: p.bit_score, default=Pair())
    share = f"{100 * best.identity / best.align_len:.1f} %" if best.align_len else "unknown"
    return Record(
        id=first.accession or first.title[:60],
        text=f"{first.title} ({first.accession}): expect {best.evalue:.3g}, identity {share}",
        url=f"https://www.ncbi.nlm.nih.gov/search/all/?term={first.accession}",
    )
