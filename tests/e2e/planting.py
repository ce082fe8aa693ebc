"""Scans with planted identifiers, a language model that listens, and the search for traces."""

from __future__ import annotations

import contextlib
import json
import os
import re
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import nibabel
import numpy as np
import pydicom

from tests.scans.makers import dicom, smooth

DATES = {"PatientBirthDate": "19310207", "StudyDate": "20190817", "StudyTime": "235958.271828"}
TAGS = [
    "PatientName",
    "PatientID",
    "InstitutionName",
    "ReferringPhysicianName",
    "OperatorsName",
    "StudyDescription",
    "SeriesDescription",
    "ProtocolName",
    "PatientComments",
    "ImageComments",
    "AccessionNumber",
    "DeviceSerialNumber",
]
WORDS = {name: f"XQ{n:02}ZEBU" for n, name in enumerate([*TAGS, "private", "preamble", "file"])}
NIFTI = ("descrip", "aux_file", "intent_name", "db_name")
NIFTI_WORDS = {name: f"XQ{n:02}ZEBU" for n, name in enumerate(NIFTI, 40)}
MEMBER, BROKEN, CUT = "XQ60ZEBU", "XQ61ZEBU", "XQ62ZEBU"
PLACES = ("panel", "read", "page", "frames", "address", "values", "graph", "json", "csv")
PLACES += ("storage", "profile")
TRACE = re.compile(
    rb"XQ\d\dZEBU|19310207|1931-02-07|20190817|2019-08-17|235958\.27|23:59:58\.27"
    rb"|X\0Q\0\d\0\d\0Z\0E\0B\0U\0",
    re.IGNORECASE,
)
STORAGE = """async () => {
  const kept = {local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie,
                history: history.state, window: window.name, databases: [], caches: []};
  for (const {name} of await indexedDB.databases()) {
    const db = await new Promise((ok, no) => {
      const asked = indexedDB.open(name);
      asked.onsuccess = () => ok(asked.result); asked.onerror = no;
    });
    for (const store of db.objectStoreNames) {
      const all = db.transaction(store).objectStore(store).getAll();
      await new Promise((ok) => { all.onsuccess = ok; });
      kept.databases.push([name, store, all.result]);
    }
    db.close();
  }
  for (const name of await caches.keys())
    for (const asked of await (await caches.open(name)).keys()) kept.caches.push(asked.url);
  return JSON.stringify(kept);
}"""


def traces(said: str | bytes) -> list[bytes]:
    return sorted(set(TRACE.findall(said if isinstance(said, bytes) else said.encode())))


def planted_dicom(path: Path) -> Path:
    tags = {name: WORDS[name] for name in TAGS} | DATES
    found = pydicom.dcmread(dicom(path, "MR", **tags))
    block = found.private_block(0x0009, f"{WORDS['private']} MAKER", create=True)
    block.add_new(1, "LO", WORDS["private"])
    found.preamble = WORDS["preamble"].encode().ljust(128, b"\0")
    found.save_as(path)
    return path


def planted_nifti(path: Path) -> Path:
    image = nibabel.Nifti1Image(smooth((12, 14, 16)), np.diag([1.0, 1.0, 1.2, 1.0]))
    for name, word in NIFTI_WORDS.items():
        image.header[name] = word.encode()
    nibabel.save(image, path)
    return path


class Model(BaseHTTPRequestHandler):
    """A language model that answers nothing of use and remembers what it was told."""

    heard: list[bytes]

    def do_POST(self) -> None:
        self.heard.append(self.rfile.read(int(self.headers["content-length"])))
        said = {"message": {"role": "assistant", "content": "{}"}, "index": 0}
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
        body = json.dumps({**answer, "choices": [{**said, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


def walked(root: Path) -> list[Path]:
    """Files and folders below a place where others write and delete meanwhile."""
    found = []
    for folder, folders, files in os.walk(root):
        found += [Path(folder, name) for name in (*folders, *files)]
    return found


def sizes(root: Path) -> dict[str, int]:
    """Every file below a place that holds anything."""
    held = {}
    for path in walked(root):
        with contextlib.suppress(FileNotFoundError):
            if path.is_file() and path.stat().st_size:
                held[str(path)] = path.stat().st_size
    return held
