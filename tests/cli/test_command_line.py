"""The command line of contract.md: JSON on stdout, words on stderr.

What a process alone shows (its streams and their encoding, its code, its wait for an index) runs as
one; what the commands answer and refuse is the same inside the process of the tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian, generate_uid

from retrieval.settings import ROOT
from tests.commands import one_line

pytestmark = pytest.mark.process


@pytest.fixture
def ct(tmp_path) -> Path:
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = CTImageStorage
    meta.MediaStorageSOPInstanceUID = generate_uid()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    scan = FileDataset(None, {}, file_meta=meta, preamble=b"\0" * 128)
    scan.SOPClassUID, scan.SOPInstanceUID = CTImageStorage, meta.MediaStorageSOPInstanceUID
    scan.SeriesInstanceUID = scan.StudyInstanceUID = generate_uid()
    scan.Modality, scan.PatientName, scan.PatientID = "CT", "DOE^JANE", "SECRET1971"
    scan.ImageType = ["ORIGINAL", "PRIMARY", "AXIAL"]
    scan.Rows, scan.Columns, scan.InstanceNumber = 16, 16, 1
    scan.PixelSpacing, scan.SliceThickness = [0.7, 0.7], 2.0
    scan.ImagePositionPatient, scan.ImageOrientationPatient = [0, 0, 0], [1, 0, 0, 0, 1, 0]
    scan.SamplesPerPixel, scan.PhotometricInterpretation = 1, "MONOCHROME2"
    scan.BitsAllocated = scan.BitsStored = 16
    scan.HighBit, scan.PixelRepresentation = 15, 1
    scan.RescaleIntercept, scan.RescaleSlope = -1024, 1
    scan.PixelData = np.zeros((16, 16), np.int16).tobytes()
    path = tmp_path / "scan.dcm"
    scan.save_as(path, enforce_file_format=True)
    return path


@pytest.mark.requirement("S1-01")
def test_a_scan_and_a_task_give_the_exact_search_text_and_one_json_object(process, ct):
    before = ct.read_bytes()
    done = process("search", "segment lungs", "--file", ct, "--json")
    told = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert told["query"]["search_text"] == "segment lungs format:DICOM format:CT format:3D"
    assert any(s["name"] == "fit" and s["status"] == "ok" for s in told["stages"])
    assert ct.read_bytes() == before
    assert "DOE" not in done.stdout + done.stderr
    assert "SECRET1971" not in done.stdout + done.stderr


def test_without_json_a_readable_table_is_printed(process):
    text = process("search", "segment lungs").stdout
    assert text.startswith("segment lungs  [hybrid]")
    assert "fused/bm25" in text


def test_an_unreadable_file_is_named_by_its_position_and_the_query_still_runs(
    command, ct, tmp_path
):
    junk = tmp_path / "DOE_JANE.dcm"
    junk.write_bytes(b"junk")
    done = command("search", "segment lungs", "--file", ct, "--file", junk, "--json")
    told = json.loads(done.stdout)
    assert [(r["index"], bool(r["reason"])) for r in told["refused"]] == [(2, True)]
    assert told["candidates"]
    assert "DOE_JANE" not in done.stdout + done.stderr
    assert junk.read_bytes() == b"junk"


def test_only_unreadable_files_and_no_text_is_an_answer_with_its_reason(command, tmp_path):
    junk = tmp_path / "junk.dcm"
    junk.write_bytes(b"junk")
    told = json.loads(command("search", "", "--file", junk, "--json").stdout)
    assert told["metadata"]["reason"] == "invalid_files"


@pytest.mark.parametrize("top_k", ["0", "-1", "51", "1000"])
def test_a_top_k_outside_one_to_fifty_is_a_usage_error(command, top_k):
    assert f"--top-k: {top_k} is outside 1 to 50" in one_line(
        command("search", "x", "--top-k", top_k, code=2)
    )


@pytest.mark.parametrize("top_k", [7, 50])
def test_top_k_is_how_many_candidates_come(command, top_k):
    told = json.loads(command("search", "segment images", "--top-k", top_k, "--json").stdout)
    assert len(told["candidates"]) == top_k


def test_exclusions_filters_and_no_rerank_do_what_the_controls_of_the_page_do(command):
    options = ("--exclude", "lungmask", "--filter", "modality=ct", "--no-rerank", "--json")
    told = json.loads(command("search", "segment lungs", *options).stdout)
    assert told["query"]["excluded"] == ["lungmask"]
    assert told["query"]["filters"]["modalities"] == ["CT"]
    assert told["query"]["rerank"] is False
    states = [c["supporting_data"]["modalities"] for c in told["candidates"]]
    assert states
    assert all("CT" in modalities for modalities in states)
    assert "lungmask" not in {c["id"] for c in told["candidates"]}


def test_purpose_and_machine_are_held_against_every_tool(command):
    options = ("--purpose", "commercial product", "--machine", "memory=16,system=Linux", "--json")
    told = json.loads(command("search", "segment lungs", *options).stdout)
    wishes = [(w["kind"], w["value"], w["strength"]) for w in told["query"]["understood"]]
    assert wishes[:3] == [
        ("purpose", "commercial", "wanted"),
        ("memory", "16 GB", "wanted"),
        ("system", "Linux", "wanted"),
    ]
    facts = {fit["fact"] for c in told["candidates"] for fit in c["fit"]}
    assert facts >= {"purpose", "memory", "system"}
    refused = one_line(command("search", "x", "--machine", "colour=red", code=2))
    assert "machine: 'colour=red'; write gpu=yes" in refused


def test_an_exclusion_that_names_no_tool_says_so_and_offers_the_near_name(command):
    shown = command("search", "segment lungs", "--exclude", "lungmsk").stdout
    assert "not excluded: no tool is called 'lungmsk'; did you mean lungmask?" in shown


@pytest.mark.parametrize("pair", ["colour=red", "licence", "licence=", "modality=smell"])
def test_a_filter_that_no_tool_can_pass_is_a_usage_error(command, pair):
    assert "filter: " in one_line(command("search", "x", "--filter", pair, code=2))


def test_an_unknown_mode_is_a_usage_error_that_lists_the_modes(command):
    told = one_line(command("search", "x", "--mode", "hybird", code=2))
    assert "hybird" in told
    assert "hybrid, biocortex, plaza" in told


@pytest.mark.parametrize("text", ["", "   ", "[NO_RERANK]"])
def test_an_empty_text_without_a_file_is_a_usage_error(command, text):
    line = one_line(command("search", text, code=2))
    assert line.startswith(
        ("TEXT is empty and there is no --file; ", "text: nothing to look for; ")
    )


WRONG = [
    ([], "command"),
    (["find"], "'find'"),
    (["search", "x", "--colour"], "--colour"),
    (["search"], "text"),
    (["search", "x", "--top-k", "many"], "--top-k"),
    (["scan"], "paths"),
    (["evaluate"], "--beir"),
]


@pytest.mark.parametrize(("args", "wrong"), WRONG)
def test_wrong_usage_is_one_readable_line_that_names_what_is_wrong(command, args, wrong):
    line = one_line(command(*args, code=2))
    assert line.startswith("python -m retrieval")
    assert wrong in line


@pytest.mark.parametrize(("args", "wrong"), [*WRONG[:3], (["search", "x", "--top-k=0"], "--top-k")])
def test_a_process_ends_with_one_line_and_code_2_after_wrong_usage(process, args, wrong):
    assert wrong in one_line(process(*args, code=2))


def test_a_wrong_setting_is_named_in_one_line(process):
    assert "SCANSCOUT_TOP_K" in one_line(process("search", "x", code=2, SCANSCOUT_TOP_K="99"))


def test_a_catalog_that_is_not_there_is_one_line(command, tmp_path):
    gone = str(tmp_path / "gone.jsonl")
    line = one_line(command("search", "x", code=2, SCANSCOUT_CATALOG=gone))
    assert line.startswith("SCANSCOUT_CATALOG: gone.jsonl")
    assert "catalog" in one_line(command("sync", "--catalog", gone, code=2))


@pytest.mark.requirement("S1-05")
def test_an_excluded_tool_is_nowhere_in_the_answer(command):
    told = json.loads(command("search", "segment lungs [EXCLUDE:lungmask]", "--json").stdout)
    assert "lungmask" not in [c["id"] for s in told["stages"] for c in s["candidates"]]
    assert "lungmask" not in [c["id"] for c in told["candidates"]]
    assert "lungmask" not in [n["id"] for n in told["graph"]["nodes"]]


def test_no_result_is_an_answer(command):
    told = json.loads(command("search", "xyzzyplugh", "--mode", "keyword", "--json").stdout)
    assert (told["candidates"], told["metadata"]["reason"]) == ([], "no_suitable_tool")


def test_text_that_is_no_utf_8_is_answered(process):
    done = process("search", "segment \udce9 lungs 肺", "--json")
    assert json.loads(done.stdout)["candidates"]


def test_a_reader_that_hangs_up_early_is_no_defect(light_folders):
    line = f"{sys.executable} -m retrieval search 'segment lungs' --json | head -c 10"
    told = {**os.environ, **light_folders}
    done = subprocess.run(
        line, shell=True, cwd=ROOT, env=told, capture_output=True, text=True, timeout=100
    )
    assert "Traceback" not in done.stderr


def test_scan_prints_tokens_scans_and_refusals(process, ct):
    told = json.loads(process("scan", ct, "--json").stdout)
    assert told["tokens"] == ["format:DICOM", "format:CT", "format:3D"]
    assert [s["modality"] for s in told["scans"]] == ["CT"]
    assert told["refused"] == []


def test_scan_each_prints_one_compact_line_a_path_in_order(command, ct, tmp_path):
    junk = tmp_path / "junk.dcm"
    junk.write_bytes(b"junk")
    done = command("scan", ct, junk, tmp_path / "missing.nii", ct, "--each", "--json")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [len(t["scans"]) for t in told] == [1, 0, 0, 1]
    assert [r["index"] for t in told for r in t["refused"]] == [2, 3]
    assert ct.is_file()
    assert junk.is_file()


def test_what_is_json_in_any_case_may_be_asked_for_as_json_too(command, ct):
    told = json.loads(command("cohort", "segment lungs", ct.parent, "--json").stdout)
    assert {"subjects", "groups", "findings", "refused"} <= set(told)


@pytest.mark.model
@pytest.mark.usefixtures("onnx_encoder")
@pytest.mark.requirement("S1-20")
def test_sync_counts_and_a_second_one_keeps_all(process, model_settings, tmp_path):
    catalog, index = tmp_path / "own.jsonl", tmp_path / "own"
    command = partial(process, SCANSCOUT_CACHE_DIR=str(model_settings.cache_dir))
    record = {"id": "a", "name": "A", "description": "segments lungs"}
    catalog.write_text(f"{json.dumps(record)}\nnonsense\n")
    first = json.loads(command("sync", "--catalog", catalog, "--index", index).stdout)
    assert (first["read"], first["added"], first["kept"]) == (1, 1, 0)
    assert [r["line"] for r in first["refused"]] == [2]
    second = json.loads(command("sync", "--json", "--catalog", catalog, "--index", index).stdout)
    assert (second["kept"], second["added"], second["updated"], second["removed"]) == (1, 0, 0, 0)
    live = index / (index / "CURRENT").read_text().split("\n")[0]
    assert {"index.faiss", "meta.json"} <= {p.name for p in live.iterdir()}
    catalog.write_text(json.dumps({**record, "demo_url": "https://example.org"}))
    third = json.loads(command("sync", "--catalog", catalog, "--index", index).stdout)
    assert (third["updated"], third["kept"]) == (1, 0)
