"""The assembled Space is complete and starts."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from retrieval.settings import Settings
from retrieval.wiring.modes import NAMES
from spaces_config.assemble import assemble, requirements

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("space") / "tree"
    assemble(folder)
    return folder


def test_front_matter_pins_sdk_python_and_entry(space: Path):
    header = yaml.safe_load((space / "README.md").read_text("utf-8").split("---")[1])
    assert header["sdk"] == "gradio"
    assert header["sdk_version"] == "6.31.0"
    assert header["python_version"] == "3.11"
    assert header["app_file"] == "app.py"
    assert len(header["short_description"]) <= 60


def test_requirements_are_pinned_and_take_cpu_wheels():
    lines = requirements().splitlines()
    assert lines[0].startswith("--extra-index-url")
    assert "torch==2.13.0" in lines
    assert all("==" in line and "+cpu" not in line for line in lines[1:])


def test_the_space_listens_to_the_outside_and_bounds_uploads(space: Path):
    settings = Settings(_env_file=space / ".env")
    assert settings.host == "0.0.0.0"
    assert settings.max_upload_mb == 50


def test_assembling_again_replaces_the_folder(space: Path):
    (space / "left-over").write_text("x")
    assemble(space)
    assert not (space / "left-over").exists()


def test_a_folder_that_holds_something_else_is_left_as_it_is(tmp_path: Path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match="name another folder"):
        assemble(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_assembling_again_keeps_the_history_of_the_folder(space: Path):
    (space / ".git").mkdir(exist_ok=True)
    (space / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assemble(space)
    assert (space / ".git" / "HEAD").is_file()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_app_starts_from_the_assembled_folder(space: Path, tmp_path: Path):
    port = _free_port()
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "SCANSCOUT_PORT": str(port),
        "SCANSCOUT_VECTOR_SEARCH": "false",
    }
    process = subprocess.Popen(
        [sys.executable, "app.py"], cwd=space, env=env, stdout=subprocess.DEVNULL
    )
    try:
        assert "ScanScout" in _page(port, process)
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_every_mode_answers_from_the_assembled_folder_with_its_models(space: Path, tmp_path: Path):
    port = _free_port()
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "SCANSCOUT_PORT": str(port)}
    process = subprocess.Popen(
        [sys.executable, "app.py"], cwd=space, env=env, stdout=subprocess.DEVNULL
    )
    try:
        assert "ScanScout" in _page(port, process)
        client = httpx.Client(base_url=f"http://127.0.0.1:{port}/gradio_api/", timeout=120)
        until = time.monotonic() + 180
        while not recommended(client, "hybrid")["metadata"]["load_ms"] and time.monotonic() < until:
            time.sleep(1)
        for mode in NAMES:
            answer = recommended(client, mode)
            assert answer["candidates"], mode
            assert "error" not in answer, mode
            failed = [stage["name"] for stage in answer["stages"] if stage["status"] == "failed"]
            assert failed == [], mode
    finally:
        process.terminate()
        process.wait(timeout=20)


def recommended(client: httpx.Client, mode: str) -> dict[str, Any]:
    body = {"data": ["segment lungs", ["format:CT"], mode, 8]}
    event = client.post("call/recommend", json=body).json()["event_id"]
    events = client.get(f"call/recommend/{event}").text
    line = next(one for one in events.splitlines() if one.startswith("data: ["))
    return json.loads(line.removeprefix("data: "))[0]


def _page(port: int, process: subprocess.Popen) -> str:
    until = time.monotonic() + 90
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
                return answer.read().decode("utf-8")
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    return f"no page; exit code {process.poll()}"
