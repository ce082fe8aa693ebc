"""Opening an engine without weights: keyword search, fallbacks, a catalog that changes."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

from retrieval import BadInput, RetrievalError, open_engine
from retrieval.wiring.index.sync import sync
from tests.fakes import HashingEncoder, ids, parts_of

pytestmark = pytest.mark.process


def line(id, **fields):
    return json.dumps({"id": id, "name": id, "description": f"{id} segments lungs", **fields})


def write(path, *lines):
    path.write_text("\n".join(lines))
    stamp = time.time_ns() + len(lines) * 1_000_000
    os.utime(path, ns=(stamp, stamp))


def resident_mb():
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def until(check, seconds=60.0):
    """Between two readings lies a collection of all garbage, long after 10,000 other tests."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def own(tmp_path, light_settings):
    path = tmp_path / "own.jsonl"
    write(path, line("one"), line("two"))
    return path, light_settings.model_copy(update={"catalog": path})


@pytest.mark.requirement("W9")
def test_a_clone_answers_without_key_file_or_setting(light_settings):
    engine = open_engine(light_settings)
    answer = engine.run("segment lungs")
    assert len(engine.catalog) >= 100
    assert "lungmask" in ids(answer.candidates)


@pytest.mark.requirement("S0-14")
def test_with_vector_search_off_bm25_answers_and_says_so(light_engine):
    for mode in ("hybrid", "biocortex", "plaza", "rrf"):
        answer = light_engine.run("segment lungs", mode)
        assert ids(answer.candidates), mode
        dense = next(n for n in answer.result.walk() if n.name.endswith("dense"))
        assert (dense.status, dense.note) == ("skipped", "vector search is switched off by setting")


@pytest.mark.requirement("S0-32")
def test_sizes_of_every_stage_are_settings_of_one_object(light_settings):
    asked = {"per_list": 9, "top_k": 4, "graph_hops": 1, "graph_nodes": 12}
    engine = open_engine(light_settings.model_copy(update=asked))
    found = parts_of(engine.run("segment lungs").result)
    assert len(ids(found["fused/bm25"])) == len(ids(found["fused"])) == 9
    assert 9 < len(ids(found["graph"])) <= 12
    assert len(ids(found["rerank"])) == 4
    off = open_engine(light_settings.model_copy(update={**asked, "graph_hops": 0}))
    assert len(ids(parts_of(off.run("segment lungs").result)["graph"])) == 9


@pytest.mark.requirement("S1-21")
def test_a_changed_catalog_file_is_picked_up_without_restart(own):
    path, settings = own
    engine = open_engine(settings)
    assert set(engine.catalog) == {"one", "two"}
    write(path, line("one", url="https://example.org"), line("two"), line("three"))
    assert until(lambda: "three" in ids(engine.run("segment lungs").candidates))
    assert engine.catalog["one"].url == "https://example.org"
    write(path, line("one"))
    assert until(lambda: ids(engine.run("segment lungs").candidates) == ["one"])


def test_one_change_begins_one_preparation_and_no_query_waits_for_it(own, monkeypatch):
    path, settings = own
    source = open_engine(settings)._source
    assert until(lambda: not source._busy.locked())
    begun, over = [], threading.Event()
    monkeypatch.setattr(source, "_reload", lambda: (begun.append(1), over.wait(30)))
    at_once = threading.Barrier(8)

    def look():
        at_once.wait()
        for _ in range(200):
            source.current()

    threads = [threading.Thread(target=look) for _ in range(8)]
    write(path, line("one"), line("two"), line("three"))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert begun == [1]
    assert not any(thread.is_alive() for thread in threads)
    over.set()
    assert until(lambda: not source._busy.locked())


def test_catalogs_that_were_replaced_leave_the_memory(own):
    path, settings = own
    engine = open_engine(settings)
    graphs = []
    for number in range(5):
        engine.run("segment lungs")
        graphs.append(weakref.ref(engine._source._preparation.parts.graph))
        write(path, line("one"), *(line(f"new-{n}") for n in range(number + 2)))
        last = f"new-{number + 1}"
        assert until(lambda: last in engine.current().tools)  # noqa: B023
        assert until(lambda: not engine._source._busy.locked())
    # The last that was replaced may still be frozen; it goes with the next change.
    assert sum(graph() is not None for graph in graphs) <= 1


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"),
    reason="the call is one of glibc",
)
def test_memory_freed_before_a_new_catalog_is_current_goes_back_to_the_system(own):
    path, settings = own
    engine = open_engine(settings)
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    blocks = [libc.malloc(4_000) for _ in range(20_000)]
    for block in blocks:
        ctypes.memset(block, 1, 4_000)
    last = libc.malloc(4_000)  # at the end of the heap, so that glibc returns nothing by itself
    for block in blocks:
        libc.free(block)
    before = resident_mb()
    write(path, line("one"), line("two"), line("three"))
    assert until(lambda: "three" in engine.current().tools)
    assert until(lambda: not engine._source._busy.locked())
    assert resident_mb() < before - 50
    libc.free(last)


def test_a_catalog_that_became_unusable_leaves_the_old_one_answering(own):
    path, settings = own
    engine = open_engine(settings)
    path.write_text("not a record\n")
    for _ in range(4):
        assert set(ids(engine.run("segment lungs").candidates)) == {"one", "two"}
        time.sleep(0.1)
    path.unlink()
    assert set(ids(engine.run("segment lungs").candidates)) == {"one", "two"}
    write(path, line("one"), line("two"), line("four"))
    assert until(lambda: "four" in ids(engine.run("segment lungs").candidates))


