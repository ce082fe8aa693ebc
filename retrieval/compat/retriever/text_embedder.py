"""The encoder of the imaging agent: BGE-M3 where its weights are here, else the packaged one."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from retrieval.core import Encoder, Vectors
from retrieval.settings import read_settings
from retrieval.wiring import open_plaza_encoder

logger = logging.getLogger("retriever.text_embedder")


class TextEmbedder:
    """Texts to L2-normalised float32 vectors; the weights are loaded at the first text.

    Without arguments it is the encoder of the mode ``plaza``: SCANSCOUT_PLAZA_ENCODER, BAAI/bge-m3
    unless set. ``note`` says why another one, or the processor, encodes where the weights or the
    device are not on this machine.
    """

    def __init__(
        self,
        model_name: str | None = None,
        device: str | None = None,
        *,
        encoder: Encoder | None = None,
    ) -> None:
        self.note = ""
        if encoder is None:
            overrides = {"plaza_encoder": model_name, "device": device}
            changed = {name: value for name, value in overrides.items() if value}
            encoder, self.note = open_plaza_encoder(read_settings().model_copy(update=changed))
        if self.note:
            logger.warning("%s; %s encodes", self.note, encoder.id)
        self.encoder = encoder

    @property
    def model_name(self) -> str:
        """The id or folder of the weights that encode."""
        return self.encoder.id

    @property
    def dim(self) -> int:
        """Numbers of a vector."""
        return self.encoder.dim

    def embed_queries(self, texts: Iterable[str], batch_size: int = 32) -> Vectors:
        """Rows (n, dim). Raises StageUnavailable where the weights cannot be loaded."""
        return self.encoder.encode(list(texts), batch_size)

    def embed_corpus(self, texts: Iterable[str], batch_size: int = 32) -> Vectors:
        """Rows (n, dim): the source encodes tools as it encodes queries."""
        return self.encoder.encode(list(texts), batch_size)


LocalBGEEmbedder = TextEmbedder
"""The name of later versions of the source."""
