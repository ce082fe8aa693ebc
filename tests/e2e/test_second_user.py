"""While one user's hostile file is being read, another user's search keeps its time."""

from __future__ import annotations

import io
import struct
import sys
import zipfile
import zlib
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from statistics import median
from time import perf_counter

import pytest
from gradio_client import Client, handle_file
from planting import sizes
from serving import page

from tests.scans.makers import dicom, nifti, smooth
from tests.scans.test_scan_guards import ITEM, deflated_bomb, sequence, with_elements

ROUNDS, FLOOR_S, MOST_MB = 2, 1.0, 500
NUMBERS = count()


def deflated(path):
    return deflated_bomb(path, 2000)


def nested_zip(path):
    raw = bytes(50 << 20)
    for depth in range(6):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for copy in range(1 if depth == 0 else 8):
                archive.writestr(f"{copy}.zip" if depth else "a.dcm", raw)
        raw = packed.getvalue()
    path.write_bytes(raw)
    return path


def gzip_bomb(path):
    head = nifti(path.with_suffix(".nii"), smooth((5, 6, 7))).read_bytes()
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    path.write_bytes(body + block * 2000)
    return path


def many_items(path):
    return with_elements(path, sequence(ITEM * 300_000))


def many_elements(path):
    return with_elements(path, (struct.pack("<HH2sH", 9, 0x10, b"LO", 2) + b"ab") * 2_000_000)


BOMBS = (deflated, nested_zip, gzip_bomb, many_items, many_elements)


@pytest.fixture(scope="module")
def own(tmp_path_factory, settings):
    with page(tmp_path_factory.mktemp("second"), settings, SCANSCOUT_MAX_UPLOAD_MB="60") as served:
        yield served


@pytest.fixture(scope="module")
def second(own):
    client = Client(own.url, verbose=False)
    plain(client)
    return client


@pytest.fixture(scope="module")
def first(own, second, tmp_path_factory):
    """The first user, who has read a scan already: libraries are loaded once."""
    client = Client(own.url, verbose=False)
    read(client, dicom(tmp_path_factory.mktemp("good") / "a.dcm", "MR"))
    return client


@pytest.fixture(scope="module")
def usual(first, second):
    """Seconds of a search when nobody else is there."""
    return median(plain(second) for _ in range(7))


def plain(client) -> float:
    """Seconds of one search, in words that no earlier one had."""
    began = perf_counter()
    text = f"segment the lungs in scan number {next(NUMBERS)}"
    told = client.predict(text, [], "hybrid", 5, api_name="/recommend")
    assert len(told["candidates"]) == 5
    return perf_counter() - began


def read(client, path):
    return client.predict(
        "segment brain", [handle_file(str(path))], "hybrid", 5, api_name="/recommend_files"
    )


def during(busy: Future, client, own) -> tuple[list[float], float]:
    """The second user's times while the first is busy, and the most memory seen."""
    times, most = [], own.resident_mb()
    while not busy.done() or not times:
        times.append(plain(client))
        most = max(most, own.resident_mb())
    return times, most


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.__name__)
def test_a_second_user_keeps_the_usual_time_while_a_bomb_is_read(
    bomb, own, first, second, usual, tmp_path
):
    path, before = bomb(tmp_path / "a"), own.resident_mb()
    times: list[float] = []
    most = before
    with ThreadPoolExecutor(1) as pool:
        for _ in range(ROUNDS):
            busy = pool.submit(read, first, path)
            more, peak = during(busy, second, own)
            times, most = [*times, *more], max(most, peak)
            told = busy.result()
            assert told["upload"]["scans"] or told["upload"]["refused"]
    sys.stdout.write(
        f"\n{bomb.__name__}: {path.stat().st_size / 1e6:.1f} MB, {len(times)} searches, median "
        f"{median(times):.2f} s, worst {max(times):.2f} s, usual {usual:.2f} s, "
        f"memory {most - before:+.0f} MB\n"
    )
    alone = max(usual, median(plain(second) for _ in range(3)))
    assert median(times) <= max(2 * alone, FLOOR_S)
    assert most - before < MOST_MB
    assert own.alive()


def test_nothing_of_the_bombs_is_left(own, second):
    plain(second)
    assert sizes(own.uploads) == {}
