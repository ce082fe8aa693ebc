"""What is written to a stdout that lacks letters, is full, or is closed."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

from retrieval.cli.output import write_json, write_line
from retrieval.settings import ROOT

TEXT = 'é 日本語 𝛼 "quoted" \\n plain'


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp932", "utf-8", "cp1252"])
def test_letters_that_stdout_lacks_are_written_as_escapes(encoding, monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding, newline=""))
    write_json({"text": TEXT})
    assert json.loads(written.getvalue().decode(encoding)) == {"text": TEXT}
    write_line("plain words")
    assert written.getvalue().decode(encoding).endswith("}\nplain words\n")


@pytest.mark.process
@pytest.mark.parametrize("way", [">/dev/full", ">&-"])
def test_a_process_that_cannot_write_ends_without_a_traceback(way, tmp_path):
    command = f"{sys.executable} -m retrieval scan {tmp_path} {way}"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be written to stdout" in done.stderr
