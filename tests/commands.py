"""Commands run inside the process of the tests, over real engines that are opened once."""

from __future__ import annotations

import logging
from subprocess import CompletedProcess
from typing import Any

import pytest

from retrieval import Engine, Settings, open_engine, read_settings
from retrieval.cli import main


class Engines:
    """Opens a real engine at the first call with some settings and gives it for equal ones.

    To open one takes about three seconds of a processor; a command over it takes a tenth.
    """

    def __init__(self) -> None:
        self._open: dict[str, Engine] = {}

    def open(self, settings: Settings | None = None, **how: Any) -> Engine:
        """What ``open_engine`` gives; also a mistake in the settings is told by it."""
        chosen = settings or read_settings()
        key = chosen.model_dump_json()
        if key not in self._open:
            self._open[key] = open_engine(chosen, **how)
        return self._open[key]


def run_here(
    capsys: pytest.CaptureFixture[str], *args: object, **environment: str
) -> CompletedProcess[str]:
    """A command as a process would run it: its code and what it wrote.

    The handlers of pytest are set aside, as with them warnings would not come to stderr.
    """
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patched:
        for name, value in environment.items():
            patched.setenv(name, value)
        patched.setattr(logging.root, "handlers", [])
        patched.setattr(logging.root, "level", logging.root.level)
        given = list(map(str, args))
        try:
            code = main(given)
        except SystemExit as ended:
            code = int(ended.code or 0)
    written = capsys.readouterr()
    return CompletedProcess(given, code, written.out, written.err)


def one_line(done: CompletedProcess[str]) -> str:
    """What a refusal says: nothing on stdout, one readable line on stderr."""
    assert done.stdout == ""
    told = done.stderr.strip()
    assert told
    assert "\n" not in told
    assert "Traceback" not in told
    return told
