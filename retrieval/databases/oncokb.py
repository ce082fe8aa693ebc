"""OncoKB: what alterations of cancer genes mean (https://api.oncokb.org)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, Field, model_validator

from retrieval.databases.api import Api, Record, checked_base
from retrieval.databases.parameters import QueryParameters, sent
from retrieval.net import Request

ONCOKB_ADDRESS = "https://demo.oncokb.org/api/v1"
"""The public base; it knows BRAF, TP53 and ROS1. The whole needs a token and the full base."""

Endpoint = Literal[
    "annotate/mutations/byProteinChange",
    "annotate/mutations/byGenomicChange",
    "annotate/mutations/byHGVSg",
    "annotate/copyNumberAlterations",
    "annotate/structuralVariants",
]
NEEDS: dict[str, tuple[str, ...]] = {
    "annotate/mutations/byProteinChange": ("hugoSymbol", "alteration"),
    "annotate/mutations/byGenomicChange": ("genomicLocation",),
    "annotate/mutations/byHGVSg": ("hgvsg",),
    "annotate/copyNumberAlterations": ("hugoSymbol", "copyNameAlterationType"),
    "annotate/structuralVariants": ("hugoSymbolA", "hugoSymbolB"),
}


class OncoKBQueryParameters(QueryParameters):
    """An alteration; which fields are needed depends on the endpoint."""

    endpoint: Endpoint = Field(
        default="annotate/mutations/byProteinChange", description="Kind of alteration"
    )
    referenceGenome: Literal["GRCh37", "GRCh38"] = Field(
        default="GRCh37", description="Reference genome"
    )
    hugoSymbol: str | None = Field(default=None, description="Gene, such as BRAF")
    alteration: str | None = Field(default=None, description="Protein change, such as V600E")
    consequence: str | None = Field(default=None, description="Such as missense_variant")
    proteinStart: int | None = Field(default=None, description="First residue")
    proteinEnd: int | None = Field(default=None, description="Last residue")
    tumorType: str | None = Field(default=None, description="Cancer, by name or OncoTree code")
    genomicLocation: str | None = Field(
        default=None, description="Such as 7,140453136,140453136,A,T"
    )
    hgvsg: str | None = Field(default=None, description="Such as 7:g.140453136A>T")
    copyNameAlterationType: Literal["AMPLIFICATION", "DELETION", "GAIN", "LOSS"] | None = Field(
        default=None, description="Change of the number of copies"
    )
    hugoSymbolA: str | None = Field(default=None, description="First gene of a fusion")
    hugoSymbolB: str | None = Field(default=None, description="Second gene of a fusion")
    structuralVariantType: (
        Literal["DELETION", "TRANSLOCATION", "DUPLICATION", "INSERTION", "INVERSION", "FUSION"]
        | None
    ) = Field(default=None, description="Kind of structural variant")
    isFunctionalFusion: bool | None = Field(
        default=None, description="Whether the fusion is functional"
    )

    @model_validator(mode="after")
    def _complete(self) -> OncoKBQueryParameters:
        missing = [name for name in NEEDS[self.endpoint] if not getattr(self, name)]
        if missing:
            raise ValueError(f"{self.endpoint} needs {', '.join(missing)}")
        return self


class _Effect(BaseModel):
    knownEffect: str | None = None
    description: str | None = None


class _Drug(BaseModel):
    drugName: str | None = None


class _Treatment(BaseModel):
    drugs: list[_Drug] | None = None
    level: str | None = None


class _Answer(BaseModel):
    oncogenic: str | None
    geneExist: bool | None = None
    mutationEffect: _Effect | None = None
    highestSensitiveLevel: str | None = None
    geneSummary: str | None = None
    variantSummary: str | None = None
    tumorTypeSummary: str | None = None
    treatments: list[_Treatment] | None = None


@dataclass(frozen=True)
class OncoKB(Api):
    """Alterations of cancer genes."""

    base: str = ONCOKB_ADDRESS
    token: str = field(default="", repr=False)

    name = "oncokb"
    title = "OncoKB"
    description = (
        "what a mutation, copy number change or fusion of a gene means in cancer, and which "
        "treatments respond to it"
    )
    parameters = OncoKBQueryParameters
    home = ONCOKB_ADDRESS

    def call(self, parameters: BaseModel) -> Request:
        """The question for the annotation of an alteration."""
        endpoint = parameters.model_dump()["endpoint"]
        return Request(
            url=f"{checked_base(self.base)}/{endpoint}",
            params=sent(parameters, "endpoint"),
            token=self.token,
            own=self.own,
        )

    def records(self, raw: str) -> tuple[Record, ...]:
        """One record for every statement of the answer; none for a gene that is not known.

        In a fixed order, empty statements left out. Raises StageUnavailable for an answer of
        another shape.
        """
        answer = self.parsed(raw, _Answer)
        # The service answers for unknown genes too, with fields that say nothing.
        if answer.geneExist is False:
            return ()
        return tuple(
            Record(id=k, text=v, url="https://www.oncokb.org") for k, v in _statements(answer)
        )


def _statements(answer: _Answer) -> list[tuple[str, str]]:
    """The statements of an answer by name, those that are empty left out."""
    effect = answer.mutationEffect or _Effect()
    effects = [text for text in (effect.knownEffect, effect.description) if text]
    treatments = [
        f"{' + '.join(drug.drugName or 'unnamed' for drug in one.drugs)} ({one.level or '?'})"
        for one in answer.treatments or []
        if one.drugs
    ]
    statements = [
        ("oncogenic", answer.oncogenic and f"The alteration is rated: {answer.oncogenic}."),
        ("effect", effects and f"Effect: {'. '.join(effects)}."),
        (
            "level",
            answer.highestSensitiveLevel and f"Level of evidence: {answer.highestSensitiveLevel}.",
        ),
        ("gene", answer.geneSummary),
        ("variant", answer.variantSummary),
        ("tumor type", answer.tumorTypeSummary),
        ("treatments", treatments and f"Treatments: {'; '.join(treatments)}."),
    ]
    return [(name, str(text)) for name, text in statements if text]
