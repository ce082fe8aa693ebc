"""A sync that cannot write, is one of many, or runs out of room: the old index stays (W8)."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

from retrieval.cli import main
from retrieval.core.errors import BadInput
from retrieval.settings import Settings
from retrieval.wiring.index.sync import sync
from tests.fakes import HashingEncoder
from tests.wiring.test_sync import ROOT, ROWS, answer, bring, encoder, files_of, folder, settings

pytestmark = pytest.mark.process

__all__ = ["bring", "encoder", "settings"]


def test_an_index_folder_that_cannot_be_written_is_named_with_the_remedy(
    settings, encoder, tmp_path
):
    (tmp_path / "file").write_text("in the way")
    settings.catalog.write_text(json.dumps(ROWS[0]))
    blocked = settings.model_copy(update={"index_dir": tmp_path / "file" / "index"})
    with pytest.raises(BadInput) as caught:
        sync(blocked, encoder)
    for part in (str(blocked.index_dir), "Not a directory", "--index", "SCANSCOUT_INDEX_DIR"):
        assert part in str(caught.value)


FULL = """
import resource, signal, sys
from tests.wiring.test_sync_failures import run_here
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
run_here(sys.argv[1])
"""


def run_here(home):
    """Sync in a subprocess with the fake encoder; writes the error as the command line does."""
    root = Path(home)
    chosen = Settings(_env_file=None, catalog=root / "catalog.jsonl", index_dir=root / "index")
    try:
        sync(chosen, HashingEncoder(dim=16))
    except BadInput as exc:
        sys.stdout.write(str(exc))


@pytest.mark.parametrize("room", [0, 200, 500])
def test_a_full_disk_is_told_and_the_old_index_stays(bring, settings, encoder, room, tmp_path):
    bring(ROWS)
    good, before = answer(settings, encoder), files_of(settings.index_dir)
    settings.catalog.write_text("\n".join(json.dumps({**row, "suite": "S"}) for row in ROWS))
    command = [sys.executable, "-c", FULL, str(tmp_path), str(room)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "could not be saved" in done.stdout, done.stderr
    assert "Make room there" in done.stdout
    assert answer(settings, encoder) == good
    assert files_of(settings.index_dir) == before


def test_the_command_ends_with_2_when_the_index_cannot_be_written(tmp_path, capsys, monkeypatch):
    (tmp_path / "catalog.jsonl").write_text(json.dumps(ROWS[0]))
    (tmp_path / "file").write_text("")
    module = import_module("retrieval.wiring.index.sync")
    monkeypatch.setattr(module, "loading_encoder", lambda *_: HashingEncoder())
    monkeypatch.setattr(module, "plaza_encoder", lambda _, encoder: (encoder, ()))
    given = ["--catalog", str(tmp_path / "catalog.jsonl"), "--index", str(tmp_path / "file")]
    assert main(["sync", *given]) == 2
    error = capsys.readouterr().err
    assert "could not be saved" in error
    assert "Traceback" not in error


def test_a_save_that_fails_half_way_leaves_the_old_state_and_no_litter(bring, settings, encoder):
    bring(ROWS)
    good, before = answer(settings, encoder), files_of(settings.index_dir)
    stored = folder(settings).load()
    unwritable = type(
        "Terms", (), {"astype": lambda self, kind: (_ for _ in ()).throw(OSError(28, "full"))}
    )
    object.__setattr__(stored, "term_vectors", unwritable())
    with pytest.raises(OSError, match="full"):
        folder(settings).save(stored)
    assert (answer(settings, encoder), files_of(settings.index_dir)) == (good, before)


def test_many_syncs_at_once_leave_one_of_their_states_and_readers_see_no_gap(settings, tmp_path):
    catalogs = []
    for n in range(4):
        path = tmp_path / f"catalog{n}.jsonl"
        path.write_text("\n".join(map(json.dumps, ROWS[: n + 1])))
        catalogs.append(settings.model_copy(update={"catalog": path}))
    sync(catalogs[0], HashingEncoder())

    def write(chosen):
        for _ in range(5):
            sync(chosen, HashingEncoder())

    def read(_):
        return {len(folder(settings).load().meta.ids) for _ in range(60)}

    with ThreadPoolExecutor(8) as pool:
        writers = [pool.submit(write, chosen) for chosen in catalogs]
        seen = set().union(*pool.map(read, range(3)))
        for writer in writers:
            writer.result()
    assert seen <= {1, 2, 3, 4}
    assert len(folder(settings).load().meta.ids) in {1, 2, 3, 4}
    assert not list(settings.index_dir.rglob(".new-*"))
