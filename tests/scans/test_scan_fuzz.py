import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.scans.front import read_each
from retrieval.scans.limits import Limits
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.table import READERS
from tests.scans import makers
from tests.scans.format_cases import CASES

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
CASES_IN_CHILD, CASES_THROUGH_THE_BOUNDARY = 10_000, 200


@pytest.fixture(scope="module")
def seeds(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    for name, (make, _, _) in CASES.items():
        make(folder / f"{name.replace(' ', '_').replace('/', '_')}.bin")
    makers.dicom(folder / "ct.dcm")
    makers.enhanced(folder / "enhanced.dcm", [0, 3, 6])
    makers.nifti(folder / "a.nii", makers.smooth((8, 9, 7)))
    makers.nifti(folder / "b.nii.gz", makers.smooth((8, 9, 7)))
    return folder


def test_ten_thousand_byte_flips_over_all_readers_raise_nothing_and_hang_nowhere(seeds):
    job = [sys.executable, Path(__file__).with_name("fuzz_readers.py"), seeds, str(CASES_IN_CHILD)]
    ran = subprocess.run(
        job,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    said = json.loads(ran.stdout.splitlines()[-1])
    assert said["cases"] == CASES_IN_CHILD
    assert said["slowest"] < 1.5


def test_two_hundred_byte_flips_through_the_whole_boundary_give_an_upload_each(seeds, tmp_path):
    dice = random.Random(8)
    paths, originals = [], sorted(seeds.iterdir())
    for k in range(CASES_THROUGH_THE_BOUNDARY):
        raw = bytearray(originals[k % len(originals)].read_bytes())
        for _ in range(4):
            raw[dice.randrange(min(len(raw), 2000))] = dice.randrange(256)
        paths.append(tmp_path / str(k) / "upload")
        paths[-1].parent.mkdir()
        paths[-1].write_bytes(raw)
    uploads = read_each(paths)
    assert len(uploads) == CASES_THROUGH_THE_BOUNDARY
    assert all(upload.scans or upload.refused for upload in uploads)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(READERS), st.binary(max_size=1500))
def test_any_bytes_given_to_any_reader_end_as_facts_or_a_reason(reader, raw):
    blob = makers.blob(raw or b"\0")
    context = Context([blob], Limits())
    found = guarded(lambda: reader.read(blob, context), 2.0)
    assert found is not None


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_sniffing_any_bytes_raises_nothing(raw):
    assert all(reader.sniff(raw) in (True, False) for reader in READERS)
