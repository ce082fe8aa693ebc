"""Filters as a command line writes them: ``KIND=VALUE``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from retrieval.catalog import dimension_of, format_of, modality_of
from retrieval.core import BadInput, Filters, Tool

Values = Callable[[Tool], Iterable[str | None]]

KINDS: Mapping[str, tuple[str, Values]] = {
    "licence": ("licenses", lambda tool: (tool.license,)),
    "modality": ("modalities", lambda tool: tool.modalities),
    "format": ("formats", lambda tool: (*tool.formats_in, *tool.formats_out)),
    "dimension": ("dimensions", lambda tool: tool.dimensions),
    "interface": ("interfaces", lambda tool: tool.interfaces),
    "domain": ("domains", lambda tool: (tool.domain,)),
    "gpu": ("gpu", lambda tool: (tool.gpu,)),
}
"""Kinds of filters: the field of Filters that each sets, and what a tool states of it."""

_KIND_SPELLINGS = {"license": "licence"}
"""Other spellings of kinds: answers as JSON name the field of a record, ``license``."""

SHOWN = 12
"""Values that a refusal lists; a catalog can state hundreds of licences."""


def parse_filters(pairs: Iterable[str], tools: Iterable[Tool]) -> Filters:
    """The filters of ``KIND=VALUE`` texts; values of one kind are alternatives.

    A value counts in any case and in the spellings of the closed vocabularies. Raises BadInput for
    an unknown kind and for a value that no tool states, with those that there are.
    """
    values_by_field: dict[str, set[str]] = {}
    catalog = tuple(tools)
    for pair in pairs:
        name, value = _kind_and_value(pair)
        field, values = KINDS[name]
        values_by_field.setdefault(field, set()).add(_stated(name, value, values, catalog))
    return Filters(**{field: frozenset(values) for field, values in values_by_field.items()})


def check_kinds(pairs: Iterable[str]) -> None:
    """Raise BadInput for a filter of no kind, which can be told without a catalog."""
    for pair in pairs:
        _kind_and_value(pair)


def kind_name(typed: str) -> str:
    """The kind of a filter or a wish as this program spells it, in small letters."""
    name = typed.casefold()
    return _KIND_SPELLINGS.get(name, name)


def _kind_and_value(pair: str) -> tuple[str, str]:
    kind, _, value = (part.strip() for part in pair.partition("="))
    name = kind_name(kind)
    if name not in KINDS or not value:
        kinds = ", ".join(KINDS)
        raise BadInput(f"filter: {pair[:60]!r}; write KIND=VALUE with one of: {kinds}")
    return name, value


def _stated(kind: str, value: str, values: Values, tools: Iterable[Tool]) -> str:
    """The value as tools state it."""
    stated = {str(one).casefold(): str(one) for tool in tools for one in values(tool) if one}
    code = {"modality": modality_of, "format": format_of, "dimension": dimension_of}.get(kind)
    spelt = code(value) if code else None
    match = stated.get(value.casefold()) or stated.get(str(spelt).casefold())
    if match is None:
        some = sorted(stated.values(), key=str.casefold)
        more = ", ..." if len(some) > SHOWN else ""
        raise BadInput(
            f"filter: no tool states the {kind} {value[:40]!r}; there are: "
            f"{', '.join(some[:SHOWN])}{more}"
        )
    return match
