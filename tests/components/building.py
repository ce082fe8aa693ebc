"""Answers and uploads made by hand, for renderers."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from retrieval import (
    Answer,
    Candidate,
    Edge,
    Filters,
    Fit,
    Graph,
    Node,
    Query,
    ScanInfo,
    StageResult,
    Tool,
    Why,
)
from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import State
from retrieval.engine.snapshot import Mode

HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'"


def tool(id: str = "a", **facts) -> Tool:
    return Tool(**{"id": id, "name": id.upper(), "description": f"about {id}", **facts})


def candidate(one: Tool, score: float = 1.0, **more) -> Candidate:
    return Candidate(tool=one, score=score, **more)


def stage(name: str, *found: Candidate, **more) -> StageResult:
    return StageResult(
        name=name, state=State(query=Query(raw="", text=""), candidates=found), **more
    )


def answer(*stages: StageResult, text: str = "find", done: bool = True, **more) -> Answer:
    query = Query(raw=text, text=text, **more)
    last = stages[-1].state.candidates if stages else ()
    root = StageResult(
        name="hybrid",
        state=State(query=query, candidates=last),
        children=stages,
        listed=False,
    )
    mode = Mode(name="hybrid", pipeline=None, encoder="none")
    return Answer(
        mode=mode, query=query, result=root, catalog_sha256="0" * 64, total_ms=12.0, done=done
    )


CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3, shape=(4, 4, 3))
MR = ScanInfo(format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3)
UNKNOWN = ScanInfo(format=Format.NIFTI, dimension=Dimension.D3)


def upload(*scans: ScanInfo, **more):
    ledger = SimpleNamespace(
        files=1, read=("Modality",), name_words=("brain",), dropped=3, dropped_names=("name",)
    )
    given = {
        "scans": scans,
        "series": tuple(range(len(scans))),
        "refused": (),
        "findings": (),
        "role": None,
        "previews": (),
        "ledger": ledger,
        "picked": None,
        "partial": None,
        "places": tuple((n + 1, None) for n in range(len(scans))),
        "subjects": 1,
        "roles": ("registration", "PET + CT") if len(scans) > 1 else (),
        "search_tokens": tuple(dict.fromkeys(t for s in scans for t in s.tokens)),
    }
    return SimpleNamespace(**{**given, **more})


__all__ = [
    "CT",
    "HOSTILE",
    "MR",
    "UNKNOWN",
    "Edge",
    "Filters",
    "Fit",
    "Graph",
    "Node",
    "SimpleNamespace",
    "Why",
    "answer",
    "candidate",
    "replace",
    "stage",
    "tool",
    "upload",
]
