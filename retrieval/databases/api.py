"""One database: how it is asked, what its answers hold, and its way out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from retrieval.core import Deadline, OutsideCallRefused, StageUnavailable, bounded
from retrieval.llm import prompt_file
from retrieval.net import (
    REFUSALS,
    TRIES,
    Http,
    OutsideCalls,
    PinnedTransport,
    Request,
    checked_address,
)

PURPOSE = "databases"
OFF = (
    "questions to databases are off: nothing is sent until they are switched on "
    "(SCANSCOUT_DATABASES=true)"
)
REFUSED = {
    **REFUSALS,
    400: "did not understand the request (HTTP 400); change the parameters",
    401: "asks for a token, or refused the one it got (HTTP 401)",
    404: "knows nothing under these parameters (HTTP 404)",
}

T = TypeVar("T", bound=BaseModel)


class ApiHttp:
    """Sends requests of one database; its errors name the database and no address."""

    def __init__(
        self, guard: OutsideCalls, title: str, transport: httpx.BaseTransport | None = None
    ) -> None:
        self.guard, self.title = guard, title
        self._http = Http(
            guard=guard,
            purpose=PURPOSE,
            transport=transport or PinnedTransport(),
            refusals=REFUSED,
        )

    def allowed(self) -> None:
        """Raise OutsideCallRefused while databases are off."""
        if PURPOSE not in self.guard.allowed:
            raise OutsideCallRefused(OFF)

    def send(self, request: Request, deadline: Deadline, tries: int = TRIES) -> str:
        """The body of the answer as text, with the token hidden in it.

        Raises StageUnavailable with a reason that names the database and no address. Faults
        that are likely to pass are tried again, at most ``tries`` times in all.
        """
        self.allowed()

        def talk() -> str:
            try:
                return self._http.send(request, deadline, tries).text()
            except StageUnavailable as exc:
                raise StageUnavailable(f"{self.title}: {exc}") from None

        # The look-up of a name has no limit of its own; the wait of a thread needs a finite one.
        return bounded(talk, min(deadline.left, 3600.0), self.title)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing that a database returned, as a line of text."""

    id: str
    text: str
    url: str = ""


@dataclass(frozen=True)
class Api(ABC):
    """One database: what it can be asked, how it is asked, and what its answers hold.

    ``title`` is what people call it, ``description`` what it knows, for the choice between those
    who can answer; ``parameters`` have a description each; ``home`` is its public address.
    """

    http: ApiHttp
    base: str = ""

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    parameters: ClassVar[type[BaseModel]]
    home: ClassVar[str]

    @property
    def instructions(self) -> str:
        """How a question becomes parameters: the prompt file, with its doubled braces single.

        The file is a template without fields: braces of JSON examples are doubled in it.
        """
        return prompt_file(f"api_{self.name.replace('.', '_')}", "databases").format()

    @property
    def own(self) -> bool:
        """Whether the address was set on purpose, so that it may be on this machine."""
        return self.base.rstrip("/") != self.home

    def allowed(self) -> None:
        """Raise OutsideCallRefused while databases are off."""
        self.http.allowed()

    def request(self, parameters: BaseModel) -> str:
        """The request as one line, without a token."""
        return self.call(parameters).line

    def fetch(self, parameters: BaseModel, deadline: Deadline, tries: int = TRIES) -> str:
        """The raw answer; raises StageUnavailable with a readable reason."""
        return self.http.send(self.call(parameters), deadline, tries)

    @abstractmethod
    def call(self, parameters: BaseModel) -> Request:
        """The first request for these parameters."""

    @abstractmethod
    def records(self, raw: str) -> tuple[Record, ...]:
        """What the answer holds; raises StageUnavailable when it cannot be read."""

    def parsed(self, raw: str, shape: type[T]) -> T:
        """The answer in its shape; raises StageUnavailable for anything else."""
        try:
            return shape.model_validate_json(raw)
        except ValidationError as exc:
            raise StageUnavailable(f"{self.title}: sent something that cannot be read") from exc


def checked_base(url: str) -> str:
    """The address of a database; raises BadInput for one that holds more than an address."""
    return checked_address(url, example="https://host/api", secret="a token")
