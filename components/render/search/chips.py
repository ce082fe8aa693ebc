"""What a search takes into account, as chips that can be taken away."""

from __future__ import annotations

from components.data import FACETS, Data, Form
from components.render.markup import attrs, esc
from components.render.words import token_words

NAMES = dict(zip(FACETS, ("Licence", "Modality", "Format", "Interface", "GPU"), strict=True))


MOST = 6
"""Chips of one kind that are shown before the rest is folded."""


def chips(data: Data, form: Form) -> str:
    """One removable chip per token, exclusion, filter and switched-off stage.

    Where there are many of one kind, all but the first few are folded behind one more.
    """
    filters = {facet: sorted(getattr(form.filters, facet)) for facet in FACETS}
    kinds = [
        [
            _chip("token", t, token_words(t), "from your scan or link", spoken=t)
            for t in data.tokens
        ],
        [_chip("exclude", n, f"not {n}", "excluded tool") for n in form.excluded],
        *([_chip(f, v, f"{NAMES[f]}: {v}", "filter") for v in filters[f]] for f in FACETS),
        [_chip("off", name, f"without {name}", "stage") for name in sorted(form.off)],
        [] if form.rerank else [_chip("rerank", "1", "no re-ranking", "switch")],
        [_chip("refine", "1", "ask me back", "switch")] if form.refine else [],
    ]
    # The last place of a full row is taken by the button for the rest.
    shown = ""
    for listed in kinds:
        first = len(listed) if len(listed) <= MOST else MOST - 1
        shown += "".join(listed[:first])
        if rest := listed[first:]:
            more = f"<summary>{len(rest)} more</summary><ul class='chips'>{''.join(rest)}</ul>"
            shown += f"<li><details>{more}</details></li>"
    return f"<ul class='chips' aria-label='Taken into account'>{shown}</ul>" if shown else ""


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
