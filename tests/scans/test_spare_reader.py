"""A reader that waits for its job, and what one upload says of its subjects."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from retrieval.scans import read_scans, spare
from retrieval.scans.spare import SPARE, Spare, keep_reader_ready

pytestmark = pytest.mark.process


@pytest.fixture
def volume(tmp_path):
    def made(name: str) -> Path:
        path = tmp_path / name
        image = nib.Nifti1Image(np.zeros((6, 6, 6), np.int16), np.eye(4))
        nib.save(image, path)
        return path

    return made


@pytest.fixture
def kept():
    keep_reader_ready()
    yield SPARE
    SPARE.end()


def test_a_reader_waits_before_the_first_file_and_another_after_it(kept, volume):
    first = kept._waiting
    assert read_scans([volume("a.nii.gz")], preview=False).scans
    assert first.poll() is not None
    second = kept._waiting
    assert second.pid != first.pid
    assert second.poll() is None


def test_a_waiting_reader_answers_sooner_than_a_new_one(kept, volume):
    path, took = volume("a.nii.gz"), []
    time.sleep(6)  # the time a new process needs on a busy machine
    for keep in (True, False):
        if not keep:
            kept.end()
        begin = time.perf_counter()
        assert read_scans([path], preview=False).scans
        took.append(time.perf_counter() - begin)
    assert took[0] < took[1] / 2


LINGERS = "from retrieval.scans.reader import worker; worker.main(); import time; time.sleep(60)"


def test_facts_do_not_wait_for_the_end_of_the_process_that_read_them(monkeypatch, volume):
    def started():
        command = [sys.executable, "-P", "-c", LINGERS]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return subprocess.Popen(command, **pipes, env=spare.environment())

    monkeypatch.setattr(spare, "started", started)
    path, begin = volume("a.nii.gz"), time.perf_counter()
    assert read_scans([path], preview=False).scans
    assert time.perf_counter() - begin < 50


def test_nothing_waits_unless_somebody_asked_and_a_dead_reader_is_replaced():
    one = Spare()
    one.refill()
    assert one._waiting is None
    one.keep()
    os.kill(one._waiting.pid, 9)
    one._waiting.wait()
    process = one.take()
    assert process.poll() is None
    process.kill()
    process.wait()
    one.end()


def test_six_subjects_are_neither_one_person_nor_longitudinal(volume):
    upload = read_scans([volume(f"sub-0{n}_T1w.nii.gz") for n in range(1, 7)], preview=False)
    assert (upload.subjects, upload.role, len(upload.scans)) == (6, None, 6)
    assert upload.places == tuple((n, None) for n in range(1, 7))
