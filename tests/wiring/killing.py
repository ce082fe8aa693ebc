"""Kills syncs for test_kill: a process that loads the libraries once and forks every run.

``python -m tests.wiring.killing HOME random|each RUNS`` prints one object for each run.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from retrieval.core.errors import StageUnavailable
from retrieval.settings import Settings
from retrieval.wiring.index.indexes import HYBRID, PLAZA, folder_of
from retrieval.wiring.index.sync import sync

RECORDS, SHARD = 8, 12


class QuickEncoder:
    """Eight numbers out of the hash of a text."""

    id, dim = "quick", 8

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> np.ndarray:
        rows = [list(hashlib.sha256(t.encode()).digest()[:8]) for t in texts]
        return np.array(rows, dtype=np.float32).reshape(-1, 8) / 700

    def encode_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        return [self.encode([t]) for t in texts]


class Killer:
    """Has an old index, kills syncs towards a new one, and looks at what is left."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.settings = Settings(
            _env_file=None, catalog=home / "catalog.jsonl", index_dir=home / "index"
        )
        self._warm_up()
        self.old = self._made("old")
        shutil.copytree(self.settings.index_dir, home / "old")
        start = time.perf_counter()
        self.new = self._made("new")
        self.seconds = time.perf_counter() - start
        self.chance = random.Random(9)

    def _warm_up(self) -> None:
        """Import and read here what a sync needs, so that no fork does: four fifths of its time.

        What is killed at random is then a sync at its work, seldom one that imports.
        """
        tqdm.monitor_interval = 0  # else the bar of a sync leaves a thread of its own
        # tqdm's own lock is one for all forks: who is killed holding it stops every later sync.
        tqdm.set_lock(threading.RLock())
        aside = {"index_dir": self.home / "warm"}
        self._write("warm")
        sync(self.settings.model_copy(update=aside), QuickEncoder(), shard=SHARD)
        # A lock that another thread holds would stay locked in a fork.
        assert threading.active_count() == 1

    def _write(self, word: str) -> None:
        rows = ({"name": f"T{n}", "description": f"{word} {n}"} for n in range(RECORDS))
        self.settings.catalog.write_text("\n".join(map(json.dumps, rows)))

    def _made(self, word: str) -> dict[str, str]:
        self._write(word)
        self._whole_sync()
        return self._answers()

    def _whole_sync(self) -> None:
        os.waitpid(self._fork(lambda: sync(self.settings, QuickEncoder(), shard=SHARD)), 0)

    def _fork(self, work: Callable[[], object]) -> int:
        pid = os.fork()
        if pid:
            return pid
        try:
            work()
        finally:
            os._exit(0)

    def _answers(self) -> dict[str, str]:
        """What each of the two indexes answers to one query, or why it does not."""
        return {name: self._answer(name) for name in (HYBRID, PLAZA)}

    def _answer(self, name: str) -> str:
        try:
            stored = folder_of(self.settings.index_dir, name).load()
        except StageUnavailable as exc:
            return str(exc)
        ids = stored.meta.ids
        scores = stored.store.scores(QuickEncoder().encode(["query"])[0], ids)
        return repr(list(zip(ids, scores, strict=True)))

    def run(self, kill: Callable[[], int]) -> dict[str, Any]:
        """One killed sync: the answers it leaves, those after the next sync, and the litter."""
        shutil.rmtree(self.settings.index_dir, ignore_errors=True)
        shutil.copytree(self.home / "old", self.settings.index_dir)
        status = kill()
        left = self._answers()
        self._whole_sync()
        return {
            "killed": os.WIFSIGNALED(status),
            "left": [self._which(name, answer) for name, answer in left.items()],
            "mended": self._answers() == self.new,
            "litter": [p.name for p in self.settings.index_dir.rglob(".*") if p.name != ".lock"],
        }

    def _which(self, name: str, answer: str) -> str:
        return {self.old[name]: "old", self.new[name]: "new"}.get(answer, answer)

    def at_random(self) -> int:
        """Kill a sync at any moment of the time that one takes."""
        pid = self._fork(lambda: sync(self.settings, QuickEncoder(), shard=SHARD))
        time.sleep(self.chance.uniform(0, self.seconds))
        os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]

    def at_operation(self, number: int) -> int:
        """Kill a sync just before its n-th touch of the index folder."""
        return os.waitpid(self._fork(lambda: self._counted(number)), 0)[1]

    def _counted(self, number: int) -> None:
        seen, root = 0, str(self.settings.index_dir)

        def hook(event: str, given: tuple[object, ...]) -> None:
            nonlocal seen
            ours = event == "open" or event.startswith(("os.", "shutil."))
            if ours and any(str(g).startswith(root) for g in given):
                seen += 1
                if seen == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        sync(self.settings, QuickEncoder(), shard=SHARD)


def main(home: str, way: str, runs: int) -> None:
    os.fsync = lambda handle: None  # a killed process loses nothing that it wrote
    killer = Killer(Path(home))
    told = []
    for number in range(1, runs + 1):
        kill = killer.at_random if way == "random" else lambda n=number: killer.at_operation(n)
        told.append(killer.run(kill))
        if way == "each" and not told[-1]["killed"]:
            break
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
