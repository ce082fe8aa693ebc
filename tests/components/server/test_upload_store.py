import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from components.server.files import upload_store
from components.server.files.run_folder import PREFIX, own_upload_folder, remove_folder
from components.server.files.upload_store import CLAIMED_S, LONGEST_S, UNCLAIMED_S

pytestmark = pytest.mark.process


@pytest.fixture
def uploads(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    return tmp_path


def waiting(name="a.dcm"):
    file = upload_store.reserve(name)
    upload_store.start_waiting(file)
    return file


def test_two_files_of_one_name_have_folders_of_their_own(uploads):
    one, two = waiting(), waiting()
    assert one.parent != two.parent
    assert one.parent.parent == two.parent.parent == uploads
    assert upload_store.is_stored(str(one))
    assert not upload_store.is_stored(str(one.parent))


def test_only_this_user_can_look_into_the_folder_of_an_upload(uploads):
    file = waiting()
    assert (file.stat().st_mode & 0o77, file.parent.stat().st_mode & 0o77) == (0, 0)


def test_a_waiting_upload_is_removed_when_its_time_is_over_and_not_before(uploads):
    file, now = waiting(), time.time()
    upload_store.sweep(now + UNCLAIMED_S - 5)
    assert file.exists()
    upload_store.sweep(now + UNCLAIMED_S + 5)
    assert list(uploads.iterdir()) == []


def test_an_upload_that_still_arrives_is_not_removed_as_waiting(uploads):
    file, now = upload_store.reserve("a.dcm"), time.time()
    upload_store.sweep(now + LONGEST_S - 5)
    assert file.exists()
    upload_store.sweep(now + LONGEST_S + UNCLAIMED_S + 5)
    assert not file.parent.exists()


def test_a_claimed_upload_waits_longer_but_claims_do_not_add_up(uploads):
    file, now = waiting(), time.time()
    upload_store.claim(str(file))
    upload_store.sweep(now + UNCLAIMED_S + 5)
    assert file.exists()
    upload_store.claim(str(file))
    upload_store.sweep(now + CLAIMED_S + 5)
    assert not file.parent.exists()


def test_the_empty_placeholders_of_gradio_are_removed_at_once(uploads):
    (uploads / "tmpabc").touch()
    upload_store.sweep()
    assert list(uploads.iterdir()) == []


def test_a_link_among_the_uploads_is_removed_and_not_followed(uploads, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "kept"
    outside.write_bytes(b"x")
    (uploads / "link").symlink_to(outside.parent)
    upload_store.sweep(time.time() + 10 * UNCLAIMED_S)
    assert outside.exists()
    assert list(uploads.iterdir()) == []


PROCESS = """
import sys, time
from components.server.files.run_folder import own_upload_folder
folder = own_upload_folder()
(folder / "upload").write_bytes(b"x")
print(folder, flush=True)
sys.stdin.read()
"""


def process(base: Path) -> tuple[subprocess.Popen[bytes], Path]:
    """A process that has a folder of its own in ``base`` and waits."""
    one = subprocess.Popen(
        [sys.executable, "-c", PROCESS],
        env={**os.environ, "GRADIO_TEMP_DIR": str(base), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert one.stdout is not None
    return one, Path(one.stdout.readline().decode().strip())


def end(one: subprocess.Popen[bytes]) -> None:
    one.communicate(timeout=60)


def test_a_folder_of_a_killed_process_is_removed_and_that_of_a_live_one_stays(tmp_path):
    killed, first = process(tmp_path)
    live, second = process(tmp_path)
    try:
        assert (first / "upload").exists()
        killed.kill()
        killed.communicate(timeout=60)
        third_process, third = process(tmp_path)
        assert not first.exists()
        assert (second / "upload").exists()
        end(third_process)
        assert not third.exists()
    finally:
        end(live)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_folder_of_uploads_stays(tmp_path):
    (tmp_path / f"{PREFIX}file").touch()
    (tmp_path / "other").mkdir()
    one, _ = process(tmp_path)
    end(one)
    assert {path.name for path in tmp_path.iterdir()} == {f"{PREFIX}file", "other"}


def test_a_process_has_one_folder_however_often_it_asks(uploads):
    folder = own_upload_folder()
    assert own_upload_folder() == folder
    assert folder.parent == uploads
    remove_folder(folder)
    assert not folder.exists()
