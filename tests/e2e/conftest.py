"""One real page over one real engine, a browser that cannot leave it, scans made on the spot."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import nibabel as nib
import numpy as np
import pytest
from browsing import SIZES, Visit
from hostile import FORMS
from msgspec.structs import replace
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian, generate_uid

from components.page import build_page
from components.panels.search import scan
from components.serve import serve
from retrieval import Settings, Why, open_engine

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENT = "Canary^Patricia"
HOSTILE = {
    "id": "hostile_tool",
    "name": "<img src=x onerror=window.pwned=1>Zorblax",
    "description": f"zorblaxing of images {' '.join(FORMS)} with care",
    "keywords": ["zorblax", *FORMS],
    "tasks": [],
    "sources": [],
}


def pytest_collection_modifyitems(items):
    for item in items:
        if "/e2e/" in str(item.path):
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.model)


GATE = Event()
GATE.set()


class Staged:
    """The real engine, held up, broken or without a reranker by words in the text."""

    def __init__(self, engine):
        self._engine = engine

    def __getattr__(self, name):
        return getattr(self._engine, name)

    def stream(self, text, mode="hybrid", **how):
        told = False
        for answer in self._engine.stream(text, mode, **how):
            if told and "slowly" in text:
                GATE.wait(60)
            told = told or any(one.name.endswith("dense") for one in answer.result.stages())
            if "explode" in text and answer.result.children:
                raise RuntimeError("/secret/server/path exploded")
            yield changed(answer, text)


def changed(answer, text):
    """The answer without a reranker, or with what a hostile model says, where words ask for it."""
    if "norerank" in text:
        return _without_rerank(answer)
    return _reasoned(answer) if "modelsays" in text and answer.done else answer


def _reasoned(answer):
    why = tuple(Why(kind="model", stage="rerank", text=form, value=1.0) for form in FORMS)

    def said(node):
        found = tuple(replace(one, why=why) for one in node.state.candidates)
        state = replace(node.state, candidates=found)
        return replace(node, state=state, note=" ".join(FORMS))

    parts = tuple(said(n) if n.name == "rerank" else n for n in answer.result.children)
    return replace(answer, result=replace(said(answer.result), children=parts))


def _without_rerank(answer):
    def failed(node):
        note = "failed on a defect; see the log"
        return replace(node, status="failed", note=note, children=())

    parts = tuple(failed(n) if n.name == "rerank" else n for n in answer.result.children)
    return replace(answer, result=replace(answer.result, children=parts))


@pytest.fixture(scope="session")
def upload_dir(tmp_path_factory):
    """Where the web server stores uploads; watched by the tests that say nothing stays."""
    folder = tmp_path_factory.mktemp("uploads", numbered=True)
    old, tempfile.tempdir = tempfile.tempdir, str(folder)
    os.environ["GRADIO_TEMP_DIR"] = str(folder / "gradio")
    yield folder
    tempfile.tempdir = old
    os.environ.pop("GRADIO_TEMP_DIR")


@pytest.fixture(scope="session")
def settings(tmp_path_factory):
    root = tmp_path_factory.mktemp("state")
    shipped = Settings(_env_file=None).catalog.read_text(encoding="utf-8").rstrip("\n")
    catalog = root / "tools.jsonl"
    catalog.write_text(f"{shipped}\n{json.dumps(HOSTILE)}\n", encoding="utf-8")
    cache = os.environ.get("SCANSCOUT_TEST_CACHE")
    return Settings(
        _env_file=None,
        catalog=catalog,
        index_dir=Path(cache or root) / "index",
        cache_dir=Path(cache or root) / "cache",
        port=0,
        max_upload_mb=5,
    )


@pytest.fixture(scope="session")
def engine(settings):
    return open_engine(settings)


@pytest.fixture
def held():
    """Every search whose words say "slowly" stops after its first stage, until this is set."""
    GATE.clear()
    yield GATE
    GATE.set()


@pytest.fixture(scope="session")
def served(engine, settings, upload_dir) -> Iterator[str]:
    page = build_page(Staged(engine), settings)
    _, url, _ = serve(page, settings, prevent_thread_lock=True)
    yield url
    page.close(verbose=False)


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium, which finds no host but this one."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed; apt-get install chromium")
    from playwright.sync_api import sync_playwright

    alone = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
    with sync_playwright() as driver:
        opened = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", alone]
        )
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def contexts(browser):
    """One browser profile a size and colour scheme, so that scripts are compiled once."""
    opened = {}

    def context(size: str, dark: bool, fresh: bool):
        if not fresh and (size, dark) in opened:
            return opened[size, dark]
        width, height = SIZES[size]
        made = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            has_touch=size == "phone",
            accept_downloads=True,
        )
        if not fresh:  # what a test keeps in a fresh profile is nobody else's
            opened[size, dark] = made
        return made

    return context


@pytest.fixture(params=list(SIZES))
def size(request):
    return request.param


@pytest.fixture
def visiting(contexts, served):
    """A maker of visits, each a page of its own."""
    pages = []

    def visit(size: str = "desktop", *, dark: bool = False, fresh: bool = False) -> Visit:
        page = contexts(size, dark, fresh).new_page()
        pages.append(page)
        page.set_default_timeout(45_000)
        one = Visit(page=page, url=served, phone=size == "phone")
        _watch(one)
        return one

    yield visit
    for page in pages:
        page.close()


@pytest.fixture
def visit(visiting, size):
    return visiting(size).go()


@pytest.fixture
def desktop(visiting):
    """A visit for what does not depend on the window's size."""
    return visiting("desktop").go()


