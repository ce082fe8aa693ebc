"""Models by setting, each loaded when it is first needed."""

from __future__ import annotations

import logging
from pathlib import Path

from retrieval.core import Encoder, StageUnavailable
from retrieval.dense import (
    DEFAULT_ID,
    Loading,
    OnnxEncoder,
    SentenceEncoder,
    exported,
    shipped_encoder,
)
from retrieval.rerank import LazyScorer, SentencePairScorer
from retrieval.settings import Settings
from retrieval.wiring.parts import Notice
from retrieval.wiring.weights import model_id

logger = logging.getLogger(__name__)

WIDTHS = {"sentence-transformers/all-MiniLM-L6-v2": 384, "BAAI/bge-m3": 1024}
"""Vector widths of models whose index may be opened before the model is."""


def loading_encoder(settings: Settings, model: str = "") -> Loading:
    """The encoder of the settings, not loaded yet."""
    name = model_id(model or settings.encoder)

    def load() -> Encoder:
        # On a processor the exported encoder takes a third of the time, where it can be had.
        if settings.device == "cpu" and settings.onnx:
            try:
                return _quick(name, settings.cache_dir, loading)
            except StageUnavailable as exc:
                logger.warning("%s; sentence-transformers encodes instead", exc)
        return SentenceEncoder(name, device=settings.device)

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
        return SentencePairScorer(model, device=settings.device)

    return LazyScorer(load) if model else None
