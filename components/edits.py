"""What a click inside the page does to the form and the data; pure functions, one per event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from components.data import FACETS, Data, Form
from components.demos import Demo, demo_of
from components.render.search.scan import KINDS
from retrieval import Filters, Tool, Upload, parse_query, without_tag


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The state a click finds, what it carries, and how the scan of an example is read.

    ``unsaid`` takes one remark back, by its place.
    """

    form: Form
    data: Data
    id: str
    kind: str
    catalog: Mapping[str, Tool]
    read: Callable[[Demo], Upload | None] = lambda _: None
    unsaid: Callable[[Form, Data, int], tuple[Form, Data]] = lambda form, data, _: (form, data)


Edited = tuple[Form, Data]


def exclude(ask: Ask) -> Edited:
    """Leave one tool out, and offer the way back."""
    names = tuple(dict.fromkeys((*ask.form.excluded, ask.id)))
    taste = ask.data.taste.dislikes(ask.id) if ask.id in ask.catalog else ask.data.taste
    return replace(ask.form, excluded=names), replace(ask.data, undo=ask.id, taste=taste)


def undo(ask: Ask) -> Edited:
    """Take an exclusion back."""
    names = tuple(n for n in ask.form.excluded if n != ask.id)
    data = replace(ask.data, taste=ask.data.taste.forgets(ask.id))
    text = without_tag(ask.form.text, "exclude", ask.id)
    return replace(ask.form, text=text, excluded=names), data


def remove(ask: Ask) -> Edited:
    """Remove what a chip stands for."""
    form, data = ask.form, ask.data
    if ask.kind == "remark":
        form, data = ask.unsaid(form, data, int(ask.id) if ask.id.isdecimal() else -1)
    elif ask.kind in ("token", "wish"):
        data = data.without(ask.id)
    elif ask.kind in ("words", "removed"):
        data = replace(data, muted=data.muted - {ask.id})
    elif ask.kind == "exclude":
        form, data = undo(ask)
    elif ask.kind in FACETS:
        values: frozenset[str] = getattr(form.filters, ask.kind) - {ask.id}
        form = replace(form, filters=replace(form.filters, **{ask.kind: values}))
    elif ask.kind == "off":
        form = replace(form, off=form.off - {ask.id})
    elif ask.kind == "size":
        form = replace(form, sizes=tuple(one for one in form.sizes if one[0] != ask.id))
    elif ask.kind == "rerank":
        form = replace(form, text=without_tag(form.text, "no_rerank"), rerank=True)
    elif ask.kind == "refine":
        form = replace(form, text=without_tag(form.text, "refine"), refine=False)
    return form, data


def relax(ask: Ask) -> Edited:
    """Drop one filter, the exclusions, or everything that narrows."""
    form = ask.form
    if ask.id in FACETS:
        return replace(form, filters=replace(form.filters, **{ask.id: frozenset()})), ask.data
    filters = form.filters if ask.id == "excluded" else Filters()
    text = without_tag(form.text, "exclude")
    return replace(form, text=text, filters=filters, excluded=()), ask.data


def add_words(ask: Ask) -> Edited:
    """Add an answer or a task to the words typed."""
    return replace(ask.form, text=f"{ask.form.text} {ask.id}".strip()), ask.data


def clarify(ask: Ask) -> Edited:
    """Take an option of a question back: a whole query, or words to add."""
    if ask.kind != "query":
        return add_words(ask)
    # What it says of the image is a chip that can be taken off, not a token among the words.
    query = parse_query(ask.id)
    # It holds for the words that it answers, to which the option adds others.
    data = reduce(Data.with_answer, query.tokens, replace(ask.data, text=query.text))
    return replace(ask.form, text=query.text, refine=False), data


def example(ask: Ask) -> Edited:
    """Search for an example and its scan instead of what was typed and uploaded."""
    demo = demo_of(ask.id)
    if demo is None:
        return ask.form, ask.data
    data = _fresh(ask.data, ask.read(demo))
    return Form(text=demo.text, mode=ask.form.mode), data


def modality(ask: Ask) -> Edited:
    """Say what kind of scan it is, where the file does not; verdicts go by it."""
    upload = ask.data.upload
    if upload is not None and ask.id in KINDS:
        return ask.form, replace(ask.data, upload=upload.with_modality(ask.id))
    return ask.form, ask.data.with_token(f"format:{ask.id}".replace(" ", "_"))


def role(ask: Ask) -> Edited:
    """Say what several files are to each other, or (with an empty id) nothing."""
    upload = ask.data.upload
    if upload is None or ask.id not in ("", *upload.roles):
        return ask.form, ask.data
    return ask.form, replace(ask.data, upload=upload.with_role(ask.id or None))


def clear(ask: Ask) -> Edited:
    """Forget the scan and all that came of it; remarks were about the search."""
    return ask.form, replace(_fresh(ask.data), remarks=ask.data.remarks)


def _fresh(data: Data, upload: Upload | None = None) -> Data:
    """Another scan or none; what the visitor chose and said of themselves stays."""
    return Data(upload=upload, chosen=data.chosen, profile=data.profile, taste=data.taste)


EDITS: Mapping[str, Callable[[Ask], Edited]] = {
    "exclude": exclude,
    "undo": undo,
    "remove": remove,
    "relax": relax,
    "clarify": clarify,
    "task": add_words,
    "example": example,
    "modality": modality,
    "role": role,
    "clear": clear,
}
"""Acts by the name of their event; each but ``exclude`` ends the offer to undo."""


def edited(name: str, ask: Ask) -> Edited:
    """What one act does.

    Pure: returns new objects. The offer to undo ends with every act but ``exclude``.
    """
    # `exclude` sets the offer anew, on data that no longer hold the last one.
    fresh = replace(ask, data=replace(ask.data, undo=""))
    return EDITS[name](fresh)
