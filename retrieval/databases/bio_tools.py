"""The bio.tools registry (https://biotools.readthedocs.io, API reference)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from retrieval.core import Deadline, StageUnavailable
from retrieval.databases.api import Api, Record, checked_base
from retrieval.databases.parameters import QueryParameters, sent
from retrieval.net import TRIES, Request

BIO_TOOLS_ADDRESS = "https://bio.tools/api"
EXACT = " (an exact value)"


class BioToolsQueryParameters(QueryParameters):
    """The fields that bio.tools can be searched by; names are its own."""

    endpoint: Literal["t"] = Field(default="t", description="What is listed: tools")
    q: str | None = Field(default=None, description="Words that must all occur somewhere")
    biotoolsID: str | None = Field(default=None, description="Id of a tool in bio.tools")
    name: str | None = Field(default=None, description="Name of a tool")
    description: str | None = Field(default=None, description="Words of the description")
    homepage: str | None = Field(default=None, description="Address of the home page" + EXACT)
    version: str | None = Field(default=None, description="Version" + EXACT)
    topic: str | None = Field(default=None, description="Field of science, an EDAM topic")
    topicID: str | None = Field(default=None, description="EDAM topic id such as topic_3510")
    function: str | None = Field(default=None, description="Input, operation, output or note")
    operation: str | None = Field(default=None, description="What it does, an EDAM operation")
    operationID: str | None = Field(default=None, description="EDAM operation id")
    dataType: str | None = Field(default=None, description="EDAM data, read or written")
    dataTypeID: str | None = Field(default=None, description="EDAM data id, read or written")
    dataFormat: str | None = Field(default=None, description="EDAM format, read or written")
    dataFormatID: str | None = Field(default=None, description="EDAM format id")
    input: str | None = Field(default=None, description="EDAM data or format that is read")
    inputID: str | None = Field(default=None, description="EDAM id of what is read")
    inputDataType: str | None = Field(default=None, description="EDAM data that is read")
    inputDataTypeID: str | None = Field(default=None, description="EDAM data id that is read")
    inputDataFormat: str | None = Field(default=None, description="EDAM format that is read")
    inputDataFormatID: str | None = Field(default=None, description="EDAM format id that is read")
    output: str | None = Field(default=None, description="EDAM data or format that is written")
    outputID: str | None = Field(default=None, description="EDAM id of what is written")
    outputDataType: str | None = Field(default=None, description="EDAM data that is written")
    outputDataTypeID: str | None = Field(default=None, description="EDAM data id written")
    outputDataFormat: str | None = Field(default=None, description="EDAM format that is written")
    outputDataFormatID: str | None = Field(default=None, description="EDAM format id written")
    toolType: str | None = Field(default=None, description="Kind, such as Command-line tool")
    collectionID: str | None = Field(default=None, description="Collection of tools")
    maturity: Literal["Emerging", "Mature", "Legacy"] | None = Field(
        default=None, description="Maturity"
    )
    operatingSystem: Literal["Linux", "Windows", "Mac"] | None = Field(
        default=None, description="Operating system"
    )
    language: str | None = Field(default=None, description="Programming language")
    cost: str | None = Field(default=None, description="Cost, such as Free of charge")
    license: str | None = Field(default=None, description="Licence, such as GPL-3.0")
    accessibility: str | None = Field(default=None, description="Such as Open access")
    credit: str | None = Field(default=None, description="Person or institute")
    creditOrcidID: str | None = Field(default=None, description="ORCID iD of a person")
    publication: str | None = Field(default=None, description="DOI, PMID or PMCID")
    publicationID: str | None = Field(default=None, description="DOI, PMID or PMCID" + EXACT)
    documentation: str | None = Field(default=None, description="Kind of documentation")
    otherIDValue: str | None = Field(default=None, description="Id elsewhere" + EXACT)
    page: int = Field(default=1, ge=1, le=1000, description="Page of the list")


IDS = {name for name in BioToolsQueryParameters.model_fields if name.endswith("ID")}
QUOTED = {"homepage", "version", "otherIDValue"} | IDS - {"biotoolsID", "collectionID"}
"""Parameters whose values bio.tools reads as one value only in quotation marks."""


class _Term(BaseModel):
    term: str | None = None


class _Data(BaseModel):
    data: _Term | None = None
    format: list[_Term] | None = None


class _Function(BaseModel):
    operation: list[_Term] | None = None
    input: list[_Data] | None = None
    output: list[_Data] | None = None


class _Tool(BaseModel):
    name: str
    biotoolsID: str | None = None
    description: str | None = None
    license: str | None = None
    topic: list[_Term] | None = None
    function: list[_Function] | None = None


class _ToolList(BaseModel):
    list: list[_Tool]


@dataclass(frozen=True)
class BioTools(Api):
    """Tools by what they do, read and write."""

    base: str = BIO_TOOLS_ADDRESS

    name = title = "bio.tools"
    description = (
        "a registry of bioinformatics and life-science software: which tools there are for a "
        "field, an operation, a data type or a format"
    )
    parameters = BioToolsQueryParameters
    home = BIO_TOOLS_ADDRESS

    def fetch(self, parameters: BaseModel, deadline: Deadline, tries: int = TRIES) -> str:
        """One page of tools as JSON. Raises StageUnavailable for parameters that ask nothing."""
        if not sent(parameters, "endpoint", "page"):
            raise StageUnavailable(f"{self.title}: no parameter is filled in; give at least one")
        return super().fetch(parameters, deadline, tries)

    def call(self, parameters: BaseModel) -> Request:
        """One page of the list of tools."""
        params = tuple(
            (name, f'"{value.strip(chr(34))}"' if name in QUOTED else value)
            for name, value in sent(parameters, "endpoint")
        )
        url = f"{checked_base(self.base)}/t/"
        return Request(url=url, params=(("format", "json"), *params), own=self.own)

    def records(self, raw: str) -> tuple[Record, ...]:
        """The tools of an answer."""
        return tuple(_record(tool) for tool in self.parsed(raw, _ToolList).list)


def _record(tool: _Tool) -> Record:
    functions = tool.function or []
    statements = [
        ("topics", [t.term for t in tool.topic or []]),
        ("does", [t.term for f in functions for t in f.operation or []]),
        ("reads", [t for f in functions for d in f.input or [] for t in _terms(d)]),
        ("writes", [t for f in functions for d in f.output or [] for t in _terms(d)]),
        ("licence", [tool.license]),
    ]
    facts = "; ".join(
        f"{k}: {', '.join(dict.fromkeys(v for v in values if v))}"
        for k, values in statements
        if any(values)
    )
    text = f"{tool.name}: {' '.join((tool.description or '').split())}"
    return Record(
        id=tool.biotoolsID or tool.name,
        text=f"{text} ({facts})" if facts else text,
        url=f"https://bio.tools/{tool.biotoolsID}" if tool.biotoolsID else "",
    )


def _terms(data: _Data) -> list[str | None]:
    return [*([data.data.term] if data.data else []), *(f.term for f in data.format or ())]
