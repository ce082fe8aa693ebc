"""Uploads as an ASGI application; tests/e2e/test_upload_life.py has the page around it."""

import asyncio
import errno
import json
from pathlib import Path
from time import monotonic

import pytest

from components.server.files import upload_store
from components.server.files.upload_budget import UploadBudget
from components.server.files.uploads import Uploads

HEAD = b'--b\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\n'
END = b"\r\n--b--\r\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    return tmp_path


def uploads(**how):
    budget = UploadBudget(per_address=10_000_000, overall=10_000_000)
    return Uploads(file_bytes=1000, request_bytes=3000, budget=budget, **how)


def answer(app, *pieces: bytes | None, then: str = "end"):
    """Status and text of the answer; after the pieces comes an end, a cut or silence.

    ``then="open"``: the body ends, and the client waits for the answer.
    """
    left, sent = list(pieces), []

    async def receive():
        if left:
            more = bool(left[1:]) or then not in {"end", "open"}
            return {"type": "http.request", "body": left.pop(0), "more_body": more}
        if then in {"silence", "open"}:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "headers": [(b"content-type", b"multipart/form-data; boundary=b")],
        "client": ("10.0.0.1", 1),
    }
    asyncio.run(asyncio.wait_for(app(scope, receive, send), 30))
    if not sent:
        return 0, b""
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def test_the_files_of_a_body_in_single_bytes_are_stored(folder):
    body = HEAD + b"\r\n-" * 9 + END
    status, text = answer(uploads(), *(body[place : place + 1] for place in range(len(body))))
    assert status == 200
    assert [Path(path).read_bytes() for path in json.loads(text)] == [b"\r\n-" * 9]


def test_a_body_that_falls_silent_is_answered_and_removed(folder):
    status, text = answer(uploads(stall_s=0.1), HEAD, b"x" * 100, then="silence")
    assert (status, b"upload again" in text) == (408, True)
    assert list(folder.iterdir()) == []


def test_a_body_that_is_cut_is_removed(folder):
    assert answer(uploads(), HEAD, b"x" * 100, then="cut") == (0, b"")
    assert list(folder.iterdir()) == []


def test_an_upload_under_way_ends_when_the_page_is_stopped(folder):
    app = uploads()
    app.stopping.set()
    status, _ = answer(app, HEAD, then="silence")
    assert status == 503
    assert list(folder.iterdir()) == []


def test_one_file_that_is_refused_takes_the_others_with_it(folder):
    second = HEAD.replace(b'name="files"', b'name="file"')
    status, text = answer(uploads(), HEAD + b"one\r\n" + second + b"two" + END)
    assert (status, b"'file'" in text) == (400, True)
    assert list(folder.iterdir()) == []


def test_a_refusal_after_the_whole_body_waits_for_nothing(folder):
    start = monotonic()
    status, _ = answer(uploads(), b"--b--\r\n", then="open")
    assert status == 400
    assert monotonic() - start < 5


@pytest.mark.parametrize(
    "part",
    [
        b'--b\r\ncontent-disposition: form-data; name="files"\r\n\r\n',
        b'--b\r\ncontent-disposition: form-data; filename="a"\r\n\r\n',
        b"--b\r\n\r\n",
        b"--c\r\n\r\n",
        b"--b\r\n" + b"x: y\r\n" * 100 + b"\r\n",
    ],
    ids=["no file name", "no part name", "no header", "another boundary", "many headers"],
)
def test_a_malformed_part_is_refused(folder, part):
    assert answer(uploads(), part + b"x" + END)[0] == 400
    assert list(folder.iterdir()) == []


def test_a_refused_upload_counts_until_a_minute_after_its_end(folder):
    app = uploads()
    answer(app, HEAD, b"x" * 2000 + END)
    assert app.budget._total == len(HEAD) + 2000 + len(END)
    assert len(app.budget._ended) == 1


@pytest.mark.parametrize("name", [b"scan..", b".hidden", b"a b.nii.gz"])
def test_an_odd_name_is_a_name(folder, name):
    assert answer(uploads(), HEAD.replace(b'"a"', b'"' + name + b'"') + b"x" + END)[0] == 200


def test_an_upload_without_any_file_is_refused(folder):
    assert answer(uploads(), b"--b--\r\n")[0] == 400


def test_a_full_disk_is_told_and_leaves_nothing(folder, monkeypatch):
    def full(_: str) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(upload_store, "reserve", full)
    status, text = answer(uploads(), HEAD + b"x" + END)
    assert (status, b"no room" in text) == (507, True)


def test_what_a_visitor_sent_is_not_logged(folder, caplog):
    caplog.set_level("INFO")
    answer(uploads(), HEAD.replace(b'"a"', b'".."').replace(b"files", b"planted") + END)
    answer(uploads(), b"planted" + HEAD + END)
    answer(uploads(), HEAD + END + b"planted")
    assert "planted" not in caplog.text


def test_every_file_of_a_folder_is_stored_under_its_own_name(folder):
    parts = [HEAD.replace(b'"a"', b'"IM%03d"' % n) + b"%d" % n for n in range(120)]
    body = b"\r\n".join(parts) + END
    app = uploads()
    app.request_bytes = len(body)
    paths = [Path(path) for path in json.loads(answer(app, body)[1])]
    assert [path.name for path in paths] == [f"IM{n:03}" for n in range(120)]
    assert [path.read_bytes() for path in paths] == [b"%d" % n for n in range(120)]
