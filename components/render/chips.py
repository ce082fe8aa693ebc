"""What a search takes into account, as chips that can be taken away."""

from __future__ import annotations

from components.data import FACETS, Data, Form
from components.render.markup import attrs, esc
from components.render.words import token_words

NAMES = dict(zip(FACETS, ("Licence", "Modality", "Format", "Interface", "GPU"), strict=True))


def chips(data: Data, form: Form) -> str:
    """One removable chip a token, exclusion, filter and switched-off stage."""
    shown = [
        _chip("token", t, token_words(t), "from your scan or link", spoken=t) for t in data.tokens
    ]
    shown += [_chip("exclude", n, f"not {n}", "excluded tool") for n in form.excluded]
    shown += [
        _chip(facet, value, f"{NAMES[facet]}: {value}", "filter")
        for facet in FACETS
        for value in sorted(getattr(form.filters, facet))
    ]
    shown += [_chip("off", name, f"without {name}", "stage") for name in sorted(form.off)]
    shown += [] if form.rerank else [_chip("rerank", "1", "no re-ranking", "switch")]
    shown += [_chip("refine", "1", "ask me back", "switch")] if form.refine else []
    if not shown:
        return ""
    return f"<ul class='chips' aria-label='Taken into account'>{''.join(shown)}</ul>"


def _chip(kind: str, id: str, label: str, title: str, *, spoken: str | None = None) -> str:
    out = attrs(
        type="button",
        class_=f"chip chip-{kind}",
        data_act="remove",
        data_kind=kind,
        data_id=id,
        title=title,
        aria_label=f"Remove {spoken or label}",
    )
    inner = f"{esc(label)}<span aria-hidden='true' class='x'>×</span>"
    return f"<li><button{out}>{inner}</button></li>"
