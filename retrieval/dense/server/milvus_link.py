"""One client of Milvus: where it is, who asks, and calls that are bounded and end in a reason."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import urlsplit

from retrieval.core import StageUnavailable, bounded
from retrieval.net import OutsideCalls

T = TypeVar("T")

PURPOSE = "vector store"

RECONNECT_MS = 1_000
"""gRPC tries a lost connection again up to two minutes later, and shares that with new clients."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MilvusAddress:
    """A file that ends in ``.db`` (milvus-lite), or the address of a server and who asks it.

    A server takes a token, or a user and a password. ``ca_file`` holds the certificates (PEM) that
    an ``https`` address is checked against; without it those of the machine count.
    ``search_seconds`` bounds a search, ``seconds`` a connection and any other question,
    ``fill_seconds`` storing or loading a collection.
    """

    uri: str = field(repr=False)
    token: str = field(default="", repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    ca_file: str = field(default="", repr=False)
    search_seconds: float = 4.0
    seconds: float = 8.0
    fill_seconds: float = 600.0

    @property
    def is_file(self) -> bool:
        """Whether nothing leaves this machine: Milvus's own rule, the ending alone."""
        return self.uri.endswith(".db")

    @property
    def name(self) -> str:
        """What an error message calls it; no folder, user or password."""
        if self.is_file:
            return f"the Milvus file {Path(self.uri).name}"
        return f"Milvus at {urlsplit(self.uri).hostname or 'an address without a host'}"

    @property
    def remedy(self) -> str:
        """What to look at when it does not answer."""
        if self.is_file:
            return "check that its folder can be written and that no other process has it open"
        return "check that it runs at this address and that user, password or token is right"

    @property
    def options(self) -> dict[str, Any]:
        """What a client is opened with, beside the address."""
        if self.is_file:
            # gRPC would send even a loopback connection through the proxy of the environment.
            return {"grpc_options": {"grpc.enable_http_proxy": 0}}
        options = {"token": self.token, "user": self.user, "password": self.password}
        secure = {"server_pem_path": self.ca_file} if self.ca_file else {}
        again = {"grpc.max_reconnect_backoff_ms": RECONNECT_MS}
        return {
            **options,
            **secure,
            "secure": self.uri.startswith("https://"),
            "grpc_options": again,
        }


class Link:
    """One client: every call is bounded, and whatever goes wrong is said with its remedy."""

    def __init__(self, address: MilvusAddress, guard: OutsideCalls) -> None:
        if not address.is_file:
            guard.permit(PURPOSE, address.uri)
        self.address = address
        self.pymilvus = _imported(address)
        if address.ca_file and not Path(address.ca_file).is_file():
            raise StageUnavailable(
                "SCANSCOUT_MILVUS_CA_FILE names no file; give the PEM file of the certificates"
            )
        self._client: Any = None
        self.call(lambda: self.client, address.fill_seconds if address.is_file else None)

    @property
    def client(self) -> Any:  # noqa: ANN401 - the package is imported when it is needed
        """The client; opened anew after a failure, since a lost connection stays closed."""
        if self._client is None:
            address = self.address
            self._client = self.pymilvus.MilvusClient(
                uri=address.uri, timeout=address.seconds, **address.options
            )
        return self._client

    def call(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """The value of some calls to Milvus, within so many seconds all together.

        The address's ``seconds`` apply where none are given. Raises StageUnavailable with the
        remedy where Milvus or gRPC reports an error, or gives an answer of another shape.
        """
        where = self.address
        errors: tuple[type[Exception], ...] = (
            self.pymilvus.MilvusException,
            import_module("grpc").RpcError,
            # A server of another version may leave out a field that the client reads.
            LookupError,
            TypeError,
            ValueError,  # a call on a connection that was closed
        )
        try:
            return bounded(work, seconds or where.seconds, f"{where.name} ({where.remedy})")
        except errors as exc:
            self._client = None
            raise StageUnavailable(
                f"{where.name} refused or did not answer ({type(exc).__name__}); {where.remedy}"
            ) from exc

    def count(self, collection: str, consistency: str = "Strong") -> int:
        """How many rows a reader of this consistency sees in a collection."""
        rows = self.client.query(
            collection, output_fields=["count(*)"], consistency_level=consistency
        )
        return int(rows[0]["count(*)"])


def _imported(address: MilvusAddress) -> ModuleType:
    extra = "milvus-lite" if address.is_file else "milvus"
    environment = os.environ.copy()
    try:
        pymilvus = import_module("pymilvus")
        if address.is_file:
            import_module("milvus_lite")
    except ImportError as exc:
        raise StageUnavailable(
            f"the package {(exc.name or 'pymilvus').partition('.')[0]} is missing; "
            f"pip install 'scanscout[{extra}]'"
        ) from exc
    # pymilvus copies every line of a .env file into the environment; settings.py alone reads that
    # file, so what the import added is taken out again. No setting is read here.
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    # It logs every refused call with a traceback; ``Link.call`` turns each into one reason.
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
    return pymilvus
