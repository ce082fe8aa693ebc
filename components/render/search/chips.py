"""What a search takes into account, as chips that can be taken away."""

from __future__ import annotations

from components.data import FACETS, Data, Form
from components.render.markup import attrs, esc
from components.render.words import token_words

NAMES = dict(zip(FACETS, ("Licence", "Modality", "Format", "Interface", "GPU"), strict=True))


MOST = 6
"""Chips of one kind that are shown before the rest is folded."""


def chips(data: Data, form: Form) -> str:
    """One removable chip a token, exclusion, filter and switched-off stage."""
    kinds = [
        [
            _chip("token", t, token_words(t), "from your scan or link", spoken=t)
            for t in data.tokens
        ],
        [_chip("exclude", n, f"not {n}", "excluded tool") for n in form.excluded],
        *([_filter(facet, v) for v in sorted(getattr(form.filters, facet))] for facet in FACETS),
        [_chip("off", name, f"without {name}", "stage") for name in sorted(form.off)],
        [] if form.rerank else [_chip("rerank", "1", "no re-ranking", "switch")],
        [_chip("refine", "1", "ask me back", "switch")] if form.refine else [],
    ]
    shown = "".join(map(_folded, kinds))
    return f"<ul class='chips' aria-label='Taken into account'>{shown}</ul>" if shown else ""


def _folded(shown: list[str]) -> str:
    """Chips of one kind; where there are many, all but the first behind one more."""
    if len(shown) <= MOST:
        return "".join(shown)
    first, rest = shown[: MOST - 1], shown[MOST - 1 :]
    more = f"<summary>{len(rest)} more</summary><ul class='chips'>{''.join(rest)}</ul>"
    return f"{''.join(first)}<li><details>{more}</details></li>"


def _filter(facet: str, value: str) -> str:
    return _chip(facet, value, f"{NAMES[facet]}: {value}", "filter")


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
