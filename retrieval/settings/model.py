"""The one reader of the environment and of the file ``.env``."""

from __future__ import annotations

import logging
import os
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self

import platformdirs
from pydantic import (
    AliasChoices,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from retrieval.core import BadInput
from retrieval.settings.sources import WITHHELD, KeepKeysHome
from retrieval.settings.unknown_names import names_in, warn_of_unknown_name
from retrieval.settings.values import Address, Device, Hosts, Networks, Region

logger = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]
PREFIX = "SCANSCOUT_"
FILE_VARIABLE = f"{PREFIX}ENV_FILE"


def _byokg(field: str, name: str) -> AliasChoices:
    """The names of a setting that BYOKG-RAG reads as well; ours comes first."""
    return AliasChoices(f"{PREFIX}{field}", f"BYOKG_{name}")


class Settings(BaseSettings):
    """All settings; ``variable`` gives the environment variable of each."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=ROOT / ".env",
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        allow_inf_nan=False,
    )

    catalog: Path = ROOT / "assets" / "catalog" / "tools.jsonl"
    index_dir: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("scanscout") / "index"
    )
    cache_dir: Path = Field(default_factory=lambda: platformdirs.user_cache_path("scanscout"))

    encoder: str = "sentence-transformers/all-MiniLM-L6-v2"
    device: Device = "cpu"
    onnx: bool = True
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
    milvus_user: str = ""
    milvus_password: SecretStr = SecretStr("")
    milvus_ca_file: str = ""
    graph_store: Literal["auto", "networkx", "arrays"] = "auto"
    token_vectors: Literal["auto", "on", "off"] = "auto"

    per_list: int = Field(default=50, ge=1, le=1000)
    top_k: int = Field(default=15, ge=1, le=50)
    graph_hops: int = Field(default=2, ge=0, le=3)
    graph_nodes: int = Field(default=150, ge=1, le=2000)
    expand_threshold: float = Field(default=0.75, ge=-1, le=1)
    expand_terms: int = Field(default=10, ge=0, le=100)
    floor: float = Field(default=0.36, ge=-1, le=1)
    query_seconds: float = Field(default=60.0, gt=0)
    agentic_fusion: Literal["rrf", "anchored"] = "rrf"
    ask_graph: Literal["strategies", "schema"] = "strategies"
    ask_walk: Literal["guided", "scored"] = "guided"
    ask_query: Literal["cypher", "sparql"] = "cypher"
    names_encoder: str = Field("", validation_alias=_byokg("NAMES_ENCODER", "EMBED_MODEL"))
    names_dimensions: int | None = Field(
        None, ge=1, validation_alias=_byokg("NAMES_DIMENSIONS", "EMBED_DIMENSIONS")
    )
    walk_cross_encoder: str = Field(
        "", validation_alias=_byokg("WALK_CROSS_ENCODER", "RERANKING_MODEL")
    )

    llm_provider: str = ""
    graph_uri: str = ""
    graph_user: str = ""
    graph_password: SecretStr = SecretStr("")

    llm_base_url: str = ""
    llm_region: Region = Field("", validation_alias=_byokg("LLM_REGION", "REGION"))
    llm_model: str = Field("", validation_alias=_byokg("LLM_MODEL", "LLM_MODEL"))
    llm_answer_tokens: int = Field(
        2000, ge=1, validation_alias=_byokg("LLM_ANSWER_TOKENS", "MAX_TOKENS")
    )
    llm_retries: int = Field(1, ge=0, le=20, validation_alias=_byokg("LLM_RETRIES", "MAX_RETRIES"))
    llm_api_key: SecretStr = SecretStr("")
    hf_token: SecretStr = Field(
        default=SecretStr(""), validation_alias=AliasChoices("SCANSCOUT_HF_TOKEN", "HF_TOKEN")
    )
    llm_script: Path | None = None
    llm_seconds: float | None = Field(default=None, gt=0)
    llm_prompt_tokens: int | None = Field(default=None, ge=500)
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
    upload_mb_per_minute: int = Field(default=2000, ge=1)
    upload_mb_per_minute_all: int = Field(default=6000, ge=1)
    sessions: int = Field(default=400, ge=1)
    sessions_per_address: int = Field(default=200, ge=1)
    session_minutes: float = Field(default=120.0, gt=0, le=525_600)
    trusted_proxies: Networks = ""
    allowed_hosts: Hosts = ""
    space_host: str = Field(default="", validation_alias="SPACE_HOST")
    mcp: bool = False
    metrics: bool = False
    log_level: Literal["warning", "info", "debug"] = "warning"

    _withheld: tuple[str, ...] = PrivateAttr(default=())

    @field_validator("catalog", "index_dir", "cache_dir", "llm_script")
    @classmethod
    def _at_home(cls, path: Path | None) -> Path | None:
        """A path from a file has met no shell that knows what ``~`` stands for."""
        return path and path.expanduser()

    @model_validator(mode="wrap")
    @classmethod
    def _with_notices(cls, values: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:  # noqa: ANN401
        withheld = values.pop(WITHHELD, ()) if isinstance(values, dict) else ()
        settings = handler(values)
        settings._withheld = tuple(
            f"{variable(key)} is set in {place} and is not used, because {variable(address)} is "
            f"set in {other}; set both in one place"
            for key, place, address, other in withheld
        )
        return settings

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, then the file; no key leaves its source."""
        sources = {
            "the program": init_settings,
            "the environment": env_settings,
            "the file of settings": dotenv_settings,
        }
        return (KeepKeysHome(settings_cls, sources),)

    @property
    def withheld_keys(self) -> tuple[str, ...]:
        """Why keys that are set are not used; empty where all are."""
        return self._withheld

    @property
    def page_hosts(self) -> tuple[str, ...]:
        """Host names under which the page answers, beside those of this machine."""
        hosts = f"{self.host},{self.allowed_hosts},{self.space_host}".split(",")
        return tuple(part.strip() for part in hosts if part.strip())

    @property
    def shipped_index(self) -> Path:
        """The vectors that come with the catalog; never written to."""
        return ROOT / "assets" / "index"


