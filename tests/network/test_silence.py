"""Nothing leaves this machine and no name is looked up, seen at the packets, children included."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.network import recorder
from tests.network.probing import NEEDS_NAMESPACE

pytestmark = NEEDS_NAMESPACE


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """One use of everything, from an empty cache on, in a network namespace."""
    folder = tmp_path_factory.mktemp("visit")
    line = recorder.command("-m", "tests.network.visiting", str(folder))
    done = subprocess.run(line, cwd=recorder.ROOT, capture_output=True, text=True, timeout=800)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((folder / "report.json").read_text("utf-8"))


@pytest.mark.model
def test_page_and_commands_look_nothing_up_and_connect_to_nothing(report):
    assert report["seen"] == []
    assert report["lost"] == 0


@pytest.mark.model
@pytest.mark.parametrize(
    ("part", "answer"),
    [
        ("page", "ScanScout"),
        ("search", '"candidates":[{'),
        ("scan", "format:NIfTI"),
        ("documents", "paper.pdf"),
        ("ask", "Answered from your documents"),
        ("cypher", "The query ran."),
        ("sparql", "The query ran."),
        ("mcp", '"tools": [{'),
        ("search command", '"candidates": [{'),
        ("scan command", "NIfTI"),
        ("ask command", "nnU-Net"),
    ],
)
def test_every_part_answered_while_packets_were_recorded(report, part, answer):
    assert answer in report["answers"][part]


@pytest.mark.model
def test_an_encoder_that_is_not_here_is_named_with_the_remedy(report):
    answer = report["answers"]["absent encoder"]
    assert "'BAAI/bge-small-en-v1.5' is not on this machine; name a folder" in answer
    assert '"candidates": [{' in answer


@pytest.mark.model
def test_no_device_id_and_no_store_of_events_is_left(report):
    names = {path.rsplit("/", 1)[-1] for path in report["files"]}
    assert not names & {"deviceid", "deviceid.lock", ".ses", "onnxruntime.db", ".onnxruntime"}
    assert [path for path in report["files"] if "Microsoft" in path] == []
