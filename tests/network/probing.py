"""Runs a piece of Python in a network namespace and returns what it prints as JSON."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from tests.network import recorder

OBSTACLE = recorder.obstacle()
NEEDS_NAMESPACE = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        OBSTACLE is not None and os.environ.get("NETWORK_TESTS") != "required", reason=str(OBSTACLE)
    ),
]


def printed(code, **environment):
    done = subprocess.run(
        recorder.command("-c", code),
        cwd=recorder.ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
