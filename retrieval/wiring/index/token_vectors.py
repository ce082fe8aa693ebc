"""Token vectors by setting and size: read, built, or the reason why there are none."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from retrieval.core import Encoder, Tool
from retrieval.dense import TokenFile, template_text, token_file, token_folder
from retrieval.settings import Settings, variable
from retrieval.storage import Say
from retrieval.wiring.index.indexes import unwritten
from retrieval.wiring.index.stores import TOKENS

logger = logging.getLogger(__name__)

OFF = "token vectors are switched off by setting"
MANY = f"token vectors are off above {TOKENS:,} records; SCANSCOUT_TOKEN_VECTORS=on makes them"
ASKED = "asked"
"""The template whose words have token vectors: those in which people ask stand in no other index,
which would have to be made again, and a mean over all words would blur them."""

NAMES = "[0-9a-f]{16}"
OTHERS = 1
"""Folders of other catalogs that stay: two catalogs in turn are not encoded each time."""


class TokenVectors:
    """Token vectors below the cache folder, or in a temporary one where that cannot be written."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._root = settings.cache_dir / "tokens"
        self._spare: TemporaryDirectory[str] | None = None

    def refusal(self, records: int) -> str:
        """Why a catalog of so many records has none; empty where it has."""
        wanted = self._settings.token_vectors
        if wanted == "off":
            return OFF
        return MANY if wanted == "auto" and records > TOKENS else ""

    def open(self, tools: Sequence[Tool], encoder: Encoder, say: Say) -> TokenFile:
        """The vectors of these tools; ``say`` gets why they are made again, if they are (slow)."""
        texts = {tool.id: template_text(ASKED, tool) for tool in tools}
        try:
            tokens = token_file(self._root, encoder, texts, say)
        except OSError as exc:
            logger.warning("%s", unwritten("token vectors", exc, variable("cache_dir")))
            self._spare = TemporaryDirectory(prefix="scanscout-tokens-")
            return token_file(Path(self._spare.name), encoder, texts, say)
        token_folder(self._root, encoder, texts).clean(NAMES, OTHERS)
        return tokens
