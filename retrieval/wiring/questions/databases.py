"""Databases as forms of a page: what can be filled in, what would be sent, and the response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.core import BadInput, OutsideCallRefused
from retrieval.databases import Form, FormField, filled
from retrieval.settings import Settings
from retrieval.wiring.databases import api_answerers, api_form, open_apis
from retrieval.wiring.questions.question_engine import QuestionEngine

FIRST: Mapping[str, tuple[str, ...]] = {
    "bio.tools": ("q", "topic", "operation", "inputDataFormat", "outputDataFormat", "license"),
    "blast": ("query", "program", "database", "rid"),
    "oncokb": ("endpoint", "hugoSymbol", "alteration", "tumorType"),
}
"""The fields of each form that stand open; the others are folded."""
MOST_OPEN = 6
"""Fields that stand open where none are named."""


class Databases:
    """The databases of the settings; nothing is connected before a filled form is sent."""

    def __init__(self, settings: Settings) -> None:
        self._apis = open_apis(settings)
        self._seconds = settings.database_seconds

    @property
    def forms(self) -> tuple[Form, ...]:
        """One form per database, in their order."""
        return tuple(api_form(self._apis, name) for name in self._apis)

    @property
    def off(self) -> str:
        """Why nothing may be sent, with how to switch it on; empty when it may."""
        try:
            for api in self._apis.values():
                api.allowed()
        except OutsideCallRefused as exc:
            return str(exc)
        return ""

    def fields(self, name: str, *, folded: bool = False) -> tuple[FormField, ...]:
        """The fields of a form that stand open, or those that are folded."""
        by_name = {field.name: field for field in api_form(self._apis, name).fields}
        first = [one for one in FIRST.get(name, ()) if one in by_name] or list(by_name)[:MOST_OPEN]
        names = [one for one in by_name if one not in first] if folded else first
        return tuple(by_name[one] for one in names)

    def request(self, name: str, values: Mapping[str, Any]) -> str:
        """The request that a filled form would send, as one line without a token.

        Nothing is sent. Raises BadInput naming the database or the field.
        """
        api_form(self._apis, name)
        if not any(value not in (None, "", False) for value in values.values()):
            raise BadInput("form: it is empty; fill in at least one field")
        api = self._apis[name]
        return api.request(filled(api.parameters, values))

    def with_form(
        self, engine: QuestionEngine, name: str, values: Mapping[str, Any]
    ) -> QuestionEngine:
        """The same engine, whose database of this name asks with the values of a form.

        Raises BadInput for values that cannot be sent.
        """
        self.request(name, values)
        one = {name: self._apis[name]}
        factories = api_answerers(one, engine.model, values=values, seconds=self._seconds)
        return engine.with_answerer(name, factories[name])
