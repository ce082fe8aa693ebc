"""Events of the drop zone: read at once, delete at once, show what was read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from components.data import Data, form_of
from components.panels import scan
from components.parts import PRIVATE, Parts
from components.render.chips import chips
from components.render.notices import unreadable
from components.render.scan import scan_panel
from components.render.status import line
from retrieval import Engine, RetrievalError


def events(parts: Parts, engine: Engine) -> None:
    """Both upload widgets lead to one reader; the series picker narrows what it read."""
    options = {**PRIVATE, "show_progress": "minimal", "show_progress_on": [parts.scan.panel]}
    for widget in (parts.scan.files, parts.scan.folder):
        widget.upload(
            _reader(parts, engine, widget),
            [widget, *parts.form],
            [widget, *_outputs(parts)],
            concurrency_limit=2,
            concurrency_id="files",
            **options,
        )
    parts.scan.series.input(
        _picker(parts), [parts.scan.series, *parts.form], _outputs(parts), **PRIVATE
    )


def _outputs(parts: Parts) -> list[Any]:
    one = parts.query
    return [parts.data, parts.scan.series, parts.scan.panel, one.chips, one.status, one.notices]


def _reader(parts: Parts, engine: Engine, widget: Any) -> Callable[..., dict[Any, Any]]:  # noqa: ANN401
    def read(paths: list[str] | None, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        *form, data = values
        try:
            after = scan.read(engine, paths, replace(data, undo=""))
        except (RetrievalError, OSError) as exc:
            told = unreadable(str(exc) if isinstance(exc, RetrievalError) else "")
            return {widget: None, parts.query.notices: told}
        return {widget: None, **_shown(parts, after, form)}

    return read


def _picker(parts: Parts) -> Callable[..., dict[Any, Any]]:
    def pick(number: int | None, *values: Any) -> dict[Any, Any]:  # noqa: ANN401
        *form, data = values
        return _shown(parts, scan.picked(data, number), form)

    return pick


def _shown(parts: Parts, data: Data, form: list[Any]) -> dict[Any, Any]:
    said = "Scan read. Press Find tools." if data.scans else "The file could not be read."
    return {
        parts.data: data,
        parts.scan.series: scan.picker(data),
        parts.scan.panel: scan_panel(data),
        parts.query.chips: chips(data, form_of(form)),
        parts.query.status: line(said, "idle"),
        parts.query.notices: "",
    }
