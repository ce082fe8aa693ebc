"""What is done before a page is there, and what waits until it is."""

from __future__ import annotations

import subprocess
import sys
import threading

import gradio as gr
import httpx
import pytest

from components.serve import serve
from retrieval import BadInput, Settings, open_engine
from retrieval.settings import ROOT
from retrieval.wiring.modes import NAMES
from tests.fakes import ids

pytestmark = pytest.mark.process

ALONE = """
import gc, os, runpy, sys, threading, time

def wait():
    while not getattr(getattr(sys.modules["__main__"], "engine", None), "ready", False):
        time.sleep(0.05)
    print("ready", gc.isenabled(), flush=True)
    os._exit(0)

threading.Thread(target=wait, daemon=True).start()
runpy.run_path("app.py", run_name="__main__")
"""


def preparing():
    return [one for one in threading.enumerate() if one.name == "prepare"]


@pytest.fixture
def waiting(light_settings):
    return open_engine(light_settings, background=True)


def test_an_engine_told_to_wait_knows_its_catalog_and_modes_and_prepares_nothing(waiting):
    before = set(preparing())
    assert (len(waiting.catalog) > 100, waiting.modes, waiting.ready) == (True, NAMES, False)
    assert set(preparing()) <= before


def test_modes_are_offered_in_the_same_order_before_and_after(waiting):
    before, tools = waiting.modes, set(waiting.catalog)
    assert tuple(waiting.current().modes) == before
    assert set(waiting.catalog) == tools


def test_the_first_query_prepares_what_waited_and_is_answered_as_ever(waiting, light_engine):
    first = waiting.run("segment lungs", "keyword")
    assert waiting.wait(60)
    assert ids(first.candidates) == ids(light_engine.run("segment lungs", "keyword").candidates)


def test_likeness_of_tools_waits_for_the_snapshot_too(waiting, light_engine):
    assert waiting.similar("lungmask").neighbours == light_engine.similar("lungmask").neighbours


def test_loading_that_is_asked_for_twice_is_begun_once(waiting):
    waiting.load()
    waiting.load()
    assert waiting.wait(60)
    made = waiting.current()
    waiting.load()
    assert waiting.current() is made


def test_queries_that_come_first_at_once_share_one_snapshot(waiting):
    together, seen = threading.Barrier(4), []

    def ask():
        together.wait()
        seen.append(ids(waiting.run("segment lungs", "keyword").candidates))

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert len(seen) == 4
    assert len(seen[0]) > 1
    assert all(one == seen[0] for one in seen)


def test_a_catalog_without_a_record_is_refused_also_by_an_engine_that_waits(
    tmp_path, light_settings
):
    path = tmp_path / "own.jsonl"
    path.write_text("")
    with pytest.raises(BadInput, match="holds no usable record"):
        open_engine(light_settings.model_copy(update={"catalog": path}), background=True)


def test_what_waits_for_the_page_is_told_once_it_answers():
    with gr.Blocks() as page:
        gr.Textbox()
    told = []
    serve(
        page,
        Settings(_env_file=None, port=0),
        prevent_thread_lock=True,
        up=lambda: told.append(httpx.get(page.local_url).status_code),
    )
    page.close(verbose=False)
    assert told == [200]


def test_a_server_that_nobody_visits_gets_ready_by_itself(tmp_path, monkeypatch):
    for name, value in (
        ("VECTOR_SEARCH", "false"),
        ("INDEX_DIR", str(tmp_path / "index")),
        ("CACHE_DIR", str(tmp_path / "cache")),
        ("PORT", "0"),
    ):
        monkeypatch.setenv(f"SCANSCOUT_{name}", value)
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True, timeout=280
    )
    assert done.stdout.split() == ["ready", "True"], done.stderr[-2000:]
