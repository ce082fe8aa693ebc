"""The one reader of the environment and of ``.env``."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from retrieval.core.errors import BadInput

ROOT = Path(__file__).resolve().parent.parent
PREFIX = "SCANSCOUT_"


class Settings(BaseSettings):
    """Everything that can be chosen; each name below is SCANSCOUT_ and the field in capitals."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=".env",
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        populate_by_name=True,
    )

    catalog: Path = ROOT / "assets" / "catalog" / "tools.jsonl"
    index_dir: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("scanscout") / "index"
    )
    cache_dir: Path = Field(default_factory=lambda: platformdirs.user_cache_path("scanscout"))

    encoder: str = "sentence-transformers/all-MiniLM-L6-v2"
    device: str = "cpu"
    onnx: bool = True
    cross_encoder: str = ""
    plaza_encoder: str = "BAAI/bge-m3"
    plaza_cross_encoder: str = "BAAI/bge-reranker-v2-m3"
    vector_search: bool = Field(
        default=True,
        validation_alias=AliasChoices("SCANSCOUT_VECTOR_SEARCH", "BIOCORTEX_ENABLE_VECTOR_SEARCH"),
    )

    per_list: int = Field(default=50, ge=1, le=1000)
    top_k: int = Field(default=15, ge=1, le=50)
    graph_hops: int = Field(default=2, ge=0, le=3)
    graph_nodes: int = Field(default=150, ge=1, le=2000)
    expand_threshold: float = Field(default=0.75, ge=-1, le=1)
    expand_terms: int = Field(default=10, ge=0, le=100)
    floor: float = Field(default=0.36, ge=-1, le=1)
    query_seconds: float = Field(default=60.0, gt=0)

    llm_base_url: str = ""
    llm_model: str = ""
    llm_api_key: SecretStr = SecretStr("")
    llm_seconds: float = Field(default=8.0, gt=0)

    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=0, le=65535)
    max_upload_mb: int = Field(default=200, ge=1)
    sessions: int = Field(default=60, ge=1)

    @property
    def shipped_index(self) -> Path:
        """The vectors that come with the catalog; never written to."""
        return ROOT / "assets" / "index"


def read_settings(env_file: Path | None = Path(".env")) -> Settings:
    """Settings from the environment, then ``.env``. Raises BadInput naming the variable."""
    try:
        return Settings(_env_file=env_file)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0])
        name = name if name.isupper() else f"{PREFIX}{name.upper()}"
        raise BadInput(f"{name}: {first['msg']}") from exc


def quiet_libraries() -> None:
    """Keep the libraries from calling home: no hub look-ups, no usage reports."""
    for name, value in (
        ("HF_HUB_OFFLINE", "1"),
        ("HF_HUB_DISABLE_TELEMETRY", "1"),
        ("TRANSFORMERS_VERBOSITY", "error"),
        ("TOKENIZERS_PARALLELISM", "false"),
        ("GRADIO_ANALYTICS_ENABLED", "False"),
    ):
        os.environ.setdefault(name, value)
