"""Commands run inside the process of the tests, over real engines that are opened once."""

from __future__ import annotations

from typing import Any

from retrieval import Engine, Settings, open_engine, read_settings


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
