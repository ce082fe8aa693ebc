"""The models that the source systems name: what for, how large, where from, and whether intact.

Weights are fetched on request only, by a child process in which the hub may be asked; this process
stays offline. The cache names every file by its hash, so a check needs no network.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from retrieval.core import BadInput, StageUnavailable
from retrieval.dense import DEFAULT_ID, packaged_weights

Role = Literal["encoder", "re-ranker"]
State = Literal["complete", "in the package", "unfinished", "damaged", "not here"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedModel:
    """A model by its short name; ``megabytes`` is about the size of what is fetched."""

    name: str
    id: str
    role: Role
    megabytes: int
    licence: str
    purpose: str
    setting: str


MODELS = (
    NamedModel(
        name="minilm",
        id="sentence-transformers/all-MiniLM-L6-v2",
        role="encoder",
        megabytes=92,
        licence="Apache-2.0",
        purpose="vectors of 384 numbers, English; comes with the package",
        setting="SCANSCOUT_ENCODER",
    ),
    NamedModel(
        name="bge-m3",
        id="BAAI/bge-m3",
        role="encoder",
        megabytes=2290,
        licence="MIT",
        purpose="vectors of 1,024 numbers, many languages; the plaza mode names it",
        setting="SCANSCOUT_PLAZA_ENCODER",
    ),
    NamedModel(
        name="small",
        id="cross-encoder/ms-marco-MiniLM-L6-v2",
        role="re-ranker",
        megabytes=92,
        licence="Apache-2.0",
        purpose="reads query and text together, English, quick enough for a processor",
        setting="SCANSCOUT_CROSS_ENCODER",
    ),
    NamedModel(
        name="bge-reranker",
        id="BAAI/bge-reranker-v2-m3",
        role="re-ranker",
        megabytes=2290,
        licence="Apache-2.0",
        purpose="reads query and text together, many languages; slow without a GPU",
        setting="SCANSCOUT_PLAZA_CROSS_ENCODER",
    ),
)

WANTED = ("*.json", "*.txt", "*.model", "*.safetensors", "pytorch_model.bin")
UNWANTED = ("onnx/*", "openvino/*", "*/onnx/*", "imgs/*")
"""What of a repository is fetched: one form of the weights, and what reads them."""

FETCH = """
import sys
from huggingface_hub import snapshot_download
wanted, unwanted = sys.argv[2].split(), sys.argv[3].split()
try:
    snapshot_download(sys.argv[1], allow_patterns=wanted, ignore_patterns=unwanted)
except Exception as exc:
    sys.exit(f"{type(exc).__name__}: {str(exc).strip().partition(chr(10))[0][:200]}")
"""
UNFINISHED = ".incomplete"
"""How the hub's client ends the name of a file that it has not fetched to its end."""
_ID = re.compile(r"\w[\w.-]*/\w[\w.-]*")


def model_id(name: str) -> str:
    """The hub's id of a short name; any other name (an id or a folder) as it is."""
    return next((model.id for model in MODELS if model.name == name), name)


def hub_cache() -> Path:
    """The folder of the hub's cache: its own variables name it, not the settings."""
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE)


def cached_folder(model: str) -> Path:
    """The folder of the hub's cache that holds a model, whether it exists or not."""
    return hub_cache() / f"models--{model_id(model).replace('/', '--')}"


def model_state(model: str) -> State:
    """Whether a model is in the cache with every file as the hub named it; nothing is fetched."""
    folder = cached_folder(model)
    files = [path for path in folder.glob("snapshots/*/**/*") if not path.is_dir()]
    broken = list(damaged_files(model))
    if any(path.suffix != UNFINISHED for path in broken):
        return "damaged"
    has_config = any(path.name == "config.json" for path in files)
    has_weights = any(path.suffix in {".safetensors", ".bin"} for path in files)
    if has_config and has_weights and not broken:
        return "complete"
    if files or broken:
        return "unfinished"
    return "in the package" if model_id(model) == DEFAULT_ID and _packaged() else "not here"


def _packaged() -> bool:
    try:
        return packaged_weights().is_dir()
    except StageUnavailable:
        return False


def damaged_files(model: str) -> Iterator[Path]:
    """Files whose content is not that of their hash, and broken or unfinished ones."""
    folder = cached_folder(model)
    for path in sorted((folder / "blobs").glob("*")):
        if path.suffix == UNFINISHED or not _intact(path):
            yield path
    yield from (p for p in sorted(folder.glob("snapshots/*/**/*")) if not p.exists())


def _intact(path: Path) -> bool:
    """Whether a file has the hash of its name: SHA-256, or SHA-1 as git names a small file."""
    name = path.name
    if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", name):
        return True
    digest = hashlib.sha256() if len(name) == 64 else hashlib.sha1(usedforsecurity=False)
    if len(name) == 40:
        digest.update(f"blob {path.stat().st_size}\0".encode())
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest() == name


def fetch_model(model: str) -> Path:
    """Fetch a model into the cache, going on where an earlier fetch ended; its folder there.

    Progress is on stderr. Damaged files are removed before and checked after. Raises BadInput for
    what is no id, and StageUnavailable where the hub cannot be asked or sends what is damaged.
    """
    name = model_id(model)
    if not _ID.fullmatch(name):
        names = ", ".join(one.name for one in MODELS)
        raise BadInput(f"model: {model[:80]!r} is neither one of {names} nor owner/name")
    for path in damaged_files(name):
        if path.suffix != UNFINISHED:
            path.unlink()
    # The child's whole environment, for the hub's own folders, token and proxy; no setting is read.
    environment = {**os.environ, "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1"}
    command = [sys.executable, "-c", FETCH, name, " ".join(WANTED), " ".join(UNWANTED)]
    ran = subprocess.run(command, env=environment, check=False)
    state = model_state(name)
    if ran.returncode != 0 or state != "complete":
        why = "could not be fetched from the hub" if ran.returncode else f"is {state} after it"
        raise StageUnavailable(f"{name} {why}; {by_hand(name)}")
    return cached_folder(name)


def by_hand(model: str) -> str:
    """How a model gets here without a hub."""
    setting = next((m.setting for m in MODELS if m.id == model), "SCANSCOUT_CROSS_ENCODER")
    return f"copy its folder from a machine that has it and set {setting} to the folder's path"
