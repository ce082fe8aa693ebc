"""BYOKG-RAG's configuration: its seven names in the environment, and what is made from them.

``docs/settings.md`` says which setting each name is; ``retrieval.settings`` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.compat.byokg_rag.graph_scoring import LocalGReranker
from retrieval.compat.byokg_rag.llm import ModelGenerator
from retrieval.core import Encoder, StageUnavailable
from retrieval.net import OutsideCalls
from retrieval.settings import Settings, read_settings
from retrieval.wiring import language_model, names_encoder, outside_purposes

SETTINGS: Mapping[str, str] = {
    "llm_model": "llm_model",
    "region_name": "llm_region",
    "embed_model": "names_encoder",
    "embed_dimensions": "names_dimensions",
    "reranking_model": "walk_cross_encoder",
    "max_tokens": "llm_answer_tokens",
    "max_retries": "llm_retries",
}
"""Our setting by the source's name of it."""


class Configuration:
    """The settings under the source's names: read at every use, unless one is set here."""

    def __init__(self) -> None:
        object.__setattr__(self, "_own", {})

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - texts and numbers
        if name not in SETTINGS:
            raise AttributeError(name)
        return getattr(self._settings(), SETTINGS[name])

    def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401 - as above
        if name not in SETTINGS:
            raise AttributeError(f"{name}: not one of {', '.join(SETTINGS)}")
        self._own[SETTINGS[name]] = value

    def reset(self) -> None:
        """Forget what was set here."""
        self._own.clear()

    def to_generator(self, **changes: Any) -> ModelGenerator:  # noqa: ANN401 - as above
        """The language model; ``changes`` are by the source's names, with ``model_name``.

        Raises StageUnavailable where none is configured.
        """
        names = {**SETTINGS, "model_name": "llm_model"}
        settings = self._settings(**{names[name]: value for name, value in changes.items()})
        model = language_model(settings, OutsideCalls(outside_purposes(settings)))
        if model is None:
            raise StageUnavailable(
                "no language model is configured; set BYOKG_LLM_MODEL with BYOKG_REGION, or "
                "SCANSCOUT_LLM_BASE_URL and SCANSCOUT_LLM_MODEL"
            )
        return ModelGenerator(model)

    def to_embedding(self) -> Encoder:
        """The encoder of names, loaded at its first text."""
        return names_encoder(self._settings())

    def to_reranker(self, model_name: str = "", topk: int = 10) -> LocalGReranker:
        """Texts by a cross-encoder. Raises StageUnavailable at first use where it is not here."""
        return LocalGReranker(model_name=model_name or self.reranking_model, topk=topk)

    def _settings(self, **changes: Any) -> Settings:  # noqa: ANN401 - as above
        return read_settings().model_copy(update={**self._own, **changes})


ByoKGConfig = Configuration()
"""The one configuration, as in the source."""
