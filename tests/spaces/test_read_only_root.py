"""What the image runs, as a user without rights on a root that is read-only, with one volume.

Not a container: a mount namespace of its own in which every file system but the volume, /dev,
/proc and /sys is read-only, as with ``docker run --read-only -v``; no /tmp can be written either.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from retrieval.settings import ROOT, variable
from tests.spaces.test_container import after, copied, variables
from tests.spaces.test_space import recommended

USER = after("USER")[0].split(":")
APP, DATA = "/srv/app", "/srv/data"
PLAIN_USER = ["setpriv", f"--reuid={USER[0]}", f"--regid={USER[1]}", "--clear-groups"]
PLAIN_USER += ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
ENTER = """
set -e
app=$1 data=$2 python=$3 spare=$4; shift 4
case "$python" in
/root/*)  # only root may look into its home: the interpreter is put on the same path without it
    mount --bind "$python" "$spare"
    mount -t tmpfs -o mode=755 none /root
    mkdir -p "$python"
    mount --bind "$spare" "$python" ;;
esac
mount -t tmpfs -o mode=755 none /srv
mkdir /srv/app /srv/data
mount --bind "$app" /srv/app
mount --bind "$data" /srv/data
awk '{print $2}' /proc/self/mounts | grep -vE '^/(dev|proc|sys)(/|$)|^/srv/data$' | sort -u |
    while read -r place; do
        if mountpoint -q "$place"; then mount -o remount,bind,ro "$place"; fi
    done
cd /srv/app
exec "$@"
"""


def _namespaces() -> bool:
    tools = all(map(shutil.which, ("unshare", "nsenter", "setpriv")))
    if not tools or os.geteuid() != 0:
        return False
    tried = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/srv"]
    return subprocess.run(tried, capture_output=True).returncode == 0


pytestmark = [
    pytest.mark.process,
    pytest.mark.model,
    pytest.mark.skipif(
        not _namespaces(), reason="mount namespaces need Linux, root and util-linux"
    ),
]


@dataclass(frozen=True)
class Running:
    """The page, and the way to run something beside it."""

    process: subprocess.Popen[bytes]
    port: str

    def beside(self, *command: str) -> subprocess.CompletedProcess[str]:
        """A command as the same user in the same file systems."""
        into = ["nsenter", "--mount", "--target", str(self.process.pid), *PLAIN_USER, *command]
        return subprocess.run(into, capture_output=True, text=True, check=False)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    app, data, spare = (tmp_path / name for name in ("app", "data", "spare"))
    for folder in (app, data, spare):
        folder.mkdir()
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, app / name)
        elif not name.startswith("locks/"):
            shutil.copy(ROOT / name, app / name)
    os.chown(data, int(USER[0]), int(USER[1]))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    given = {name: value.replace("/data", DATA) for name, value in variables().items()}
    environment = {**given, "PATH": os.environ["PATH"], variable("port"): port}
    command = [*yaml.safe_load(after("CMD")[0])]
    command[-1] = command[-1].replace("/data", DATA).replace("python", sys.executable)
    places = [str(app), str(data), sys.base_prefix, str(spare)]
    entered = ["unshare", "-m", "sh", "-c", ENTER, "sh", *places, *PLAIN_USER, *command]
    process = subprocess.Popen(entered, env=environment)
    try:
        yield Running(process, port)
    finally:
        process.kill()
        process.wait()


def test_the_page_is_healthy_and_answers_and_can_write_only_its_volume(running: Running) -> None:
    [check] = after("HEALTHCHECK")
    code = yaml.safe_load(check[check.index("[") :])[2].replace("7860", running.port)
    end = time.monotonic() + 240
    while running.beside(sys.executable, "-c", code).returncode != 0:
        assert running.process.poll() is None
        assert time.monotonic() < end
        time.sleep(1)
    assert running.beside("id", "-u").stdout.split() == USER[:1]
    refused = [running.beside("touch", f"{place}/x").returncode for place in (APP, "/tmp", "/srv")]
    assert all(refused)
    assert running.beside("touch", f"{DATA}/x").returncode == 0
    with httpx.Client(
        base_url=f"http://127.0.0.1:{running.port}/gradio_api/", timeout=120
    ) as client:
        answer: dict[str, Any] = recommended(client, "hybrid")
    assert answer["candidates"]
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(30) == 0
