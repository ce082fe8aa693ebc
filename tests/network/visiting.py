"""Run in a network namespace: starts the page, uses everything of it, and reports the packets.

``python -m tests.network.visiting FOLDER`` writes ``FOLDER/report.json``: what was looked up or
connected to, what each part of the page and each command answered, and which files were left in
the home folder and in the folder for temporary files.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import httpx
import nibabel
import numpy as np

from retrieval.offline import DEFAULTS, TELEMETRY_OFF
from retrieval.settings import Settings
from tests.documents.papers import pdf
from tests.e2e.serving import ROOT, environment, page
from tests.network import recorder

SETTLE_S = 20.0
"""ONNX Runtime posts its events about 10 s after its start, and again when the process ends."""

QUESTION = "What does the paper say about gantry tilt?"
ABSENT_MODEL = "BAAI/bge-small-en-v1.5"


class Visitor:
    """One session: what the page's script sends when a button is pressed."""

    def __init__(self, url: str) -> None:
        headers = {"x-scanscout-page": uuid4().hex}  # what binds the session, as the page sends it
        self.client = httpx.Client(base_url=url, timeout=180, headers=headers)
        self._session = uuid4().hex
        self._config = self.client.get("config").json()

    def press(self, button: str, event: str, values: dict[str, object]) -> str:
        """Everything the server answers to an event, with values for inputs by their element id."""
        names = {c["id"]: c["props"].get("elem_id") for c in self._config["components"]}
        preset = {c["id"]: c["props"].get("value") for c in self._config["components"]}
        (wired,) = (
            one
            for one in self._config["dependencies"]
            if any(names.get(id) == button and kind == event for id, kind in one["targets"])
            and one["backend_fn"]
        )
        data = [values.get(names[id] or "", preset[id]) for id in wired["inputs"]]
        body = {"data": data, "fn_index": wired["id"], "session_hash": self._session}
        self.client.post("gradio_api/queue/join", json=body).raise_for_status()
        events = self.client.get("gradio_api/queue/data", params={"session_hash": self._session})
        return events.text

    def call(self, endpoint: str, data: list[object]) -> str:
        """The answer of a public endpoint."""
        ask = f"gradio_api/call/{endpoint}"
        event = self.client.post(ask, json={"data": data}).json()["event_id"]
        return self.client.get(f"{ask}/{event}").text

    def upload(self, name: str, content: bytes) -> dict[str, object]:
        """A stored file, as the page's script describes it."""
        sent = self.client.post("gradio_api/upload", files={"files": (name, content)}).json()
        return {"path": sent[0], "orig_name": name, "meta": {"_type": "gradio.FileData"}}


def scan(folder: Path) -> bytes:
    """A small NIfTI file."""
    path = folder / "scan.nii"
    nibabel.save(nibabel.Nifti1Image(np.zeros((4, 4, 3), "int16"), np.eye(4)), path)
    return path.read_bytes()


async def by_mcp(url: str) -> str:
    """What an agent gets of a tool."""
    import mcp
    from mcp.client.streamable_http import streamablehttp_client

    async with (
        streamablehttp_client(f"{url}gradio_api/mcp/") as (read, write, _),
        mcp.ClientSession(read, write) as session,
    ):
        await session.initialize()
        result = await session.call_tool("find_tools", {"text": "segment lungs", "top_k": 3})
        return str(result.content[0].text)


def visit(url: str, folder: Path) -> dict[str, str]:
    """What every part of the page answers."""
    visitor = Visitor(url)
    paper = visitor.upload("paper.pdf", pdf("The gantry tilt is corrected by shearing the volume."))
    return {
        "page": visitor.client.get("").text,
        "search": visitor.call("recommend", ["segment lungs", [], "hybrid", 5]),
        "scan": visitor.call(
            "recommend_files", ["segment", [visitor.upload("a.nii", scan(folder))], "hybrid", 5]
        ),
        "documents": visitor.press("papersadd", "upload", {"papersadd": [paper]}),
        "ask": visitor.press("askgo", "click", {"question": QUESTION}),
        "cypher": visitor.press(
            "queryrun", "click", {"querytext": "MATCH (t:Tool) RETURN t.name LIMIT 3"}
        ),
        "sparql": visitor.press(
            "queryrun",
            "click",
            {"querytext": "SELECT ?a WHERE { ?a ?b ?c } LIMIT 3", "querylanguage": "SPARQL"},
        ),
        "mcp": asyncio.run(by_mcp(url)),
    }


def run(folder: Path, *arguments: str, **more: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "retrieval", *arguments],
        cwd=ROOT,
        env=environment(folder, **more),
        capture_output=True,
        text=True,
        timeout=200,
    )
    return done.stdout + done.stderr


def commands(folder: Path, **more: str) -> dict[str, str]:
    """What commands answer; one is given an encoder that is not here, the hub being allowed."""
    absent = {"SCANSCOUT_ENCODER": ABSENT_MODEL, "HF_HUB_OFFLINE": "0"}
    return {
        "search command": run(folder, "search", "segment lungs", "--json", **more),
        "scan command": run(folder, "scan", str(folder / "scan.nii"), **more),
        "ask command": run(folder, "ask", "What does nnU-Net read?", **more),
        "absent encoder": run(folder, "search", "segment lungs", "--json", **more, **absent),
    }


def main(folder: Path) -> None:
    """Visit, run commands while the page waits, end it, report."""
    packets = recorder.enter()
    for name in (*TELEMETRY_OFF, *DEFAULTS):  # the program must set them itself
        os.environ.pop(name, None)
    home = folder / "home"
    home.mkdir()
    settings = Settings(index_dir=folder / "index", cache_dir=folder / "cache", _env_file=None)
    more = {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    with page(folder, settings, SCANSCOUT_MCP="true", **more) as served:
        answers = visit(served.url, folder)
        settled = time.monotonic() + SETTLE_S
        answers |= commands(folder, **more)
        time.sleep(max(0.0, settled - time.monotonic()))
    time.sleep(1)
    places = (folder / "home", folder / "tmp")
    left = [str(path.relative_to(folder)) for place in places for path in place.rglob("*")]
    report = {"seen": packets.seen(), "lost": packets.lost(), "answers": answers, "files": left}
    (folder / "report.json").write_text(json.dumps(report), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
