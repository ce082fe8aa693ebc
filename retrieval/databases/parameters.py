"""The parameters of a request to a database: filled by a model, or by a person in a form."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.core import BadInput

FieldKind = Literal["text", "number", "switch", "choice"]
UUID = "question_uuid"


class QueryParameters(BaseModel):
    """Base of all parameters; ``question_uuid`` names the call and is never sent."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    question_uuid: str | None = Field(default=None, description="Name of this call")


P = TypeVar("P", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field to fill in: what it is, its kind, its choices, and what stands there first."""

    name: str
    label: str
    kind: FieldKind
    required: bool = False
    choices: tuple[str, ...] = ()
    default: str | float | bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form as data; a page draws it, and ``filled`` reads what came back."""

    name: str
    title: str
    fields: tuple[FormField, ...]


def form_of(parameters: type[BaseModel], *, name: str, title: str) -> Form:
    """The form of a parameter model, field by field in its order."""
    fields = tuple(
        _field(field, info) for field, info in parameters.model_fields.items() if field != UUID
    )
    return Form(name=name, title=title, fields=fields)


def _field(name: str, info: Any) -> FormField:  # noqa: ANN401 - pydantic's field
    plain = info.annotation
    if get_origin(plain) in (Union, UnionType):
        # ``str | None`` is str: an empty field of a form stands for None.
        plain = next((a for a in get_args(plain) if a is not type(None)), str)
    choices = tuple(str(c) for c in get_args(plain)) if get_origin(plain) is Literal else ()
    kind: FieldKind = "number" if plain in (int, float) else "text"
    if choices or plain is bool:
        kind = "choice" if choices else "switch"
    default = info.default if isinstance(info.default, (str, int, float, bool)) else None
    return FormField(
        name=name,
        label=info.description or name,
        kind=kind,
        required=info.is_required(),
        choices=choices,
        default=default,
    )


def filled(parameters: type[P], values: Mapping[str, Any]) -> P:
    """Values of a form as parameters; empty fields (None or an empty text) take their defaults.

    Raises BadInput naming the first field that is wrong. A ``question_uuid`` is always a new one.
    """
    entries = {k: v for k, v in values.items() if v not in (None, "") and k != UUID}
    try:
        return named_call(parameters.model_validate(entries))
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "form"
        raise BadInput(f"{place}: {first['msg']}") from exc


def named_call(parameters: P) -> P:
    """The same parameters under a fresh ``question_uuid``, where they have one."""
    if UUID not in type(parameters).model_fields:
        return parameters
    return parameters.model_copy(update={UUID: str(uuid.uuid4())})


def described(parameters: type[BaseModel]) -> str:
    """The parameters as lines of a prompt.

    One line per parameter: name, description, choices, and whether it is required.
    """
    form = form_of(parameters, name="", title="")
    lines = []
    for field in form.fields:
        choices = f" (one of: {', '.join(field.choices)})" if field.choices else ""
        need = " (required)" if field.required else ""
        lines.append(f"{field.name}: {field.label}{choices}{need}")
    return "\n".join(lines)


def sent(parameters: BaseModel, *left_out: str) -> tuple[tuple[str, str], ...]:
    """The parameters that are set, as name and text, in the order of the model.

    Switches are true and false; ``question_uuid`` and the names left out are never sent.
    """
    values = parameters.model_dump(exclude_none=True, exclude={UUID, *left_out})
    return tuple(
        (name, str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in values.items()
        if value != ""
    )