def _watch(visit: Visit) -> None:
    def asked(request) -> None:
        if not request.url.startswith((visit.url, "data:", "blob:")):
            visit.outside.append(request.url)

    visit.page.on("request", asked)
    visit.page.on("console", lambda m: visit.errors.append(m.text) if m.type == "error" else None)
    visit.page.on("pageerror", lambda e: visit.errors.append(str(e)))


@pytest.fixture(scope="session")
def nifti(tmp_path_factory):
    path = tmp_path_factory.mktemp("nii") / "smith_john_t1.nii.gz"
    volume = np.random.default_rng(1).integers(0, 900, (24, 28, 20)).astype(np.int16)
    nib.save(nib.Nifti1Image(volume, np.diag([1.0, 1.0, 1.5, 1.0])), path)
    return path


@pytest.fixture(scope="session")
def broken_nifti(tmp_path_factory):
    path = tmp_path_factory.mktemp("bad") / "doe_jane.nii.gz"
    path.write_bytes(gzip.compress(b"\0" * 400)[:40])
    return path


def series_slice(number: int, series: str) -> Dataset:
    one = Dataset()
    one.file_meta = FileMetaDataset()
    one.file_meta.MediaStorageSOPClassUID = CTImageStorage
    one.file_meta.MediaStorageSOPInstanceUID = generate_uid()
    one.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    one.SOPClassUID, one.SOPInstanceUID = CTImageStorage, generate_uid()
    one.PatientName, one.PatientID, one.Modality = PATIENT, "CANARY-77", "CT"
    one.SeriesInstanceUID, one.StudyInstanceUID = series, "1.2.3"
    one.Rows = one.Columns = 16
    one.BitsAllocated = one.BitsStored = 16
    one.HighBit, one.PixelRepresentation, one.SamplesPerPixel = 15, 1, 1
    one.PhotometricInterpretation, one.InstanceNumber = "MONOCHROME2", number
    one.RescaleSlope, one.RescaleIntercept = 1, -1024
    one.ImagePositionPatient = [0, 0, 2.0 * number]
    one.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
    one.PixelSpacing, one.SliceThickness = [1, 1], 2
    one.PixelData = (np.arange(256, dtype=np.int16) * number).tobytes()
    return one


@pytest.fixture(scope="session")
def dicom_folder(tmp_path_factory):
    """Five slices of one CT series without extensions, with a name in every header."""
    folder = tmp_path_factory.mktemp("canary") / "Canary_Patricia"
    folder.mkdir()
    series = generate_uid()
    for number in range(1, 6):
        series_slice(number, series).save_as(folder / f"IM{number:04}", enforce_file_format=True)
    return folder


@pytest.fixture(scope="session")
def shared_scans():
    folder = Path(__file__).resolve().parents[3] / "shared" / "scans"
    if not folder.is_dir():
        pytest.skip("../shared/scans is not here")
    return folder


@pytest.fixture
def reading(monkeypatch):
    """Reading waits before its first part until this is set."""
    gate, stream = Event(), scan.stream_scans

    def waiting(paths, **how):
        gate.wait(60)
        yield from stream(paths, **how)

    monkeypatch.setattr(scan, "stream_scans", waiting)
    yield gate
    gate.set()
