"""Counts and times as Prometheus reads them, of real searches, without a visitor's words."""

from __future__ import annotations

import re

from components.serve import monitored
from components.server import Metrics
from retrieval import Settings
from tests.fakes import small_engine

LINE = re.compile(r'scanscout_[a-z_]+\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\} [0-9.]+')


def counted(*texts):
    engine, metrics = small_engine(), Metrics()
    engine.watchers.append(metrics.observe)
    for text in texts:
        engine.run(text)
    return metrics.text()


def test_every_line_is_in_the_format_and_names_no_word_of_a_visitor():
    text = counted("segment lungs of Doe", "register brains of Doe")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) > 100
    assert all(LINE.fullmatch(line) for line in lines)
    assert "Doe" not in text


def test_searches_stages_and_times_add_up():
    text = counted("segment lungs", "segment lungs", "convert DICOM")
    assert 'scanscout_searches_total{mode="hybrid",outcome="listed"} 3' in text
    assert 'scanscout_search_seconds_count{mode="hybrid"} 3' in text
    assert 'scanscout_stage_runs_total{mode="hybrid",stage="fused/dense",status="ok"} 3' in text
    buckets = re.findall(r'stage_seconds_bucket\{mode="hybrid",stage="fused/dense".*\} (\d+)', text)
    assert [int(one) for one in buckets] == sorted(map(int, buckets))
    assert buckets[-1] == "3"


def test_nothing_is_counted_unless_the_setting_says_so():
    engine = small_engine()
    assert monitored(engine, Settings(_env_file=None)).metrics is None
    assert engine.watchers == []
    assert monitored(engine, Settings(_env_file=None, metrics=True)).metrics() != ""


def test_the_search_of_a_what_if_is_nobodys_search():
    engine, metrics = small_engine(), Metrics()
    engine.watchers.append(metrics.observe)
    engine.what_if(engine.run("segment lungs"), "fit")
    assert 'scanscout_searches_total{mode="hybrid",outcome="listed"} 1' in metrics.text()


def test_a_watcher_that_fails_ends_no_search():
    engine = small_engine()

    def fail(answer):
        raise MemoryError

    engine.watchers.append(fail)
    assert engine.run("segment lungs").candidates


def test_the_state_names_hashes_and_what_is_not_up():
    state = small_engine().state()
    assert state["catalog_sha256"] == "s"
