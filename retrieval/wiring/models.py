"""Models by setting, each loaded when it is first needed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np

from retrieval.core import Encoder, StageUnavailable, Vectors
from retrieval.dense import (
    DEFAULT_ID,
    Loading,
    OnnxEncoder,
    SentenceEncoder,
    exported,
    shipped_encoder,
)
from retrieval.rerank import LazyScorer, PairScorer, SentencePairScorer
from retrieval.settings import Settings
from retrieval.wiring.parts import Notice
from retrieval.wiring.weights import model_id

logger = logging.getLogger(__name__)

WIDTHS = {"sentence-transformers/all-MiniLM-L6-v2": 384, "BAAI/bge-m3": 1024}
"""Vector widths of models whose index may be opened before the model is."""


@cache
def usable_device(device: str) -> tuple[str, str]:
    """The device, or the processor and why, where this machine does not have it.

    Loads torch for any other device than the processor.
    """
    if device == "cpu":
        return device, ""
    import torch

    kind, _, number = device.partition(":")
    if kind == "mps":
        here = torch.backends.mps.is_available()
    else:
        here = torch.cuda.is_available() and int(number or 0) < torch.cuda.device_count()
    if here:
        return device, ""
    reason = f"torch finds no device {device} on this machine: the processor computes instead"
    logger.warning("%s", reason)
    return "cpu", reason


def loading_encoder(settings: Settings, model: str = "") -> Loading:
    """The encoder of the settings, not loaded yet."""
    name = model_id(model or settings.encoder)

    def load() -> Encoder:
        device, _ = usable_device(settings.device)
        # On a processor the exported encoder takes a third of the time, where it can be had.
        if device == "cpu" and settings.onnx:
            try:
                return _quick(name, settings.cache_dir, loading)
            except StageUnavailable as exc:
                logger.warning("%s; sentence-transformers encodes instead", exc)
        return SentenceEncoder(name, device=device)

    loading = Loading(load, id=name, dim=WIDTHS.get(name, 0))
    return loading


def _quick(name: str, cache_dir: Path, loading: Loading) -> OnnxEncoder:
    """The encoder on ONNX Runtime: from the shipped graph where it is sound, else exported."""
    if name == DEFAULT_ID:
        try:
            return shipped_encoder()
        except StageUnavailable as exc:
            logger.warning("%s", exc)
    return OnnxEncoder.open(exported(name, cache_dir, loading.say))


def plaza_encoder(settings: Settings, default: Loading) -> tuple[Encoder, tuple[Notice, ...]]:
    """The encoder that the plaza mode names, or the default one and the reason."""
    name = model_id(settings.plaza_encoder)
    if name == model_id(settings.encoder) or not name:
        return default, ()
    if on_this_machine(name):
        return loading_encoder(settings, name), ()
    remedy = f"python -m retrieval models fetch {name}, or set SCANSCOUT_PLAZA_ENCODER"
    reason = f"{name} is not on this machine: {remedy}"
    return default, (("retrieval", default.id, reason),)


class WaitingEncoder:
    """An encoder that is loaded at its first text; the call waits until it is ready."""

    def __init__(self, loading: Loading) -> None:
        self._loading = loading
        self.id = loading.id

    @property
    def dim(self) -> int:
        """Numbers of a vector; known before loading for the models named here."""
        return self._loading.dim

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """As the encoder's own; StageUnavailable where there is none."""
        self._loading.wait()
        return self._loading.encode(texts, batch_size)

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """As the encoder's own."""
        self._loading.wait()
        return self._loading.encode_tokens(texts)


class CutEncoder:
    """An encoder whose vectors keep their first numbers, at length 1 again."""

    def __init__(self, encoder: Encoder, numbers: int) -> None:
        self._encoder, self._numbers = encoder, numbers
        self.id = f"{encoder.id} cut to {numbers}"

    @property
    def dim(self) -> int:
        """Numbers of a vector: as many as wanted, or all that the encoder has where it has less."""
        return min(self._numbers, self._encoder.dim)

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """Rows (n, dim). Raises StageUnavailable where the encoder does."""
        rows = self._encoder.encode(texts, batch_size)[:, : self._numbers]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / np.maximum(lengths, np.float32(1e-12))
        return unit

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """As the encoder's own, not cut: names are compared as wholes."""
        return self._encoder.encode_tokens(texts)


def names_encoder(settings: Settings, encoder: Encoder | None = None) -> Encoder:
    """The encoder that links names: the one set for them, else ``encoder``, else the usual one.

    It is loaded at its first text. Vectors are cut where their numbers are set.
    """
    if settings.names_encoder or encoder is None:
        encoder = WaitingEncoder(loading_encoder(settings, settings.names_encoder))
    numbers = settings.names_dimensions
    return CutEncoder(encoder, numbers) if numbers else encoder


def open_plaza_encoder(settings: Settings) -> tuple[Encoder, str]:
    """The encoder of the plaza mode, loaded at its first text, and why it is another one, if so."""
    encoder, notices = plaza_encoder(settings, loading_encoder(settings))
    waiting = WaitingEncoder(encoder) if isinstance(encoder, Loading) else encoder
    reasons = (notices[0][2] if notices else "", usable_device(settings.device)[1])
    return waiting, "; ".join(filter(None, reasons))


def on_this_machine(model: str) -> bool:
    """Whether a model is a folder here, or in the local hub cache; nothing is fetched."""
    if Path(model).is_dir():
        return True
    from huggingface_hub.constants import HF_HUB_CACHE

    if not (Path(HF_HUB_CACHE) / f"models--{model.replace('/', '--')}").is_dir():
        return False
    from huggingface_hub import try_to_load_from_cache

    try:
        return isinstance(try_to_load_from_cache(model, "config.json"), str)
    except ValueError:
        return False


def cross_encoder(model: str, settings: Settings) -> LazyScorer | None:
    """A cross-encoder by name, id or folder, loaded at its first use; None when none is named."""
    model = model_id(model)

    def load() -> SentencePairScorer:
        if not on_this_machine(model):
            raise StageUnavailable(
                f"{model} is not on this machine: python -m retrieval models fetch {model}, "
                "or name a folder by setting"
            )
        return SentencePairScorer(model, device=usable_device(settings.device)[0])

    return LazyScorer(load, partial(on_this_machine, model)) if model else None


class CosineScorer:
    """Cosines of texts with the query: what scores where no cross-encoder is set."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.id = encoder.id

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One cosine a text, in the order given."""
        rows = self._encoder.encode([query, *texts])
        cosines: list[float] = (rows[1:] @ rows[0]).tolist()
        return cosines


def triple_scorer(settings: Settings, encoder: Encoder | None) -> PairScorer:
    """The cross-encoder of the walk or of the search, else cosines.

    Raises StageUnavailable where one is set and not here, and without either.
    """
    lazy = cross_encoder(settings.walk_cross_encoder or settings.cross_encoder, settings)
    if lazy is not None:
        return lazy.get()
    if encoder is None:
        raise StageUnavailable(
            "vector search is off and neither SCANSCOUT_WALK_CROSS_ENCODER nor "
            "SCANSCOUT_CROSS_ENCODER is set"
        )
    return CosineScorer(encoder)
