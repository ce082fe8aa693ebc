"""The databases of the settings: connections, forms and answerers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from retrieval.ask import Answerer
from retrieval.core import BadInput, OutsideCallRefused
from retrieval.databases import BIO_TOOLS_ADDRESS as BIO_TOOLS
from retrieval.databases import BLAST_ADDRESS as BLAST
from retrieval.databases import ONCOKB_ADDRESS as ONCOKB
from retrieval.databases import (
    PURPOSE,
    Api,
    ApiAnswers,
    ApiHttp,
    BioTools,
    Blast,
    Form,
    OncoKB,
    form_of,
)
from retrieval.llm import Budget, LanguageModel
from retrieval.net import OutsideCalls
from retrieval.settings import Settings

MENTIONS: Mapping[str, tuple[str, ...]] = {
    "bio.tools": ("bio.tools", "biotools", "bioinformatics", "metabolomics", "proteomics"),
    "blast": ("blast", "sequence like", "homolog", "similar sequence"),
    "oncokb": ("oncokb", "oncogenic", "mutation", "fusion", "amplification"),
}
"""Words of a question that speak for a database where no model chooses."""


def database_purposes(settings: Settings) -> frozenset[str]:
    """The purposes of calls to databases: none until they are switched on."""
    return frozenset([PURPOSE]) if settings.databases else frozenset()


def open_apis(settings: Settings, guard: OutsideCalls | None = None) -> dict[str, Api]:
    """The databases by name; none connects before its first request."""
    guard = guard or OutsideCalls(database_purposes(settings))
    apis: tuple[Api, ...] = (
        BioTools(ApiHttp(guard, "bio.tools"), settings.bio_tools_url or BIO_TOOLS),
        Blast(ApiHttp(guard, "NCBI BLAST"), settings.blast_url or BLAST),
        OncoKB(
            ApiHttp(guard, "OncoKB"),
            settings.oncokb_url or ONCOKB,
            settings.oncokb_token.get_secret_value(),
        ),
    )
    return {api.name: api for api in apis}


def api_form(apis: Mapping[str, Api], name: str) -> Form:
    """The form of a database. Raises BadInput for one that is not there."""
    if name not in apis:
        raise BadInput(f"database: {name[:40]!r} is not one of {', '.join(apis)}")
    return form_of(apis[name].parameters, name=name, title=apis[name].title)


def api_answerers(
    apis: Mapping[str, Api],
    model: LanguageModel | None = None,
    *,
    values: Mapping[str, Any] | None = None,
    seconds: float = 60.0,
) -> dict[str, Callable[[Budget | None], Answerer]]:
    """Every database as an answerer, by name; ``values`` are those of a filled form."""
    return {
        name: _answerer(api, model, values=values, seconds=seconds) for name, api in apis.items()
    }


def _answerer(
    api: Api,
    model: LanguageModel | None,
    *,
    values: Mapping[str, Any] | None,
    seconds: float,
) -> Callable[[Budget | None], Answerer]:
    off = ""
    try:
        api.allowed()
    except OutsideCallRefused as exc:
        off = str(exc)

    def suits(question: str) -> tuple[float, str]:
        if off:
            return 0.0, off
        folded = question.casefold()
        mentions = [word for word in MENTIONS.get(api.name, ()) if word in folded]
        # Weights compare with those of other answerers: 1.0 is a question understood in full.
        if mentions:
            return 0.6, f"the question says {mentions[0]!r}"
        return 0.05, f"the question says nothing of {api.title}"

    def make(budget: Budget | None) -> Answerer:
        stage = ApiAnswers(api, model, values, budget, seconds)
        description = f"{api.description} (switched off)" if off else api.description
        return Answerer(name=api.name, description=description, stage=stage, suits=suits)

    return make