@pytest.mark.parametrize(
    ("content", "said"), [("", "holds no usable record"), ("{}\n", "line 1: ")]
)
def test_a_catalog_without_a_record_is_refused_by_name(own, content, said):
    path, settings = own
    path.write_text(content)
    with pytest.raises(BadInput, match=rf"SCANSCOUT_CATALOG: own\.jsonl .*{said}"):
        open_engine(settings)


def test_a_catalog_that_is_not_there_is_refused(own):
    path, settings = own
    path.unlink()
    with pytest.raises(BadInput, match=r"SCANSCOUT_CATALOG: own\.jsonl could not be read"):
        open_engine(settings)


@pytest.mark.requirement("S1-20")
def test_sync_counts_what_changed_and_a_second_one_keeps_all(own):
    path, settings = own
    told = sync(settings, HashingEncoder())
    assert (told["read"], told["added"], told["kept"]) == (2, 2, 0)
    encoder = HashingEncoder()
    told = sync(settings, encoder)
    assert (told["kept"], told["added"], told["updated"], told["removed"]) == (2, 0, 0, 0)
    assert encoder.texts == []
    write(path, line("one", description="other words"), line("three"), "nonsense")
    told = sync(settings, encoder)
    assert (told["read"], told["kept"]) == (2, 0)
    assert (told["added"], told["updated"], told["removed"]) == (1, 1, 1)
    assert [r["line"] for r in told["refused"]] == [3]


@pytest.mark.requirement("W8")
def test_a_changed_demo_link_is_an_update_that_embeds_nothing(own):
    path, settings = own
    sync(settings, HashingEncoder())
    write(path, line("one", demo_url="https://example.org/demo"), line("two"))
    encoder = HashingEncoder()
    told = sync(settings, encoder)
    assert (told["updated"], told["kept"]) == (1, 1)
    assert encoder.texts == []


@pytest.mark.requirement("W8")
def test_an_index_of_another_model_is_made_again(own):
    _, settings = own
    sync(settings, HashingEncoder())
    other = HashingEncoder(id="another model")
    sync(settings, other)
    assert len([t for t in other.texts if "segments lungs" in t]) >= 2


def test_sync_of_an_unusable_catalog_leaves_the_index(own):
    path, settings = own
    sync(settings, HashingEncoder())
    before = sorted(p.name for p in settings.index_dir.rglob("*"))
    path.write_text("nonsense\n")
    told = sync(settings, HashingEncoder())
    assert told["read"] == 0
    assert "left as it is" in told["refused"][-1]["reason"]
    assert sorted(p.name for p in settings.index_dir.rglob("*")) == before


def test_the_engine_reads_files_through_its_own_front(light_settings, tmp_path):
    junk = tmp_path / "junk.dcm"
    junk.write_bytes(b"no scan")
    upload = open_engine(light_settings, background=True).read_scans([junk], preview=False)
    assert upload.scans == ()
    assert [r.index for r in upload.refused] == [1]
    assert junk.read_bytes() == b"no scan"


def test_the_pipeline_is_the_same_under_every_engine_of_one_catalog(light_engine, light_settings):
    other = open_engine(light_settings)
    told = [parts_of(e.run("register brains").result) for e in (light_engine, other)]
    assert {n: ids(r) for n, r in told[0].items()} == {n: ids(r) for n, r in told[1].items()}


@pytest.mark.model
def test_the_first_query_of_a_script_is_answered_by_every_stage(own):
    _, settings = own
    engine = open_engine(settings.model_copy(update={"vector_search": True}))
    assert set(ids(engine.run("segment lungs", "vector").candidates)) == {"one", "two"}
    assert not any(n.status == "skipped" for n in engine.run("segment lungs", "rrf").result.walk())


def test_an_engine_that_is_not_ready_in_time_is_refused_with_the_remedy(light_settings):
    with pytest.raises(RetrievalError, match=r"not ready after 0 s .* background=True"):
        open_engine(light_settings, seconds=0)


def test_an_answer_before_everything_is_loaded_names_the_stages_it_lacks(light_settings):
    engine = open_engine(light_settings, background=True)
    assert "dense" in engine.run("segment lungs").unloaded
    assert engine.run("segment lungs", "keyword").unloaded == ()
    assert engine.wait(120)
    assert engine.run("segment lungs").unloaded == ()


@pytest.mark.model
def test_an_index_made_on_the_way_is_no_change_and_later_ones_come_whole(own):
    path, settings = own
    engine = open_engine(settings.model_copy(update={"vector_search": True}))
    before = engine.current()
    late = "fused/late interaction"
    assert parts_of(engine.run("segment lungs").result)[late].status == "ok"
    assert engine.current() is before
    write(path, line("one"), line("two"), line("three"))
    seen = set()

    def taken():
        answer = engine.run("segment lungs")
        seen.add(parts_of(answer.result)[late].status)
        return "three" in ids(answer.candidates)

    assert until(taken, 120)
    assert seen == {"ok"}


@pytest.mark.model
def test_a_process_that_leaves_while_models_load_ends_in_peace():
    code = (
        "from retrieval import open_engine;"
        "open_engine(background=True).run('segment lungs', 'keyword')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
