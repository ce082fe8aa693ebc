"""The judge of the long night: what it lets pass, and what it finds."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from random import Random

import pytest

from benchmarks.night import process
from benchmarks.night.browser import UnnamedError, judged
from benchmarks.night.judge import NAMES, Night, Sample, faults, growth, table, write_csv

REST = Sample(
    minute=0.0,
    resident_mb=600.0,
    children=1,
    children_mb=60.0,
    threads=20,
    descriptors=40,
    uploads=0,
    temporary=0,
    cache=2,
    index=13,
)


def curve(per_minute: float, minutes: int = 60) -> tuple[Sample, ...]:
    """A curve that warms up for ten minutes, then rises; noise and a large file now and then."""
    chance = Random(1)
    return tuple(
        replace(
            REST,
            minute=float(n),
            resident_mb=700
            + 10 * min(n, 10)
            + per_minute * n
            + chance.uniform(-8, 8)
            + (150 if n % 13 == 0 else 0),
        )
        for n in range(1, minutes + 1)
    )


def night(samples: tuple[Sample, ...], *unnamed: str, **after: int) -> Night:
    return Night(before=REST, samples=samples, after=replace(REST, **after), unnamed=unnamed)


def test_a_curve_that_is_flat_after_its_first_quarter_passes():
    assert faults(night(curve(0.0))) == []


def test_a_leak_of_one_megabyte_a_minute_fails_the_night():
    reasons = faults(night(curve(1.0)))
    assert len(reasons) == 1
    assert "memory grew by" in reasons[0]
    added, level = growth(curve(1.0))
    assert added == pytest.approx(44, abs=6)
    assert level > 800


def test_memory_that_shrinks_is_no_leak():
    assert faults(night(curve(-2.0))) == []


@pytest.mark.parametrize(
    ("name", "more"),
    [("children", 1), ("threads", 30), ("descriptors", 60), ("uploads", 1), ("temporary", 1)],
)
def test_what_is_left_after_the_night_fails_it(name, more):
    reasons = faults(night(curve(0.0), **{name: getattr(REST, name) + more}))
    assert len(reasons) == 1
    assert reasons[0].startswith(f"{name} left")


def test_an_error_without_a_name_fails_the_night_and_is_counted():
    assert faults(night(curve(0.0), "ask: 500", "ask: 500")) == ["unnamed error: ask: 500, 2 times"]


def test_two_samples_prove_nothing():
    assert "fewer than 3 samples" in faults(night(curve(0.0, 2)))[0]


def test_the_curve_is_written_with_its_rest_before_and_after(tmp_path):
    one = night(curve(0.0))
    write_csv(one, tmp_path / "night.csv")
    lines = (tmp_path / "night.csv").read_text("utf-8").splitlines()
    assert lines[0].split(",") == list(NAMES)
    assert len(lines) == 1 + 62
    shown = table(one).splitlines()
    assert len(shown) == 2 + 12 + 2
    assert shown[-2].startswith("| 60 |")


@pytest.mark.parametrize(
    ("text", "error", "success"),
    [
        ("<p>Something went wrong on our side.</p>", None, True),
        ("", None, False),
        ("", "The search failed on a defect of the server; its log names the place", False),
    ],
)
def test_a_failure_without_a_reason_is_an_unnamed_error(text, error, success):
    with pytest.raises(UnnamedError):
        judged(text, error, success, "a search")


def test_a_refusal_in_words_is_no_error():
    assert judged("", "mode: choose one of hybrid, agentic", False, "a search").is_refused
    assert judged("<div class='notice notice-warn'>No</div>", None, True, "a search").is_refused
    assert not judged("<li>nnU-Net</li>", None, True, "a search").is_refused


def test_a_log_line_with_the_place_of_an_exception_is_a_defect(tmp_path):
    scratch = process.Scratch(root=tmp_path)
    scratch.log.write_text(
        "a request failed: KeyError at dense/stores.py:12 in search\n"
        "Milvus at 127.0.0.1 refused or did not answer (MilvusException); check that it runs\n"
        "Traceback (most recent call last):\n"
    )
    assert [line[5:20] for line in process.defects(scratch)] == [
        "a request faile",
        "Traceback (most",
    ]


@pytest.mark.process
def test_a_sample_counts_children_descriptors_and_files_of_a_real_process(tmp_path):
    scratch = process.Scratch(root=tmp_path)
    before = process.sample(os.getpid(), scratch, 0.0)
    with ExitStack() as stack:
        command = [sys.executable, "-c", "import time; time.sleep(60)", process.READER]
        child = stack.enter_context(subprocess.Popen(command))
        for name in ("uploads", "tmp"):
            stack.enter_context((scratch.folder(name) / "left").open("w"))
        during = process.sample(os.getpid(), scratch, 1.0)
        # Readers that earlier tests of this run keep ready end with it.
        assert process.kill_readers(os.getpid()) >= 1
        assert child.wait(10) < 0
    assert during.children == before.children + 1
    assert during.children_mb > before.children_mb
    assert during.descriptors >= before.descriptors + 2
    assert (during.uploads, during.temporary) == (1, 1)
    assert process.sample(os.getpid(), scratch, 2.0).children <= before.children


def test_another_catalog_keeps_every_record_but_one(tmp_path):
    scratch = process.prepared(tmp_path)
    before = scratch.catalog.read_text("utf-8").splitlines()
    process.change_catalog(scratch, 3)
    after = scratch.catalog.read_text("utf-8").splitlines()
    assert [n for n, pair in enumerate(zip(before, after, strict=True)) if len(set(pair)) > 1] == [
        3
    ]
    assert "Revision 3." in after[3]
