"""bio.tools, BLAST and OncoKB: the three parts of an agent for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import BaseModel

from retrieval.compat.biochatter.api_agent.base import (
    BaseFetcher,
    BaseInterpreter,
    BaseQueryBuilder,
)
from retrieval.compat.biochatter.llm_connect import model_of
from retrieval.core import Deadline
from retrieval.databases import Api, ApiAgent
from retrieval.databases import BioToolsQueryParameters as BioToolsQueryParameters
from retrieval.databases import BlastQueryParameters as BlastQueryParameters
from retrieval.databases import OncoKBQueryParameters as OncoKBQueryParameters
from retrieval.llm import LanguageModel
from retrieval.settings import read_settings
from retrieval.wiring import open_apis


class Filling:
    """Fills in the parameters of a database for one question."""

    def __init__(self, api: Api, model: LanguageModel) -> None:
        self._agent = ApiAgent(api, model)

    def invoke(self, input: dict[str, str]) -> BaseModel:
        """The parameters of the question under ``input``."""
        return self._agent.parameterise(input["input"])


class WebQueryBuilder(BaseQueryBuilder):
    """Fills in the parameters by the database's own instructions."""

    database: ClassVar[str]

    def create_runnable(self, query_parameters: type[BaseModel], conversation: Any) -> Filling:  # noqa: ANN401
        """What fills in the parameters; they are always those of this database."""
        api = open_apis(read_settings())[self.database]
        return Filling(api, model_of(lambda: conversation))

    def parameterise_query(self, question: str, conversation: Any) -> BaseModel:  # noqa: ANN401
        """The parameters of a question. Raises StageUnavailable with the reason."""
        api = open_apis(read_settings())[self.database]
        return self.create_runnable(api.parameters, conversation).invoke({"input": question})


class WebFetcher(BaseFetcher):
    """Sends parameters to the database, once the settings allow it or an ``api`` is given."""

    database: ClassVar[str]
    patience: ClassVar[float] = 0.0
    """Seconds that this database needs at the least."""

    def __init__(self, api: Api | None = None, seconds: float | None = None) -> None:
        settings = read_settings()
        self.api = api or open_apis(settings)[self.database]
        self.seconds = seconds or max(settings.database_seconds, self.patience)

    def fetch_results(self, query_model: BaseModel, retries: int = 3) -> str:
        """The answer, within ``seconds``; a passing fault gets ``retries`` tries."""
        return self.api.fetch(query_model, Deadline.after(self.seconds), retries)


class WebInterpreter(BaseInterpreter):
    """Sums up the records of an answer, reduced to what a prompt holds."""

    database: ClassVar[str]

    def summarise_results(
        self, question: str, conversation_factory: Callable[[], Any], response_text: str
    ) -> str:
        """The answer in words. Raises StageUnavailable for a response that cannot be read."""
        api = open_apis(read_settings())[self.database]
        return ApiAgent(api, model_of(conversation_factory)).interpret(question, response_text)


Parts = tuple[type[WebQueryBuilder], type[WebFetcher], type[WebInterpreter]]


def _parts(database: str, prefix: str, patience: float = 0.0) -> Parts:
    """The three classes of one database, whose names begin with ``prefix``."""
    attributes = {"database": database, "patience": patience, "__module__": __name__}

    def part(base: type, suffix: str) -> Any:  # noqa: ANN401 - a subclass of base
        return type(f"{prefix}{suffix}", (base,), {**attributes, "__doc__": base.__doc__})

    return (
        part(WebQueryBuilder, "QueryBuilder"),
        part(WebFetcher, "Fetcher"),
        part(WebInterpreter, "Interpreter"),
    )


BIO_TOOLS = _parts("bio.tools", "BioTools")
ONCOKB = _parts("oncokb", "OncoKB")
# NCBI queues searches: one may take many minutes.
BLAST = _parts("blast", "Blast", patience=900.0)

BioToolsQueryBuilder, BioToolsFetcher, BioToolsInterpreter = BIO_TOOLS
OncoKBQueryBuilder, OncoKBFetcher, OncoKBInterpreter = ONCOKB
BlastQueryBuilder, BlastFetcher, BlastInterpreter = BLAST