def variable(field: str) -> str:
    """The name of a setting in the environment."""
    alias = Settings.model_fields[field].validation_alias
    first = alias.choices[0] if isinstance(alias, AliasChoices) else alias
    return first if isinstance(first, str) else f"{PREFIX}{field.upper()}"


def environment_file() -> Path:
    """The file of settings: the one that SCANSCOUT_ENV_FILE names, else the project's own.

    Never one of the current folder: a downloaded study there must not change settings.
    Raises BadInput when the named file is missing.
    """
    path_text = os.environ.get(FILE_VARIABLE, "")
    if path_text and not Path(path_text).is_file():
        raise BadInput(f"{FILE_VARIABLE}: names no file; give one in the form of .env.example")
    if not path_text:
        _warn_of_unread_file(Path(".env").resolve())
    return Path(path_text) if path_text else ROOT / ".env"


@cache
def _warn_of_unread_file(file: Path) -> None:
    try:
        unread = file != ROOT / ".env" and PREFIX in file.read_text("utf-8", "replace")
    except OSError:
        return
    if unread:
        logger.warning(
            ".env in the current folder is not read; to use it, set %s=.env", FILE_VARIABLE
        )


CHOSEN_FILE = Path(".env")
"""Placeholder: the file that ``environment_file`` chooses."""


def read_settings(env_file: Path | None = CHOSEN_FILE) -> Settings:
    """Settings from the environment, then the file; None reads no file.

    Raises BadInput naming the variable of the first wrong value. Keys that are withheld are logged
    as warnings, without their values.
    """
    env_path = environment_file() if env_file is CHOSEN_FILE else env_file
    try:
        settings = Settings(_env_file=env_path)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        place = str(first["loc"][0])
        name = variable(place) if place in Settings.model_fields else place
        raise BadInput(f"{name}: {first['msg']}") from exc
    except UnicodeDecodeError as exc:
        name = FILE_VARIABLE if os.environ.get(FILE_VARIABLE) else ".env"
        raise BadInput(f"{name}: the file is no UTF-8 text; save it as UTF-8") from exc
    known = {FILE_VARIABLE, *map(variable, Settings.model_fields)}
    for name in (*os.environ, *names_in(env_path)):
        if name.upper().startswith(PREFIX):
            warn_of_unknown_name(name.upper(), frozenset(known))
    for notice in settings.withheld_keys:
        logger.warning("%s", notice)
    return settings
