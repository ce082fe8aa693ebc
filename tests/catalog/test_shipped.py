"""What comes with a clone: the catalog, its facts, its vectors (W9)."""

from __future__ import annotations

import json
from datetime import date

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.catalog.report import report_of
from retrieval.catalog.vocabulary import catalog_terms
from retrieval.dense.folder import text_hash
from retrieval.dense.templates import template_text
from retrieval.fit.licence import licence_fit
from retrieval.settings import ROOT, Settings
from retrieval.wiring.index.indexes import HYBRID, PLAZA, folder_of

SETTINGS = Settings(_env_file=None)
CATALOG = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl")
LINES = (ROOT / "assets" / "catalog" / "tools.jsonl").read_text("utf-8").splitlines()

NAMED = """
totalsegmentator nnunet lungmask 3d_lungs_segmentation deepinv pyxu sdfstudio dhsegment
labelgraph scikit_image_slic 3d_slicer itk_snap ants elastix fsl spm freesurfer fastsurfer hd_bet
synthseg dcm2niix cellpose stardist qupath napari fiji ohif scanpy_preprocess leiden_clustering
scrublet_doublet_detection harmony_batch_correction celltypist_annotation
"""


@pytest.mark.requirement("W9")
def test_a_clone_has_tools_and_they_are_the_default():
    assert SETTINGS.catalog == ROOT / "assets" / "catalog" / "tools.jsonl"
    assert len(CATALOG.records) >= 100


def test_no_line_is_refused():
    assert CATALOG.refused == ()
    assert [note for note in CATALOG.notes if "left out" in note.text] == []
    assert len(LINES) == len(CATALOG.records)


def test_ids_are_unique_and_sorted():
    ids = [json.loads(line)["id"] for line in LINES]
    assert ids == sorted(set(ids))


def test_names_are_unique():
    names = [r.name.casefold() for r in CATALOG.records]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("tool", NAMED.split())
def test_the_tools_that_the_requirement_cases_name_are_there(tool):
    assert tool in CATALOG.fingerprints


def test_no_filled_fact_is_without_a_source():
    assert {r.id: r.unsourced() for r in CATALOG.records if r.unsourced()} == {}


def test_sources_vouch_only_for_fields_that_there_are():
    fields = set(type(CATALOG.records[0]).model_fields)
    for record in CATALOG.records:
        assert {f for s in record.sources for f in s.facts} <= fields, record.id
        assert record.checked_on is not None, record.id


def test_descriptions_have_25_to_80_words_and_are_nobody_elses_twice():
    lengths = {r.id: len(r.description.split()) for r in CATALOG.records}
    assert {i: n for i, n in lengths.items() if not 25 <= n <= 80} == {}
    assert len({r.description for r in CATALOG.records}) == len(CATALOG.records)


def test_every_link_between_tools_leads_to_one():
    known = set(CATALOG.fingerprints)
    for record in CATALOG.records:
        linked = {*record.requires_tool, *record.compatible_with, *record.co_used_with}
        assert linked <= known - {record.id}, record.id


@pytest.mark.parametrize("template", [HYBRID, PLAZA])
def test_the_shipped_vectors_are_those_of_the_shipped_catalog(template):
    stored = folder_of(ROOT / "assets" / "index", template).load()
    assert stored.meta.catalog_sha256 == CATALOG.sha256
    assert (stored.meta.model, stored.meta.dim, stored.meta.template) == (
        SETTINGS.encoder,
        384,
        template,
    )
    texts = {t.id: text_hash(template_text(template, t)) for t in CATALOG.tools}
    assert stored.meta.texts == texts
    assert stored.meta.ids == tuple(texts)
    assert stored.meta.fingerprints == CATALOG.fingerprints


def test_the_shipped_terms_are_those_of_the_shipped_catalog():
    stored = folder_of(ROOT / "assets" / "index", HYBRID).load()
    assert stored.terms == catalog_terms(CATALOG.tools)
    assert stored.term_vectors.shape == (len(stored.terms), 384)


def test_tools_are_tied_to_others_by_what_their_records_state():
    linked = [r for r in CATALOG.records if r.requires_tool or r.co_used_with or r.compatible_with]
    assert len(linked) > len(CATALOG.records) / 4


def test_imaging_records_state_the_facts_that_decide_whether_a_tool_fits():
    report = report_of(CATALOG, date(2026, 1, 1))
    assert report.records >= 450
    assert report.imaging >= 350
    assert report.records - report.imaging >= 100
    shares = {fill.field: fill.imaging_share for fill in report.fill}
    for field in ("tasks", "modalities", "dimensions", "formats_in"):
        assert shares[field] >= 0.8, field
    assert shares["license"] >= 0.7
    assert shares["species"] >= 0.9


def test_feature_12_licences_of_weights_and_training_data_are_stated_where_a_source_states_them():
    weights = {r.id: r.license_weights for r in CATALOG.records if r.license_weights}
    data = {r.id: r.license_data for r in CATALOG.records if r.license_data}
    assert len(weights.keys() | data.keys()) >= 20
    assert len(data) >= 8
    assert (weights["nninteractive"], data["cellpose"]) == (
        "CC-BY-NC-SA-4.0",
        "LicenseRef-CC-BY-NonCommercial",
    )
    tools = {tool.id: tool for tool in CATALOG.tools}
    failed = {
        fit.fact
        for fit in licence_fit(tools["nninteractive"], "commercial product")
        if fit.verdict == "fail"
    }
    assert failed == {"licence of the weights"}
