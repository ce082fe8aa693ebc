"""What stands around the form: examples, chips, remembered tools, the way to the answer; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.data import FACETS, SIZE_NAMES, Data, Form, in_force
from components.render.codes import code_name, line_words, token_words
from components.render.markup import attrs, badge, button, esc, toolbar
from components.render.wish_words import wish_words
from components.taste import Taste
from retrieval import Tool, Wish, wish_name


def examples(labels: Sequence[str]) -> str:
    """A row of buttons; a click fills the box, adds the scan and searches."""
    buttons = "".join(button(label, "example", label, css="btn btn-try") for label in labels)
    return f"<div class='try'><span>Try with a sample scan:</span>{buttons}</div>"


NAMES = dict(
    zip(FACETS, ("Licence", "Modality", "Format", "Dimension", "Interface", "GPU"), strict=True)
)

SIZE_WORDS = dict(
    zip(SIZE_NAMES, ("Tools listed", "Candidates", "Graph depth", "Graph size"), strict=True)
)


def drawer_label(form: Form) -> str:
    """The head of the drawer of choices, with how many of its filters are set."""
    number = sum(bool(getattr(form.filters, facet)) for facet in FACETS) + bool(form.excluded)
    return f"Filters ({number}) and mode" if number else "Filters and mode"


MOST = 6
"""Chips of one kind that are shown before the rest is folded."""


def chips(
    data: Data, form: Form, wishes: Sequence[Wish] = (), *, catalog: Mapping[str, Tool]
) -> str:
    """One removable chip per token, wish, exclusion, filter, switched-off stage and size.

    An excluded tool has the name that it has in the ``catalog``.

    A wish that is removed becomes a chip of its own, which brings it back: its words are searched.

    Where there are many of one kind, all but the first few are folded behind one more. A remark
    in force is one chip for all that it set.
    """
    remarks = in_force(form, data.remarks) if data.remarks else ()
    filters = {}
    for facet in FACETS:
        by_remarks = frozenset[str]().union(*(one.set_values(facet) for one in remarks))
        filters[facet] = sorted(getattr(form.filters, facet) - by_remarks)
    left_out = {id for one in remarks for id in one.excluded}
    wishes = [wish for wish in wishes if not any(one.adds(wish.text) for one in remarks)]
    sizes = [one for one in form.sizes if not any(one in remark.sizes for remark in remarks)]
    kinds = [
        [
            _chip("remark", str(data.remarks.index(r)), r.text, "; ".join(map(line_words, r.lines)))
            for r in remarks
        ],
        [_chip("token", t, token_words(t), f"from your scan or link: {t}") for t in data.tokens],
        [_chip("wish", wish_name(w), wish_words(w), f"from your words: {w.text}") for w in wishes],
        [f"<li>{_set_aside(name)}</li>" for name in sorted(data.words)],
        [
            _chip("exclude", id, f"not {name_in(catalog, id)}", "excluded tool")
            for id in form.excluded
            if id not in left_out
        ],
        *(
            [_chip(f, v, f"{NAMES[f]}: {code_name(v)}", "filter") for v in filters[f]]
            for f in FACETS
        ),
        [_chip("off", name, f"without {name}", "stage") for name in sorted(form.off)],
        [_chip("size", name, f"{SIZE_WORDS[name]}: {n}", "size") for name, n in sizes],
        [] if form.rerank else [_chip("rerank", "1", "no re-ranking", "switch")],
        [_chip("refine", "1", "ask me back", "switch")] if form.refine else [],
    ]
    # The last place of a full row is taken by the button for the rest.
    entries = ""
    for chips_of_kind in kinds:
        first = len(chips_of_kind) if len(chips_of_kind) <= MOST else MOST - 1
        entries += "".join(chips_of_kind[:first])
        if rest := chips_of_kind[first:]:
            more = f"<summary>{len(rest)} more</summary><ul class='chips'>{''.join(rest)}</ul>"
            entries += f"<li><details>{more}</details></li>"
    entries += "".join(f"<li>{_back(token)}</li>" for token in data.removed)
    return toolbar(f"<ul class='chips'>{entries}</ul>", "Taken into account") if entries else ""


def name_in(catalog: Mapping[str, Tool], id: str) -> str:
    """The name of a tool; the id of one that is not in the catalog."""
    return catalog[id].name if id in catalog else id


def _back(token: str) -> str:
    """The way back for a fact of the scan that was removed."""
    label = token_words(token)
    out = attrs(
        type="button",
        class_="btn btn-small back",
        data_act="remove",
        data_kind="removed",
        data_id=token,
        aria_label=f"Take {label} into account again",
    )
    return f"<button{out}>+ {esc(label)}</button>"


def _set_aside(name: str) -> str:
    """A wish that was removed: plainly off, and the way back; its words are searched."""
    label = name.split(":")[2]
    out = attrs(
        type="button",
        class_="btn btn-small back aside",
        data_act="remove",
        data_kind="words",
        data_id=name,
        title=f"“{label}” is searched as a word and no longer a wish; click to wish for it again",
        aria_label=f"{label} is off as a wish: wish for it again",
    )
    return f"<button{out}><s>{esc(label)}</s>\N{NO-BREAK SPACE}off · put back</button>"


def _chip(kind: str, id: str, label: str, title: str) -> str:
    out = attrs(
        type="button",
        class_=f"chip chip-{kind}",
        data_act="remove",
        data_kind=kind,
        data_id=id,
        title=title,
        aria_label=f"Remove {label}",
    )
    inner = f"{esc(label)}<span aria-hidden='true' class='x'>×</span>"
    return f"<li><button{out}>{inner}</button></li>"


OFF = "Nothing is remembered while this is off."
NO_CHOICE = "Nothing yet. Tools that you choose or exclude from a card will be remembered."
REMEMBERED = (
    "These tools weigh a little in your next hybrid search, as a stage of its own on the board; "
    "plaza searches with keywords that they share, where they are for such a request. "
    "The list stays in this browser."
)


def memory_panel(taste: Taste, catalog: Mapping[str, Tool]) -> str:
    """One sentence, then the tools that are remembered."""
    has_tools = bool(taste.liked or taste.disliked)
    if not taste.on:
        more = " What was remembered before is kept, and not used, until you erase it."
        return f"<p class='sub' role='status'>{OFF}{more if has_tools else ''}</p>"
    if not has_tools:
        return f"<p class='sub' role='status'>{NO_CHOICE}</p>"
    rows = [_row(id, "chosen", "good", catalog) for id in taste.liked]
    rows += [_row(id, "excluded", "bad", catalog) for id in taste.disliked]
    tool_list = f"<ul class='chips' aria-label='Remembered tools'>{''.join(rows)}</ul>"
    return f"<p class='sub' role='status'>{REMEMBERED}</p>{tool_list}"


def _row(id: str, word: str, tone: str, catalog: Mapping[str, Tool]) -> str:
    return f"<li>{esc(name_in(catalog, id))} {badge(word, tone)}</li>"


PARTS = {"cards": "Tools", "detail": "Tool detail", "board": "Stages", "graph": "Graph"}
"""Names of the parts, by the element that holds each."""


def parts_of_an_answer() -> str:
    """One button per part; the page's script moves view and focus there."""
    buttons = ""
    for place, name in PARTS.items():
        out = attrs(type="button", class_="btn btn-small", data_goto=place)
        buttons += f"<button{out}>{esc(name)}</button>"
    words = attrs(type="button", class_="btn btn-small", aria_label="Copy link to this list")
    share = f"<button{words} id='copylink'>Copy link</button>"
    bar = toolbar(buttons + share, "Parts of the answer", css="jump")
    return f"<nav aria-label='Parts of the answer'>{bar}</nav>"


def skip_link() -> str:
    """The way past scan, chips and stages; in view only while it has the focus."""
    out = attrs(type="button", class_="btn btn-small", data_goto="cards")
    return f"<button{out}>To the list</button>"
