"""Eighteen planted identifiers and a file name: where they went, which is nowhere."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import subprocess
import sys
import time
import zipfile
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import httpx
import pytest
from browsing import Visit
from gradio_client import Client, handle_file
from planting import (
    BROKEN,
    CUT,
    DATES,
    MEMBER,
    NIFTI_WORDS,
    STORAGE,
    WORDS,
    Model,
    planted_dicom,
    planted_nifti,
    sizes,
    traces,
    walked,
)
from serving import LOUD, ROOT, environment, page

from components.server import SWEEP_S, UNCLAIMED_S


@pytest.fixture(scope="module")
def scans(tmp_path_factory):
    """A DICOM file, a NIfTI file, a zip of the first, and one that cannot be read."""
    folder = tmp_path_factory.mktemp("given")
    one = planted_dicom(folder / f"{WORDS['file']}_19310207.dcm")
    two = planted_nifti(folder / f"{WORDS['file']}.nii.gz")
    three, four = folder / f"{MEMBER}.zip", folder / f"{BROKEN}.nii.gz"
    with zipfile.ZipFile(three, "w") as archive:
        archive.writestr(f"{MEMBER}/{MEMBER}.dcm", one.read_bytes())
    four.write_bytes(gzip.compress(BROKEN.encode() * 30)[:60])
    return (one, two, three, four)


@pytest.fixture(scope="module")
def model():
    heard: list[bytes] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Listening", (Model,), {"heard": heard}))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1", heard
    server.shutdown()


@pytest.fixture(scope="module")
def own(tmp_path_factory, settings, model):
    """A page in its own process and folders, with the language model above."""
    told = {"SCANSCOUT_LLM_BASE_URL": model[0], "SCANSCOUT_LLM_MODEL": "m"}
    with page(tmp_path_factory.mktemp("own"), settings, **told) as served:
        yield served


@pytest.fixture(scope="module")
def before(own):
    """Size and time of every file that the server had before it saw a scan."""
    return {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in kept(own)}


@pytest.fixture(scope="module")
def answered(own, before, scans):
    """What /recommend_files says of the scans, plainly and with a language model."""
    client, given = Client(own.url, verbose=False), [handle_file(str(path)) for path in scans]
    return [
        client.predict("segment brain", given, mode, 5, api_name="/recommend_files")
        for mode in ("hybrid", "biocortex")
    ]


@pytest.fixture(scope="module")
def visited(own, before, contexts, scans):
    """The page after the scans were uploaded, searched with, looked at and exported."""
    tab = contexts("desktop", False, True).new_page()
    tab.set_default_timeout(60_000)
    visit = Visit(page=tab, url=own.url, phone=False).go().upload(*scans)
    read = {"panel": tab.locator("#scan").inner_html(), "read": tab.content()}
    visit.find("segment brain")
    tab.click("#cards .card")
    read |= {
        "page": tab.content(),
        "frames": "".join(frame.content() for frame in tab.frames),
        "address": tab.url + urlsplit(tab.url).query,
        "values": json.dumps(tab.eval_on_selector_all("input, textarea", "e => e.map(x=>x.value)")),
        "graph": json.dumps([visit.graph("nodes"), visit.graph("edges")]),
        "json": visit.exported("json"),
        "csv": visit.exported("csv"),
        "storage": tab.evaluate(STORAGE),
        "profile": json.dumps(tab.context.storage_state()),
    }
    yield visit, read
    tab.close()


def kept(served) -> list[Path]:
    """Every file that the server may have written, its log apart."""
    files = (p for place in served.places for p in walked(place) if p.is_file())
    return [p for p in files if p != served.root / "log"]


def leaks(served, before) -> list[str]:
    """Files and folders that bear or hold a planted word, of those that are new or changed."""
    found = [str(p) for p in walked(served.root) if traces(str(p.relative_to(served.root)))]
    for path in kept(served):
        with contextlib.suppress(FileNotFoundError):  # deleted since it was listed
            told = path.stat()
            changed = before.get(path) != (told.st_size, told.st_mtime_ns)
            if changed and traces(path.read_bytes()):
                found.append(str(path))
    return found


def gone(served, before) -> float:
    """Seconds until nothing is left; a busy machine may sweep late."""
    began = time.monotonic()
    while (left := leaks(served, before)) and time.monotonic() - began < 150:
        time.sleep(0.2)
    assert left == []
    return time.monotonic() - began


def test_the_search_for_traces_would_find_every_planted_word(scans):
    words = [*WORDS.values(), *DATES.values()]
    raw = b"".join(path.read_bytes() for path in (scans[0], scans[2]))
    raw += gzip.decompress(scans[1].read_bytes()) + "".join(map(str, scans)).encode()
    assert {word[:9].encode() for word in [*words, *NIFTI_WORDS.values(), MEMBER, BROKEN]} <= {
        trace[:9] for trace in traces(raw)
    }
    assert len(words) >= 18


@pytest.mark.parametrize(
    "place",
    [
        "panel",
        "read",
        "page",
        "frames",
        "address",
        "values",
        "graph",
        "json",
        "csv",
        "storage",
        "profile",
    ],
)
def test_no_identifier_is_in_the_browser(visited, place):
    said = visited[1][place]
    assert said
    assert traces(said) == []


def test_the_page_did_read_the_scans(visited):
    assert {"format:DICOM", "format:NIfTI", "format:MRI"} <= set(visited[0].chips())
    assert "File 4:" in visited[0].page.locator("#scan [role=alert]").inner_text()
    assert visited[0].graph("nodes")


def test_no_identifier_is_in_the_api_answers(answered):
    assert traces(json.dumps(answered)) == []
    assert all("format:DICOM" in told["query"]["tokens"] for told in answered)


def test_no_identifier_is_told_to_a_language_model(answered, model):
    assert model[1]
    assert traces(b"".join(model[1])) == []


def test_no_identifier_is_in_a_file_of_the_server_and_no_upload_is_left(
    own, before, answered, visited
):
    sys.stdout.write(f"nothing left after {gone(own, before):.1f} s\n")
    assert sizes(own.uploads) == {}


def test_no_identifier_is_in_the_log_at_debug(own, answered, visited):
    said = own.log()
    assert "DEBUG" in said
    assert traces(said) == []


def test_an_upload_that_is_cut_off_leaves_nothing(own, before):
    place = urlsplit(own.url)
    part = f'--b\r\ncontent-disposition: form-data; name="files"; filename="{CUT}.dcm"\r\n\r\n'
    head = f"POST /gradio_api/upload HTTP/1.1\r\nhost: {place.netloc}\r\ncontent-length: 900000"
    head += "\r\ncontent-type: multipart/form-data; boundary=b\r\n\r\n"
    with socket.create_connection((place.hostname, place.port)) as line:
        line.sendall(f"{head}{part}".encode() + CUT.encode() * 20_000)
        ends = time.monotonic() + 60
        while not leaks(own, before) and time.monotonic() < ends:
            time.sleep(0.05)
        assert leaks(own, before)
    gone(own, before)
    assert traces(own.log()) == []


def asked_by_hand(own, body: str) -> str:
    """What /recommend_files says to a body that no client would send."""
    ask = f"{own.url}gradio_api/call/recommend_files"
    told = httpx.post(ask, content=body, headers={"content-type": "application/json"}, timeout=60)
    if told.status_code != 200:
        return told.text
    return httpx.get(f"{ask}/{told.json()['event_id']}", timeout=60).text


def with_path(path: Path, **more: object) -> str:
    return json.dumps({"data": ["x", [{"path": str(path), **more}], "hybrid", 5]})


META = {"meta": {"_type": "gradio.FileData"}}


def test_the_folder_of_all_uploads_is_no_upload(own, scans):
    with scans[0].open("rb") as stream:
        sent = httpx.post(
            f"{own.url}gradio_api/upload", files={"files": (scans[0].name, stream)}, timeout=60
        )
    stored = Path(sent.json()[0])
    for folder in (own.uploads, stored.parent):
        assert "DICOM" not in asked_by_hand(own, with_path(folder, **META))
        assert stored.is_file()
    assert "format:DICOM" in asked_by_hand(own, with_path(stored, **META))
    assert not stored.exists()


@pytest.mark.parametrize("more", [{}, META], ids=["plain", "meta"])
@pytest.mark.parametrize("key", ["path", "p\\u0061th"])
def test_a_path_of_the_server_is_neither_read_nor_deleted_nor_logged(own, scans, key, more):
    said = asked_by_hand(own, with_path(scans[0], **more).replace("path", key))
    assert "DICOM" not in said
    assert traces(said) == []
    assert scans[0].is_file()
    assert traces(own.log()) == []


@pytest.mark.parametrize("command", ["scan", "search"])
def test_the_command_line_tells_nothing_and_leaves_every_file_in_place(command, scans, tmp_path):
    held = {path: path.read_bytes() for path in scans}
    files = [part for path in scans for part in ("--file", str(path))]
    given = ["scan", *map(str, scans)] if command == "scan" else ["search", "segment brain", *files]
    code = f"{LOUD}sys.argv[1:] = {given!r}; runpy.run_module('retrieval', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(tmp_path, SCANSCOUT_VECTOR_SEARCH="false"),
        capture_output=True,
        check=True,
    )
    assert b"DICOM" in done.stdout or b"CT" in done.stdout
    assert traces(done.stdout + done.stderr) == []
    assert {path: path.read_bytes() for path in scans} == held
    written = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert (
        traces(b"".join([*map(Path.read_bytes, written), *(str(p).encode() for p in written)]))
        == []
    )


def test_an_upload_that_nobody_asks_about_is_deleted_within_a_minute():
    assert SWEEP_S + UNCLAIMED_S <= 60
