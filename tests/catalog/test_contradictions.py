"""Facts of a record that cannot all be true."""

from __future__ import annotations

import pytest

from retrieval.catalog.contradictions import contradictions
from retrieval.catalog.load import load_catalog
from retrieval.catalog.record import Record
from retrieval.settings import ROOT


def contradicted(**fields):
    plain = {"id": "a", "name": "A", "description": "d"}
    return [(c.id, c.field) for c in contradictions(Record.model_validate({**plain, **fields}))]


def line(kind, text):
    return {"kind": kind, "line": text}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"gpu": "none", "install": [line("pip", "pip install a[cuda12]")]}, "gpu"),
        ({"gpu": "none", "requirements": {"gpu_gb": 8}}, "gpu"),
        ({"interfaces": ["plugin"], "platforms": ["Linux", "Neurodesk"]}, "platforms"),
        ({"languages": ["C++"], "install": [line("pip", "pip install a")]}, "languages"),
        ({"languages": ["Python"], "install": [line("R", "install.packages('a')")]}, "languages"),
        ({"install": [line("download", "Get it [here](https://a.example)")]}, "install"),
        ({"install": [line("source", "run a --in path/to/images")]}, "install"),
        ({"species": ["any", "mouse"]}, "species"),
        ({"species": ["human"], "domain": "preclinical"}, "species"),
        ({"species": ["mouse"], "modalities": ["MG"]}, "species"),
        ({"formats_in": ["CSV"], "requirements": {"data": ["image"]}}, "formats_in"),
        ({"formats_in": ["NIfTI"], "requirements": {"data": ["image", "surface"]}}, "formats_in"),
        ({"formats_in": ["NIfTI"], "requirements": {"data": ["streamlines"]}}, "formats_in"),
        ({"tasks": ["segmentation"], "requirements": {"data": ["label"]}}, "requirements.data"),
        ({"last_commit": "2026-01-21", "last_release": "2026-09"}, "last_commit"),
        ({"last_commit": "2026-09-28", "last_release": "2026-09-29"}, "last_commit"),
    ],
)
def test_facts_that_exclude_each_other_are_found(fields, field):
    assert contradicted(**fields) == [("a", field)]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {
            "gpu": "none",
            "install": [line("pip", "pip install a"), line("pip", "pip install a[gpu]")],
        },
        {"gpu": "optional", "install": [line("pip", "pip install a[cuda12]")]},
        {"interfaces": ["plugin"], "platforms": ["Fiji"]},
        {"interfaces": ["plugin"], "requires_tool": ["b"]},
        {"interfaces": ["plugin", "web"]},
        {"install": [line("pip", "pip install a")]},
        {"install": [line("download", "https://a.example/files")]},
        {"install": [line("download", "curl -fLO https://a.example/a.zip")]},
        {"languages": ["Python", "C++"], "install": [line("pip", "pip install a")]},
        # A wheel can carry a compiled command.
        {
            "languages": ["C++"],
            "interfaces": ["command line"],
            "install": [line("pip", "pip install a")],
        },
        {"languages": ["TypeScript"], "install": [line("npm", "npm install a")]},
        {"species": ["mouse", "human"], "domain": "preclinical", "modalities": ["CT"]},
        {"species": ["any"], "modalities": ["dermoscopy"]},
        {"modalities": ["MG"], "domain": "preclinical"},
        {"requirements": {"data": ["surface"]}},
        {"formats_in": ["CSV", "TIFF"], "requirements": {"data": ["image", "table"]}},
        {"formats_in": ["BIDS"], "requirements": {"data": ["image", "surface"]}},
        {"tasks": ["measurement", "segmentation"], "requirements": {"data": ["label"]}},
        {"last_commit": "2026-09-02", "last_release": "2026-09"},
    ],
)
def test_facts_that_go_together_are_left_alone(fields):
    assert contradicted(**fields) == []


def test_a_contradiction_names_record_field_and_remedy():
    record = Record(id="a", name="A", description="d", interfaces=["plugin"])
    assert [str(c) for c in contradictions(record)] == [
        "a: platforms: a plugin without a program that hosts it; add the host to platforms"
    ]


def test_no_record_of_the_shipped_catalog_contradicts_itself():
    catalog = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl")
    problems = [c for r in catalog.records for c in contradictions(r)]
    assert [str(c) for c in problems] == []
