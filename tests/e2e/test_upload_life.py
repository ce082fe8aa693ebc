"""An upload has a path of its own, is checked, counted, and ends with what it was sent for."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from planting import sizes, walked
from serving import answers, page

from tests.scans.makers import dicom

PLAIN = {"SCANSCOUT_VECTOR_SEARCH": "false"}
"""Uploads need no encoder, and a page without one starts in seconds."""
META = {"meta": {"_type": "gradio.FileData"}}
SLOW = 120
MB = 1_000_000


@pytest.fixture(scope="module")
def settings(settings, tmp_path_factory):
    """A catalog of sixty records: eleven pages are started here, and an upload asks none of it."""
    path = tmp_path_factory.mktemp("few") / "tools.jsonl"
    lines = settings.catalog.read_text("utf-8").splitlines()[:60]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return settings.model_copy(update={"catalog": path})


@pytest.fixture(scope="module")
def own(tmp_path_factory, settings):
    with page(tmp_path_factory.mktemp("uploading"), settings, answers, **PLAIN) as served:
        yield served


@pytest.fixture(scope="module")
def scan(tmp_path_factory):
    return dicom(tmp_path_factory.mktemp("scan") / "a.dcm", "MR").read_bytes()


def sent(served, data: bytes, name: str = "a.dcm", part: str = "files", **headers: str):
    return httpx.post(
        f"{served.url}gradio_api/upload",
        files={part: (name, data)},
        headers={key.replace("_", "-"): value for key, value in headers.items()},
        timeout=SLOW,
    )


def sent_raw(served, name: str, data: bytes = b"x", end: bytes = b"\r\n--b--\r\n"):
    """An upload written by hand: a client would correct the name or the end."""
    head = f'--b\r\ncontent-disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
    return httpx.post(
        f"{served.url}gradio_api/upload",
        content=head.encode() + data + end,
        headers={"content-type": "multipart/form-data; boundary=b"},
        timeout=SLOW,
    )


def facts(served, path: str) -> str:
    """What /recommend_files says of a stored upload."""
    url = f"{served.url}gradio_api/call/recommend_files"
    data = ["segment brain", [{"path": path, **META}], "keyword", 5]
    event = httpx.post(url, json={"data": data}, timeout=SLOW).json()["event_id"]
    return httpx.get(f"{url}/{event}", timeout=SLOW).text


@pytest.fixture(scope="module", autouse=True)
def forgotten(own, scan):
    """An upload sent before the first test, and whether it lay in its folder then."""
    stored = Path(sent(own, scan).json()[0])
    return stored, stored.is_file()


def half_sent(served, data: bytes) -> socket.socket:
    """A connection that has sent the beginning of an upload and keeps silent."""
    place = urlsplit(served.url)
    part = '--b\r\ncontent-disposition: form-data; name="files"; filename="half.dcm"\r\n\r\n'
    head = f"POST /gradio_api/upload HTTP/1.1\r\nhost: {place.netloc}\r\ncontent-length: 900000"
    head += "\r\ncontent-type: multipart/form-data; boundary=b\r\n\r\n"
    line = socket.create_connection((place.hostname, place.port))
    line.sendall(f"{head}{part}".encode() + data)
    return line


def until(condition, seconds: float = 60) -> bool:
    ends = time.monotonic() + seconds
    while not condition() and time.monotonic() < ends:
        time.sleep(0.1)
    return bool(condition())


def names(root: Path) -> list[str]:
    return [str(path.relative_to(root)) for path in walked(root)]


def test_six_visitors_with_the_same_file_all_get_its_facts(own, scan):
    with ThreadPoolExecutor(6) as pool:
        paths = [answer.json()[0] for answer in pool.map(lambda _: sent(own, scan), range(6))]
        answers = list(pool.map(lambda path: facts(own, path), paths))
    assert len(set(paths)) == 6
    assert ["format:DICOM" in answer for answer in answers] == [True] * 6


def test_the_path_of_an_upload_cannot_be_worked_out_from_its_bytes(own, scan):
    folders = {Path(sent(own, scan).json()[0]).parent.name for _ in range(3)}
    assert len(folders) == 3
    assert all(len(folder) >= 32 for folder in folders)


NO_NAMES = ("..", ".", "", "/", "a/..", "..\\..", "\\")
NO_ENDS = (b"", b"\r\n--b", b"\r\n--b\r\n")


@pytest.fixture(scope="module")
def refusals(own):
    """The answers to what is refused, sent side by side: each takes ten seconds."""
    with ThreadPoolExecutor(1 + len(NO_NAMES) + len(NO_ENDS)) as pool:
        begun = {"part": pool.submit(sent, own, b"planted-part" * 100, part="file")}
        for name in NO_NAMES:
            begun[name] = pool.submit(sent_raw, own, name, b"planted-name" * 100)
        for end in NO_ENDS:
            begun[end] = pool.submit(sent_raw, own, "a.dcm", b"planted-end" * 100, end)
    return {what: one.result() for what, one in begun.items()}


def test_a_part_that_is_not_named_files_is_refused_and_not_stored(own, refusals):
    answer = refusals["part"]
    assert (answer.status_code, "named 'files'" in answer.text) == (400, True)
    assert not stored_bytes(own, b"planted-part")


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_name_that_is_none_is_refused_and_not_stored(own, refusals, name):
    answer = refusals[name]
    assert (answer.status_code, "name" in answer.text) == (400, True)
    assert not stored_bytes(own, b"planted-name")


@pytest.mark.parametrize("name", ["/etc/passwd", "C:\\\\scans\\\\passwd", "../../passwd"])
def test_of_a_path_only_the_last_part_is_used(own, name):
    stored = Path(sent_raw(own, name).json()[0])
    assert stored.name == "passwd"
    assert own.uploads in stored.parents


@pytest.mark.parametrize("end", NO_ENDS)
def test_a_body_without_its_last_boundary_is_refused_and_not_stored(own, refusals, end):
    answer = refusals[end]
    assert (answer.status_code, "complete" in answer.text) == (400, True)
    assert not stored_bytes(own, b"planted-end")


def test_a_form_with_files_is_refused_on_every_other_route(own):
    files = {"data": ("a.dcm", b"planted-form" * 100)}
    answer = httpx.post(f"{own.url}gradio_api/component_server", files=files, timeout=SLOW)
    assert answer.status_code == 415
    assert not stored_bytes(own, b"planted-form", own.root / "tmp")


def stored_bytes(served, word: bytes, root: Path | None = None) -> list[Path]:
    """Files below the folder of uploads that hold a word."""
    found = []
    for path in walked(root or served.uploads):
        try:
            found += [path] if path.is_file() and word in path.read_bytes() else []
        except FileNotFoundError:
            continue
    return found


def test_an_upload_that_is_read_leaves_neither_file_nor_folder(own, scan):
    stored = Path(sent(own, scan).json()[0])
    assert "format:DICOM" in facts(own, str(stored))
    assert not stored.parent.exists()


def test_the_progress_of_an_upload_can_be_followed(own, scan):
    where = f"{own.url}gradio_api/upload"
    answer = httpx.post(f"{where}?upload_id=abc123", files={"files": ("a", scan)}, timeout=SLOW)
    assert answer.status_code == 200
    with httpx.stream("GET", f"{where}_progress?upload_id=abc123", timeout=SLOW) as events:
        lines = [json.loads(line[6:])["msg"] for line in events.iter_lines() if line[:5] == "data:"]
    assert lines[-1] == "done"


def test_a_file_over_the_limit_is_refused_in_words(tmp_path, settings):
    with page(tmp_path, settings, answers, **PLAIN, SCANSCOUT_MAX_UPLOAD_MB="1") as served:
        one, all_files = sent(served, bytes(2 * MB)), sent(served, bytes(4 * MB))
        assert (one.status_code, all_files.status_code) == (413, 413)
        assert "1 MB" in one.text
        assert "3 MB" in all_files.text
        assert sizes(served.uploads) == {}


def test_fifty_visitors_behind_one_address_upload_five_megabytes_each(own):
    data = bytes(5 * MB)
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: sent(own, data).status_code, range(50)))
    assert codes == [200] * 50


def test_more_bytes_a_minute_than_the_limit_are_refused_for_that_address_alone(tmp_path, settings):
    limits = {"SCANSCOUT_UPLOAD_MB_PER_MINUTE": "3", "SCANSCOUT_UPLOAD_MB_PER_MINUTE_ALL": "6"}
    proxy = {"SCANSCOUT_TRUSTED_PROXIES": "127.0.0.1"}
    with page(tmp_path, settings, answers, **PLAIN, **limits, **proxy) as served:
        data = bytes(2 * MB)
        codes = [
            sent(served, data, x_forwarded_for=address).status_code
            for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3")
        ]
        assert codes == [200, 429, 200, 429]
        refused = sent(served, data, x_forwarded_for="10.0.0.1")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert "minute" in refused.text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["term", "int"])
def test_a_page_that_is_asked_to_end_leaves_no_upload(tmp_path, settings, scan, number):
    with page(tmp_path, settings, answers, **PLAIN) as served:
        assert sent(served, scan).status_code == 200
        with half_sent(served, b"half" * 5000):
            assert until(lambda: len(sizes(served.uploads)) == 2)
            served.process.send_signal(number)
            assert served.process.wait(30) == 0
        assert names(served.uploads) == []


def test_an_answer_under_way_is_finished_before_the_page_ends(tmp_path, settings, scan):
    with page(tmp_path, settings, answers, **PLAIN) as served, ThreadPoolExecutor(1) as pool:
        path = sent(served, scan).json()[0]
        answer = pool.submit(facts, served, path)
        # The file is deleted once it is read: its going shows that the answer is under way.
        until(lambda: not Path(path).exists(), 30)
        served.process.send_signal(signal.SIGTERM)
        assert "format:DICOM" in answer.result(60)
        assert served.process.wait(30) == 0


def test_the_uploads_of_a_killed_page_are_removed_at_the_next_start(tmp_path, settings, scan):
    with page(tmp_path, settings, answers, **PLAIN) as killed:
        assert sent(killed, scan).status_code == 200
        with half_sent(killed, b"half" * 5000):
            assert until(lambda: len(sizes(killed.uploads)) == 2)
            killed.process.kill()
            killed.process.wait(30)
    assert sizes(killed.uploads)
    with page(tmp_path, settings, answers, **PLAIN) as served:
        assert sizes(served.uploads) == {}
        assert len(list(served.uploads.iterdir())) == 1


def test_a_second_page_leaves_the_uploads_of_the_first(tmp_path, settings, scan, own):
    shared = {"GRADIO_TEMP_DIR": str(own.uploads)}
    path = sent(own, scan).json()[0]
    with page(tmp_path, settings, answers, **PLAIN, **shared) as second:
        other = sent(second, scan).json()[0]
        assert Path(other).parent.parent != Path(path).parent.parent
        fresh = sent(own, scan).json()[0]
    assert not Path(other).exists()
    assert "format:DICOM" in facts(own, fresh)


def test_a_body_of_pieces_without_end_is_cut_at_the_limit(tmp_path, settings):
    with page(tmp_path, settings, answers, **PLAIN, SCANSCOUT_MAX_UPLOAD_MB="1") as served:
        place = urlsplit(served.url)
        line = http.client.HTTPConnection(place.hostname, place.port, timeout=SLOW)
        line.putrequest("POST", "/gradio_api/upload")
        line.putheader("content-type", "multipart/form-data; boundary=b")
        line.putheader("transfer-encoding", "chunked")
        line.endheaders()
        head = b'--b\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\n'
        pieces = (head, *[bytes(100_000)] * 30)
        for piece in pieces:
            line.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        assert line.getresponse().status == 413
        line.close()
        assert sizes(served.uploads) == {}


def test_an_upload_that_nobody_asks_about_leaves_no_folder(forgotten):
    """The last test here: its minute passes while the others run."""
    stored, folder_was_there = forgotten
    assert folder_was_there
    assert until(lambda: not stored.parent.exists(), 90)
