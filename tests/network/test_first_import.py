"""The switches are set before the first library that reads them is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from retrieval.documents import reader as documents_reader
from retrieval.offline import DEFAULTS, TELEMETRY_OFF
from retrieval.scans.spare import environment
from retrieval.settings import ROOT

WATCH = """
import json, os, sys
READERS = ("gradio", "gradio_client", "huggingface_hub", "onnxruntime", "transformers")
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name in READERS:
            first.setdefault(name, {key: os.environ.get(key) for key in %r})
first = {}
sys.meta_path.insert(0, Watch())
%s
import huggingface_hub.constants as hub, onnxruntime
print("FIRST " + json.dumps([first, hub.HF_HUB_OFFLINE, hub.HF_HUB_DISABLE_TELEMETRY]))
os._exit(0)
"""
SWITCHES = ("HF_HUB_OFFLINE", *TELEMETRY_OFF)
ON = {"HF_HUB_OFFLINE": "1", **TELEMETRY_OFF}


def run(code, env):
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def at_first_import(code, folder, **more):
    """The switches when each library was first imported, then what the hub's module uses."""
    clean = {key: os.environ[key] for key in os.environ if key not in {*TELEMETRY_OFF, *DEFAULTS}}
    places = {"SCANSCOUT_INDEX_DIR": folder / "index", "SCANSCOUT_CACHE_DIR": folder / "cache"}
    env = clean | {key: str(place) for key, place in places.items()} | more
    line = run(WATCH % (SWITCHES, code), env | {"SCANSCOUT_VECTOR_SEARCH": "false"})
    return json.loads(line.partition("FIRST ")[2].splitlines()[0])


@pytest.mark.parametrize(
    ("code", "libraries"),
    [
        ("import runpy; runpy.run_path('app.py', run_name='app')", {"gradio", "huggingface_hub"}),
        ("import components.serve", {"gradio", "huggingface_hub"}),
        ("import retrieval", {"huggingface_hub", "onnxruntime"}),
        ("import retrieval.__main__", {"huggingface_hub", "onnxruntime"}),
    ],
    ids=["app", "components", "library", "command line"],
)
def test_every_entrance_sets_the_switches_before_a_library_reads_them(tmp_path, code, libraries):
    first, offline, telemetry_off = at_first_import(code, tmp_path)
    assert {name: first[name] for name in libraries} == dict.fromkeys(libraries, ON)
    assert first["onnxruntime"]["ORT_DISABLE_TELEMETRY"] == "1"
    assert offline is True
    assert telemetry_off is True


def test_telemetry_is_off_whatever_the_environment_says(tmp_path):
    wishes = {"ORT_DISABLE_TELEMETRY": "0", "GRADIO_ANALYTICS_ENABLED": "True", "DO_NOT_TRACK": "0"}
    wishes |= {"HF_HUB_DISABLE_TELEMETRY": "0", "HF_HUB_DISABLE_UPDATE_CHECK": "0"}
    first, _, telemetry_off = at_first_import("import retrieval", tmp_path, **wishes)
    assert first["onnxruntime"] == ON
    assert telemetry_off is True


@pytest.mark.parametrize(("value", "offline"), [("0", False), ("", True), ("1", True)])
def test_only_an_explicit_value_lets_the_hub_be_looked_up(tmp_path, value, offline):
    assert at_first_import("import retrieval", tmp_path, HF_HUB_OFFLINE=value)[1] is offline


def test_setting_the_switches_needs_the_standard_library_alone():
    code = "import runpy; runpy.run_path('retrieval/offline.py')"
    command = [sys.executable, "-S", "-c", code]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60).returncode == 0


def test_the_reader_of_scans_sets_the_switches_in_its_bare_environment():
    code = "import os, retrieval.scans.reader.worker; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    assert run(code, environment()).strip() == "1"


def test_the_reader_of_documents_gets_the_switches_from_its_parent(tmp_path, monkeypatch):
    record = tmp_path / "record.json"
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import json, os\n"
        f"open({str(record)!r}, 'w').write(json.dumps(dict(os.environ)))\n"
        "print(json.dumps({'facts': {}}), json.dumps({'page': 1, 'text': 'x'}), sep='\\n')\n"
        "print(json.dumps({'end': True}))\n"
    )
    monkeypatch.setattr(documents_reader, "WORKER", worker)
    paper = tmp_path / "paper.txt"
    paper.write_text("x")
    documents_reader.read_document(paper)
    assert TELEMETRY_OFF.items() <= json.loads(record.read_text()).items()
