import gzip
import json
import os
import resource
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.scans import child
from retrieval.scans.dicom.walk import Walker
from retrieval.scans.front import read_scans
from retrieval.scans.limits import Limits
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reasons import Reason, Refused
from tests.scans.attacks import ITEM, deflated_bomb, sequence, timed, with_elements
from tests.scans.makers import dicom, nifti, smooth

pytestmark = pytest.mark.process


def test_a_2_mb_deflated_file_that_holds_2_gb_is_read_within_two_seconds(tmp_path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    upload, took = timed(deflated_bomb(tmp_path / "a.dcm", 2000))
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert "format:MRI" in upload.tokens
    assert took < 2
    assert max(after - before, 0) < 500 * 1024


@pytest.mark.parametrize("defined", [True, False])
def test_300_000_empty_sequence_items_are_passed_within_a_second(tmp_path, defined):
    body = ITEM * 300_000
    raw = (
        struct.pack("<HH2sHI", 8, 0x1140, b"SQ", 0, len(body)) + body if defined else sequence(body)
    )
    path = with_elements(tmp_path / "a", raw)
    plain = dicom(tmp_path / "b", "MR")
    found, without = ([timed(one, preview=False) for _ in range(2)] for one in (path, plain))
    assert all("format:MRI" in upload.tokens for upload, _ in found)
    # What the process takes to start is no part of it.
    assert min(took for _, took in found) - min(took for _, took in without) < 1


def test_nested_sequences_are_refused_without_recursion(tmp_path):
    opened = struct.pack("<HH2sHI", 8, 0x1140, b"SQ", 0, 0xFFFFFFFF)
    opened += struct.pack("<HHI", 0xFFFE, 0xE000, 0xFFFFFFFF)
    closed = struct.pack("<HHI", 0xFFFE, 0xE00D, 0) + struct.pack("<HHI", 0xFFFE, 0xE0DD, 0)
    upload, took = timed(with_elements(tmp_path / "a", opened * 50_000 + closed * 50_000))
    assert upload.refused[0].reason == "The header is nested deeper than any real scan."
    assert took < 2


def test_two_million_elements_end_within_two_seconds(tmp_path):
    raw = struct.pack("<HH2sH", 9, 0x10, b"LO", 2) + b"ab"
    upload, took = timed(with_elements(tmp_path / "a", raw * 2_000_000))
    assert took < 2.5
    assert upload.scans or upload.refused


@pytest.mark.parametrize("megabytes", [300, 1500])
def test_a_gzip_bomb_behind_a_good_header_is_read_from_the_header(tmp_path, megabytes):
    raw = nifti(tmp_path / "v.nii", smooth((5, 6, 7))).read_bytes()
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = packer.compress(raw) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    (tmp_path / "b.nii.gz").write_bytes(body + block * megabytes)
    upload, took = timed(tmp_path / "b.nii.gz")
    assert "format:3D" in upload.tokens
    assert took < 2


def test_a_gzip_name_field_without_end_is_refused(tmp_path):
    (tmp_path / "a.nii.gz").write_bytes(b"\x1f\x8b\x08\x08" + bytes(6) + b"A" * (8 << 20))
    upload, _ = timed(tmp_path / "a.nii.gz")
    assert upload.refused[0].reason == "The compressed content grows beyond the limit."


@pytest.mark.requirement("W15")
def test_a_zip_that_leaves_its_folder_is_refused_and_writes_nothing(tmp_path, ct):
    raw = ct.read_bytes()
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        for name in ("../slip.dcm", "/abs.dcm", "..\\win.dcm", "C:\\drive.dcm"):
            archive.writestr(name, raw)
    before = sorted(tmp_path.parent.iterdir())
    upload = read_scans([tmp_path / "z.zip"])
    assert upload.scans == ()
    assert {refused.member for refused in upload.refused} == {1, 2, 3, 4}
    assert sorted(tmp_path.parent.iterdir()) == before


@pytest.mark.requirement("W15")
def test_zips_are_bounded_in_members_depth_and_size(tmp_path, ct):
    raw = ct.read_bytes()
    many, inner, bomb = (tmp_path / f"{name}.zip" for name in ("many", "inner", "bomb"))
    with zipfile.ZipFile(many, "w") as archive:
        for k in range(3000):
            archive.writestr(f"{k}.dcm", b"x")
    with zipfile.ZipFile(inner, "w") as archive:
        archive.write(many, "a.zip")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.dcm", bytes(300 << 20))
        archive.writestr("b.dcm", raw)
    reasons = [read_scans([path]).refused[0].reason for path in (many, inner, bomb)]
    assert "more files" in reasons[0]
    assert "archive inside" in reasons[1]
    assert "none of the scan formats" in reasons[2]
    assert read_scans([bomb]).tokens == ("format:DICOM", "format:CT", "format:3D")


def test_a_locked_or_broken_zip_is_refused(tmp_path, ct):
    path = tmp_path / "z.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(ct, "a.dcm")
    raw = bytearray(path.read_bytes())
    (tmp_path / "cut.zip").write_bytes(raw[: len(raw) // 2])
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(raw)
    assert "damaged" in read_scans([tmp_path / "cut.zip"]).refused[0].reason
    assert "password" in read_scans([tmp_path / "locked.zip"]).refused[0].reason


def test_what_is_no_plain_file_is_refused_without_being_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.dcm")
    (tmp_path / "empty.nii").touch()
    (tmp_path / "folder").mkdir()
    paths = [tmp_path / name for name in ("pipe.dcm", "empty.nii", "folder", "gone")]
    reasons = [refused.reason for refused in read_scans(paths).refused]
    told = ("neither a plain file", "is empty", "no file in it", "no such file")
    assert all(part in reason for part, reason in zip(told, reasons, strict=True))


def test_a_file_that_ends_the_process_is_left_out_and_the_rest_is_read(monkeypatch, tmp_path):
    heights = {"good": 0, "deadly": 2, "also_good": 4}
    paths = [
        dicom(tmp_path / name, seed=height, ImagePositionPatient=[0, 0, height])
        for name, height in heights.items()
    ]
    run, runs = child._run, []

    def deadly(job, uploads, seconds, asked):
        skip = json.loads(job)["skip"]
        runs.append(skip)
        if [2, None] in skip:
            return (yield from run(job, uploads, seconds, asked))
        return child._Reply(at=(2, None))

    monkeypatch.setattr(child, "_run", deadly)
    upload = read_scans(paths, preview=False)
    assert runs == [[], [[2, None]]]
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")
    assert [(refused.index, refused.reason) for refused in upload.refused] == [
        (2, "The reader had to be stopped on this file; leave it out.")
    ]


def test_the_wall_clock_ends_a_reader_that_does_not_answer(ct):
    upload = read_scans([ct], limits=replace(Limits(), batch_s=0.0, batch_s_per_file=0.51))
    assert upload.scans or upload.refused


def test_files_that_were_not_reached_in_time_are_told_apart_from_those_that_end_the_reader(
    monkeypatch, ct
):
    def slow(job, uploads, seconds, asked):
        yield from ()
        return child._Reply(took=60.0, late=True)

    monkeypatch.setattr(child, "_run", slow)
    upload = read_scans([ct, ct])
    assert [one.reason for one in upload.refused] == [Reason.OUT_OF_TIME.text] * 2


def test_what_the_process_takes_to_be_there_is_no_part_of_the_time_for_files(monkeypatch, ct):
    times = iter([100.0, 100.5])
    monkeypatch.setattr(child, "monotonic", lambda: next(times))
    upload = read_scans([ct], preview=False)
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")
    assert list(times) == []


def test_the_reader_process_cannot_write_any_file_and_has_little_memory(tmp_path):
    code = (
        "from retrieval.scans.reader.worker import _confine\n"
        "from retrieval.scans.limits import Limits\n"
        "_confine(Limits(), 5)\n"
        "try:\n bytearray(2 << 30)\nexcept MemoryError: print('memory')\n"
        "try:\n open('x', 'wb', 0).write(b'1')\nexcept OSError: print('file')\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["memory", "file"]


def test_every_exception_inside_the_boundary_becomes_a_reason():
    def fails(error):
        def call():
            raise error

        return call

    errors = [RecursionError(), MemoryError(), ValueError("/a/path"), zlib.error(), struct.error()]
    assert all(isinstance(guarded(fails(error), 1), Reason) for error in errors)


def test_a_call_that_hangs_is_left_behind():
    def spins():
        while True:
            pass

    start = time.process_time()
    assert guarded(spins, 0.1) is Reason.TOO_SLOW
    assert time.process_time() - start < 1


def test_the_front_loads_neither_pydicom_nor_nibabel_nor_torch():
    heavy = ("torch", "gradio", "pydicom", "nibabel")
    code = f"import sys, retrieval.scans; print([m for m in {heavy} if m in sys.modules])"
    root = Path(__file__).parents[2]
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"


def test_gzip_cut_short_is_partial_facts_or_a_reason(tmp_path):
    raw = gzip.compress(nifti(tmp_path / "v.nii", smooth((20, 20, 20))).read_bytes())
    (tmp_path / "a.nii.gz").write_bytes(raw[: len(raw) // 2])
    (tmp_path / "b.nii.gz").write_bytes(raw[:20])
    upload = read_scans([tmp_path / "a.nii.gz", tmp_path / "b.nii.gz"])
    assert "truncated" in upload.scans[0].notes
    assert upload.refused[0].index == 2


def test_a_header_of_more_elements_than_any_real_scan_is_refused_by_its_own_reason():
    header = struct.pack("<HHI", 0x0008, 0x0005, 0) * 500_001
    walker = Walker(header, implicit=True)
    with pytest.raises(Refused) as refused:
        list(walker.elements(0, len(header)))
    assert refused.value.reason is Reason.TOO_MANY_ELEMENTS
