"""A reading that is stopped, or runs out of time, gives what was read until then, and says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest

from retrieval.core.types import PARTLY_READ
from retrieval.scans.front import stream_scans, stream_subjects
from retrieval.scans.limits import Halt, Limits, on_interrupt
from retrieval.scans.reader.batch import Batch, ReadingProgress
from retrieval.scans.reader.gather import gather
from retrieval.scans.spare import SPARE
from retrieval.scans.upload import Progress, Upload
from tests.scans.makers import nifti, series, smooth

pytestmark = pytest.mark.process

MANY = 4000
"""Files whose counts fill more than a pipe holds: their reader cannot be through by itself."""

AMPLE = Limits(batch_s=300.0, batch_s_most=300.0, files=6000, members=6000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Six slices of a CT, then thousands of small files that are no scan."""
    made = series(tmp_path_factory.mktemp("study") / "data", [0, 2, 4, 6, 8, 10])
    for n in range(MANY):
        (made / f"x{n:04}").write_bytes(b"x")
    return made


@pytest.fixture(scope="module")
def packed(folder, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("packed") / "study.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"data/{file.name}")
    return path


def stopped(read, path, after: int):
    """All that a stream gives that is stopped once so many files are through."""
    halt, seen = Halt(), []
    for part in read([path], halt=halt, limits=AMPLE):
        seen.append(part)
        if isinstance(part, Progress) and part.read >= after:
            halt.ask()
    return seen


@pytest.mark.parametrize("kind", ["folder", "packed"])
def test_a_stopped_reading_keeps_the_files_read_until_then(kind, request):
    *_, upload = stopped(stream_scans, request.getfixturevalue(kind), 8)
    assert isinstance(upload, Upload)
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")
    assert [scan.files for scan in upload.scans] == [6]
    told = upload.partial
    assert told is not None
    assert (told.of, told.cause) == (MANY + 6, "stopped")
    assert 8 <= told.read < told.of
    assert upload.ledger.files == told.read
    assert told.text == f"Stopped after {told.read} of {told.of} files; what was read is used."


def test_each_file_is_told_as_it_is_taken_up(tmp_path):
    data = series(tmp_path / "s", [0, 2, 4, 6])
    *told, upload = stream_scans([data])
    assert told == [Progress(read=n, of=4) for n in range(4)]
    assert isinstance(upload, Upload)
    assert upload.partial is None


def test_a_series_read_in_part_is_named_so_and_its_gaps_prove_nothing(tmp_path):
    data = series(tmp_path / "s", [0, 2, 4, 12, 14, 16, 18])
    progress = ReadingProgress(
        of=7, until=float("inf"), say=lambda _: None, stopped=lambda: progress.read > 4
    )
    told = Batch(gather([data], Limits()), Limits(), progress, preview=False).answer()
    assert progress.partial == {"read": 5, "of": 7, "cause": "stopped"}
    assert told["scans"][0]["notes"] == (PARTLY_READ,)
    assert told["scans"][0]["spacing"] is None
    assert told["ledger"]["files"] == 5


def test_a_file_that_is_whole_in_itself_is_whole_in_a_reading_cut_short(tmp_path):
    nifti(tmp_path / "d" / "a.nii", smooth((8, 9, 10)))
    nifti(tmp_path / "d" / "b.nii", smooth((8, 9, 10)))
    progress = ReadingProgress(
        of=2, until=float("inf"), say=lambda _: None, stopped=lambda: progress.read > 0
    )
    told = Batch(gather([tmp_path / "d"], Limits()), Limits(), progress, preview=False).answer()
    assert [PARTLY_READ in scan["notes"] for scan in told["scans"]] == [False]
    assert progress.cause == "stopped"


def test_a_stop_after_the_last_file_cuts_nothing_short(tmp_path):
    data = series(tmp_path / "s", [0, 2, 4])
    progress = ReadingProgress(
        of=3, until=float("inf"), say=lambda _: None, stopped=lambda: progress.read > 2
    )
    Batch(gather([data], Limits()), Limits(), progress, preview=False).answer()
    assert progress.partial is None


def test_a_reading_stopped_before_it_began_reads_nothing(ct):
    halt = Halt()
    halt.ask()
    *_, upload = stream_scans([ct], halt=halt)
    assert isinstance(upload, Upload)
    assert upload.scans == upload.refused == ()
    assert upload.partial is not None
    assert upload.partial.text == "Stopped after 0 of 1 file; what was read is used."


def test_where_the_time_is_used_up_the_files_read_are_kept(folder):
    """A tiny share of the clock is for reading: some files are read, never none, never all."""
    limits = replace(AMPLE, reading_part=1e-9)
    *_, upload = stream_scans([folder], limits=limits)
    assert isinstance(upload, Upload)
    assert upload.partial is not None
    assert upload.partial.text == f"The time was used up after 1 of {MANY + 6} files; " + (
        "what was read is used."
    )
    assert [scan.files for scan in upload.scans] == [1]


def test_a_stopped_cohort_keeps_the_subjects_read_until_then(folder, tmp_path):
    for name in ("sub-01", "sub-02"):
        series(tmp_path / "c" / name, [0, 2, 4])
    folder.rename(tmp_path / "c" / "sub-03")
    try:
        *_, uploads = stopped(stream_subjects, tmp_path / "c", 13)
    finally:
        (tmp_path / "c" / "sub-03").rename(folder)
    assert isinstance(uploads, tuple)
    assert [len(one.scans) for one in uploads] == [1, 1, 1]
    assert [one.partial is None for one in uploads] == [True, True, False]
    assert [one.scans[0].complete for one in uploads] == [True, True, False]
    assert uploads[2].partial is not None
    assert uploads[2].partial.of == MANY + 12


def test_subjects_that_were_not_begun_are_not_told_of(folder, tmp_path):
    halt = Halt()
    halt.ask()
    for name in ("a", "b"):
        series(tmp_path / "c" / name, [0, 2, 4])
    *_, uploads = stream_subjects([tmp_path / "c"], halt=halt)
    assert isinstance(uploads, tuple)
    assert len(uploads) == 1
    assert uploads[0].partial is not None
    assert (uploads[0].partial.read, uploads[0].partial.of) == (0, 6)


@pytest.fixture
def no_spare():
    """No reader of an earlier test waits, so that each reading starts one of its own."""
    SPARE.end()


@pytest.mark.usefixtures("no_spare")
def test_a_reader_that_does_not_answer_after_a_stop_is_ended(folder):
    """The process is held still, so that only the clock that Stop starts can end it."""
    halt, before = Halt(), _children()
    reading = stream_scans([folder], limits=replace(AMPLE, stop_s=1.0), halt=halt)
    next(reading)
    for pid in _children() - before:
        os.kill(int(pid), signal.SIGSTOP)
    halt.ask()
    *_, upload = reading
    assert isinstance(upload, Upload)
    assert upload.scans == ()
    assert upload.partial or upload.refused


@pytest.mark.usefixtures("no_spare")
def test_an_abandoned_reading_leaves_no_process(folder):
    before = _children()
    reading = stream_scans([folder], limits=AMPLE)
    next(reading)
    running = _children() - before
    assert running
    reading.close()
    assert not running & _children()


def _children() -> set[str]:
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    if not listed.exists():
        pytest.skip("this system does not list the children of a process")
    return set(listed.read_text().split())


@pytest.fixture
def ctrl_c():
    """What Ctrl-C is in the foreground; a background job of a shell ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_asks_once_and_is_itself_again(ctrl_c):
    with on_interrupt() as halt:
        assert not halt.requested
        signal.raise_signal(signal.SIGINT)
        assert halt.requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is ctrl_c


def test_ctrl_c_that_is_ignored_stays_so(ctrl_c):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with on_interrupt() as halt:
        signal.raise_signal(signal.SIGINT)
    assert not halt.requested


def test_ctrl_c_in_a_terminal_does_not_reach_the_reader(folder):
    """The reader is no part of the group that a terminal's Ctrl-C goes to."""
    before = _children()
    reading = stream_scans([folder], limits=AMPLE)
    next(reading)
    groups = [os.getpgid(int(pid)) for pid in _children() - before]
    reading.close()
    assert groups
    assert os.getpgrp() not in groups


def test_a_reader_whose_parent_is_gone_ends(folder):
    code = (
        "import sys, os\n"
        "from retrieval.scans import stream_scans\n"
        "from retrieval.scans.limits import Limits\n"
        "reading = stream_scans([sys.argv[1]], limits=Limits(batch_s=300.0, batch_s_most=300.0))\n"
        "next(reading)\n"
        "print(open(f'/proc/self/task/{os.getpid()}/children').read(), flush=True)\n"
        "os._exit(0)\n"
    )
    root = Path(__file__).parents[2]
    said = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    readers = said.stdout.split()
    assert readers
    for pid in readers:
        _wait_until_gone(int(pid))


def _wait_until_gone(pid: int) -> None:
    """Returns once the process is through, with its parent to bury it or without."""
    place, end = Path(f"/proc/{pid}/stat"), monotonic() + 120
    while place.exists() and place.read_text().rpartition(")")[2].split()[0] != "Z":
        assert monotonic() < end, "the reader goes on without a parent"
        sleep(0.05)
