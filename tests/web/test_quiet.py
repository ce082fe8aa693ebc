"""With default settings the app connects to nothing but itself, and looks no name up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from ipaddress import ip_address

import httpx
import pytest

from tests.e2e.serving import page

RECORDER = """
import json, os, sys
EVENTS = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
          "socket.sendto", "socket.sendmsg", "socket.getnameinfo")
def note(event, args):
    if event in EVENTS:
        told = [a if isinstance(a, (str, int)) else repr(a) for a in args[1:] or args]
        if event in ("socket.getaddrinfo", "socket.gethostbyname"):
            told = [str(args[0])]
        elif event == "socket.connect":
            where = args[1]
            told = [str(where[0])] if isinstance(where, tuple) else ["unix"]
        with open(os.environ["RECORD"], "a") as out:
            out.write(json.dumps([event, *told]) + "\\n")
sys.addaudithook(note)
"""


@pytest.fixture
def recorder(tmp_path):
    folder = tmp_path / "recorder"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(RECORDER)
    return {"PYTHONPATH": str(folder), "RECORD": str(tmp_path / "record")}


def recorded(recorder):
    try:
        with open(recorder["RECORD"]) as lines:
            return [json.loads(line) for line in lines]
    except FileNotFoundError:
        return []


def leaves(event):
    """Whether an event concerns anything but this machine itself."""
    place = event[1]
    if place in {"unix", "localhost", "None"}:
        return False
    try:
        return not (ip_address(place).is_loopback or ip_address(place).is_unspecified)
    except ValueError:
        return True


def test_the_recorder_sees_connections_and_look_ups_of_children_too(recorder):
    code = (
        "import socket, subprocess, sys\n"
        "if len(sys.argv) < 2: subprocess.run([sys.executable, __file__, 'child'])\n"
        "s = socket.socket(); s.setblocking(False); s.connect_ex(('192.0.2.1', 9))\n"
        "try: socket.getaddrinfo('name.invalid', 80)\n"
        "except OSError: pass\n"
    )
    script = os.path.join(os.path.dirname(recorder["RECORD"]), "calls.py")
    with open(script, "w") as out:
        out.write(code)
    subprocess.run([sys.executable, script], env={**os.environ, **recorder}, check=True)
    seen = [event for event in recorded(recorder) if leaves(event)]
    assert seen == [["socket.connect", "192.0.2.1"], ["socket.getaddrinfo", "name.invalid"]] * 2


@pytest.mark.model
def test_starting_searching_uploading_and_browsing_connect_to_nothing(
    tmp_path, recorder, model_settings, engine
):
    slice_ = tmp_path / "scan.nii"
    import nibabel
    import numpy as np

    nibabel.save(nibabel.Nifti1Image(np.zeros((4, 4, 3), "int16"), np.eye(4)), slice_)
    with page(tmp_path, model_settings, **recorder) as served, httpx.Client(timeout=60) as client:
        assert client.get(served.url).status_code == 200
        for text in ("segment lungs", "latest papers on lung segmentation"):
            assert _called(client, served, "recommend", [text, [], "hybrid", 5])
        sent = client.post(
            f"{served.url}gradio_api/upload", files={"files": ("scan.nii", slice_.read_bytes())}
        ).json()
        file = {"path": sent[0], "meta": {"_type": "gradio.FileData"}}
        assert _called(client, served, "recommend_files", ["segment", [file], "hybrid", 5])
        for path in ("catalog", "about"):
            client.get(f"{served.url}{path}", follow_redirects=True)
    events = recorded(recorder)
    assert [event for event in events if leaves(event)] == []


def _called(client, served, name, data):
    ask = f"{served.url}gradio_api/call/{name}"
    event = client.post(ask, json={"data": data}).json()["event_id"]
    return "candidates" in client.get(f"{ask}/{event}").text
