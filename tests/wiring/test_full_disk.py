"""A disk without room: what is missing says so, nothing waits for ever, answers go on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval import to_json
from retrieval.settings import ROOT

SMALL = "64k"
"""Less than the vectors of the catalog below, more than a few empty folders."""

SCRIPT = """
import json, sys
from retrieval import open_engine, read_settings, to_json
engine = open_engine(read_settings(None), seconds=200)
answer = to_json(engine.run("segment lungs"))
print(json.dumps({"ended": engine.ready, "answer": answer}))
"""


@pytest.fixture
def full_disk(tmp_path):
    """Runs the script in a name space of its own, with all its folders on a tiny disk."""
    disk = tmp_path / "disk"
    disk.mkdir()
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mount = f"mount -t tmpfs -o size={SMALL} tmpfs {disk}"
    if not shutil.which("unshare") or subprocess.run([*alone, mount], check=False).returncode:
        pytest.skip("this system lets nobody mount a disk in a name space of its own")
    told = {name: str(disk / name) for name in ("index", "cache")}
    environment = {
        **os.environ,
        "TMPDIR": str(disk),
        "SCANSCOUT_INDEX_DIR": told["index"],
        "SCANSCOUT_CACHE_DIR": told["cache"],
        "SCANSCOUT_CATALOG": str(catalog(tmp_path)),
        "SCANSCOUT_ONNX": "false",
    }
    done = subprocess.run(
        [*alone, f"{mount} && exec {sys.executable} -c '{SCRIPT}'"],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def catalog(folder: Path) -> Path:
    path = folder / "tools.jsonl"
    rows = (
        {"id": f"tool{n}", "name": f"Tool {n}", "description": f"segments lungs in CT, way {n}"}
        for n in range(80)
    )
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


@pytest.mark.model
def test_a_full_disk_is_named_and_every_search_goes_on(full_disk):
    result, words = full_disk
    text = json.dumps(result["answer"])
    assert result["ended"]
    assert len(result["answer"]["candidates"]) == 15
    assert "the index could not be saved: the disk is full" in text
    assert "token vectors could not be saved: the disk is full" in text
    assert "set SCANSCOUT_CACHE_DIR" in text
    assert "warming up" not in text
    assert "Traceback" not in words


def test_nothing_warms_up_where_vector_search_is_off(light_engine):
    text = json.dumps(to_json(light_engine.run("segment lungs")))
    assert "warming up" not in text
    assert "vector search is switched off by setting" in text
