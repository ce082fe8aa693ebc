"""The container's files are sound, and its steps run in a folder, as far as they can there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from retrieval.settings import ROOT, Settings, variable

FOLDER = ROOT / "spaces_config" / "container"
DOCKERFILE = re.sub(r"\\\n\s*", "", (FOLDER / "Dockerfile").read_text("utf-8"))
LINES = [line for line in DOCKERFILE.splitlines() if line and not line.startswith("#")]
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))


def after(word):
    return [line.split(" ", 1)[1] for line in LINES if line.startswith(f"{word} ")]


def variables():
    return dict(part.split("=", 1) for line in after("ENV") for part in shlex.split(line))


def copied():
    return [name for line in after("COPY") for name in line.split()[:-1]]


def test_it_installs_locked_versions_by_hash_and_runs_as_nobody():
    installs = [line for line in after("RUN") if "pip install" in line]
    assert installs
    assert all("--require-hashes" in line and "-r locks/" in line for line in installs)
    assert after("USER") == ["10001:10001"]
    assert after("VOLUME") == ["/data"]
    assert all((ROOT / name).exists() for name in copied())


def test_every_setting_that_it_names_exists():
    known = {variable(field) for field in Settings.model_fields}
    named = {*variables(), *COMPOSE["services"]["app"]["environment"]}
    assert {name for name in named if name.startswith("SCANSCOUT_")} <= known


def test_compose_gives_a_read_only_root_one_volume_and_time_to_stop():
    app = COMPOSE["services"]["app"]
    assert (app["read_only"], app["volumes"]) == (True, ["app:/data"])
    assert app["build"]["dockerfile"] == "spaces_config/container/Dockerfile"
    assert (FOLDER / app["build"]["context"]).resolve() == ROOT
    assert set(COMPOSE["volumes"]) == {"app", "milvus"}
    host = Settings(_env_file=None, milvus_uri=app["environment"]["SCANSCOUT_MILVUS_URI"])
    assert host.milvus_uri.split("//")[1].split(":")[0] in COMPOSE["services"]


@pytest.mark.process
def test_compose_itself_accepts_the_file_and_puts_its_defaults_in():
    if shutil.which("docker-compose") is None:
        pytest.skip("docker-compose is not installed")
    command = ["docker-compose", "-f", str(FOLDER / "compose.yaml"), "config"]
    environment = {"PATH": os.environ["PATH"], "SCANSCOUT_METRICS": "true"}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    app = yaml.safe_load(ran.stdout)["services"]["app"]
    assert app["read_only"] is True
    assert app["environment"]["SCANSCOUT_METRICS"] == "true"
    assert app["environment"]["SCANSCOUT_ALLOWED_HOSTS"] == ""


@pytest.mark.process
def test_what_it_copies_starts_is_healthy_writes_only_its_volume_and_stops(tmp_path):
    root, data = tmp_path / "app", tmp_path / "data"
    root.mkdir()
    for name in copied():
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        elif not name.startswith("locks/"):
            shutil.copy(ROOT / name, root / name)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    given = {k: v.replace("/data", str(data)) for k, v in variables().items()}
    (data / "tmp").mkdir(parents=True)
    environment = {"PATH": os.environ["PATH"], **given, variable("port"): port}
    before = listing(root)
    page = subprocess.Popen([sys.executable, "app.py"], cwd=root, env=environment)
    try:
        [check] = after("HEALTHCHECK")
        code = yaml.safe_load(check[check.index("[") :])[2].replace("7860", port)
        assert healthy(code, page)
        assert listing(root) == before
        page.send_signal(signal.SIGTERM)
        assert page.wait(30) == 0
    finally:
        page.kill()
        page.wait()


def listing(folder: Path):
    return sorted((str(p), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file())


def healthy(code, page):
    end = time.monotonic() + 240
    while time.monotonic() < end and page.poll() is None:
        if subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0:
            return True
        time.sleep(1)
    return False
