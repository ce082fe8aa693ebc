"""The one reader of the environment and of ``.env``."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import platformdirs
from pydantic import AfterValidator, AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from retrieval.core.errors import BadInput

ROOT = Path(__file__).resolve().parent.parent
PREFIX = "SCANSCOUT_"


def _address(value: str) -> str:
    parts = urlsplit(value)
    if value and not (parts.scheme in {"http", "https"} and parts.hostname):
        raise ValueError("is no web address; write one such as https://example.org/api")
    return value.rstrip("/")


Address = Annotated[str, AfterValidator(_address)]
"""A web address without a slash at its end, or an empty text for the public one."""


def _networks(value: str) -> str:
    for part in filter(None, map(str.strip, value.split(","))):
        try:
            ip_network(part, strict=False)
        except ValueError:
            raise ValueError(f"{part!r} is no network; write 10.0.0.0/8 or an address") from None
    return value


Networks = Annotated[str, AfterValidator(_networks)]
"""Networks separated by commas."""


class Settings(BaseSettings):
    """Everything that can be chosen; ``variable`` gives the name of each in the environment."""

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
    onnx_bits: Literal["32", "8"] = "32"
    cross_encoder: str = ""
    plaza_encoder: str = "BAAI/bge-m3"
    plaza_cross_encoder: str = "BAAI/bge-reranker-v2-m3"
    vector_search: bool = Field(
        default=True,
        validation_alias=AliasChoices("SCANSCOUT_VECTOR_SEARCH", "BIOCORTEX_ENABLE_VECTOR_SEARCH"),
    )

    vector_store: Literal["auto", "numpy", "faiss", "milvus"] = "auto"
    milvus_uri: str = ""
    milvus_token: SecretStr = SecretStr("")
    graph_store: Literal["auto", "networkx", "arrays", "ladybug"] = "auto"
    token_vectors: Literal["auto", "on", "off"] = "auto"

    per_list: int = Field(default=50, ge=1, le=1000)
    top_k: int = Field(default=15, ge=1, le=50)
    graph_hops: int = Field(default=2, ge=0, le=3)
    graph_nodes: int = Field(default=150, ge=1, le=2000)
    expand_threshold: float = Field(default=0.75, ge=-1, le=1)
    expand_terms: int = Field(default=10, ge=0, le=100)
    floor: float = Field(default=0.36, ge=-1, le=1)
    query_seconds: float = Field(default=60.0, gt=0)

    llm_provider: str = ""
    graph_uri: str = ""
    graph_user: str = ""
    graph_password: SecretStr = SecretStr("")

    llm_base_url: str = ""
    llm_model: str = ""
    llm_api_key: SecretStr = SecretStr("")
    hf_token: SecretStr = Field(
        default=SecretStr(""), validation_alias=AliasChoices("SCANSCOUT_HF_TOKEN", "HF_TOKEN")
    )
    llm_script: Path | None = None
    llm_seconds: float = Field(default=8.0, gt=0)
    llm_prompt_tokens: int = Field(default=30_000, ge=500)
    llm_price_in: float = Field(default=0.0, ge=0)
    llm_price_out: float = Field(default=0.0, ge=0)
    llm_max_calls: int = Field(default=8, ge=0)
    llm_max_tokens: int = Field(default=150_000, ge=0)
    llm_max_cost: float | None = Field(default=None, ge=0)

    web_search: bool = False
    web_seconds: float = Field(default=8.0, gt=0, le=60)
    web_service_seconds: float = Field(default=3.0, gt=0, le=60)
    web_results: int = Field(default=10, ge=1, le=20)
    web_cache_hours: float = Field(default=24.0, ge=0)
    tavily_api_key: SecretStr = Field(default=SecretStr(""), validation_alias="TAVILY_API_KEY")
    serper_api_key: SecretStr = Field(default=SecretStr(""), validation_alias="SERPER_API_KEY")
    serpapi_api_key: SecretStr = Field(default=SecretStr(""), validation_alias="SERPAPI_API_KEY")
    ncbi_email: SecretStr = Field(default=SecretStr(""), validation_alias="NCBI_EMAIL")
    tavily_url: Address = ""
    serper_url: Address = ""
    serpapi_url: Address = ""
    duckduckgo_url: Address = ""
    pubmed_url: Address = ""
    biorxiv_url: Address = ""
    semantic_scholar_url: Address = ""
    arxiv_url: Address = ""

    databases: bool = False
    database_seconds: float = Field(default=60.0, gt=0, le=3600)
    bio_tools_url: Address = ""
    blast_url: Address = ""
    oncokb_url: Address = ""
    oncokb_token: SecretStr = SecretStr("")
    documents_made_up: bool = False

    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=0, le=65535)
    max_upload_mb: int = Field(default=200, ge=1)
    sessions: int = Field(default=60, ge=1)
    trusted_proxies: Networks = ""
    mcp: bool = False

    @property
    def shipped_index(self) -> Path:
        """The vectors that come with the catalog; never written to."""
        return ROOT / "assets" / "index"


def variable(field: str) -> str:
    """The name of a setting in the environment."""
    alias = Settings.model_fields[field].validation_alias
    first = alias.choices[0] if isinstance(alias, AliasChoices) else alias
    return first if isinstance(first, str) else f"{PREFIX}{field.upper()}"


def read_settings(env_file: Path | None = Path(".env")) -> Settings:
    """Settings from the environment, then ``.env``. Raises BadInput naming the variable."""
    try:
        return Settings(_env_file=env_file)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        place = str(first["loc"][0])
        name = variable(place) if place in Settings.model_fields else place
        raise BadInput(f"{name}: {first['msg']}") from exc
