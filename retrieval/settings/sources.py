"""Where each setting was given, and which keys are not used for that reason.

A key is used only with the address it was given with. A file that sets an address alone would
otherwise receive the key that the user exported for another service, with the first query.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

KEY_ADDRESSES: Mapping[str, tuple[str, ...]] = {
    "llm_api_key": ("llm_base_url", "llm_provider", "llm_region"),
    "milvus_token": ("milvus_uri",),
    "milvus_password": ("milvus_uri",),
    "graph_password": ("graph_uri",),
    "oncokb_token": ("oncokb_url",),
    "tavily_api_key": ("tavily_url",),
    "serper_api_key": ("serper_url",),
    "serpapi_api_key": ("serpapi_url",),
    "ncbi_email": ("pubmed_url",),
}
"""Keys, and the settings that decide where each goes; the first that is set decides."""

WITHHELD = "withheld keys"
"""Where the merged values list the (key, its place, address, its place) that do not agree."""


class KeepKeysHome(PydanticBaseSettingsSource):
    """All sources as one: the first that has a value gives it, and no key leaves its source."""

    def __init__(
        self,
        settings_cls: type[BaseSettings],
        sources: Mapping[str, PydanticBaseSettingsSource],
    ) -> None:
        super().__init__(settings_cls)
        self._sources = sources
        # Every spelling under which a source may give a field.
        self._names: dict[str, str] = {}
        for name, field in settings_cls.model_fields.items():
            alias = field.validation_alias
            spellings = alias.choices if isinstance(alias, AliasChoices) else [alias]
            self._names.update({str(spelling): name for spelling in spellings if spelling})

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The merged value of one field, its name, and that it needs no decoding."""
        return self().get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values by field name."""
        values: dict[str, Any] = {}
        places: dict[str, str] = {}
        for place, source in self._sources.items():
            for name, value in source().items():
                field = self._names.get(name, name)
                if field not in values:
                    values[field], places[field] = value, place
        return _without_moved_keys(values, places)


def _without_moved_keys(values: dict[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    withheld = []
    for key, addresses in KEY_ADDRESSES.items():
        address = next((name for name in addresses if values.get(name)), None)
        if address and values.get(key) and places[key] != places[address]:
            del values[key]
            withheld.append((key, places[key], address, places[address]))
    return {**values, WITHHELD: tuple(withheld)}
