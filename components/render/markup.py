"""The one place that escapes for HTML, and the small pieces made of it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

SCHEMES = frozenset({"http", "https"})


def esc(value: object) -> str:
    """The value as text that is safe in HTML and in a quoted attribute.

    Escapes ``& < > " '``; every renderer passes what it did not write itself through here.
    """
    return html.escape(str(value), quote=True)


def attrs(**attributes: object) -> str:
    """Attributes with a leading space; ``data_tool`` becomes ``data-tool``, None is left out.

    Values are escaped, in the order of the arguments. A trailing underscore is dropped, so that
    ``class_`` stands for a reserved word.
    """
    parts = (
        f' {name.rstrip("_").replace("_", "-")}="{esc(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return "".join(parts)


def safe_url(url: str | None) -> str | None:
    """The address when it is a plain web address, else None.

    Only http and https with a host and without user information; blanks and control characters
    make an address unsafe, since browsers drop them and read what is left.
    """
    if not url or any(c.isspace() or ord(c) < 32 for c in url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    good = parts.scheme.lower() in SCHEMES and parts.hostname and "@" not in parts.netloc
    return url if good else None


def link(url: str | None, label: str, *, css: str = "link") -> str:
    """A link out, opened in a new tab without a referrer; nothing for an unsafe address."""
    address = safe_url(url)
    if address is None:
        return ""
    out = attrs(href=address, class_=css, target="_blank", rel="noopener noreferrer nofollow")
    return f'<a{out}>{esc(label)}<span class="sr"> (opens in a new tab)</span></a>'


def whole_words(text: str) -> str:
    """A command with a span around each word, so that no option is broken where a line ends."""
    return re.sub(r"\S+", lambda match: f"<span>{esc(match[0])}</span>", text)


def button(label: str, act: str, id: str, *, css: str = "btn", name: str | None = None) -> str:
    """A button whose click reaches Python as the event ``act`` with ``id``."""
    out = attrs(type="button", class_=css, data_act=act, data_id=id, aria_label=name)
    return f"<button{out}>{esc(label)}</button>"


def tool_button(id: str, name: str, *, kind: str | None = None) -> str:
    """The name of a tool as a button that opens its detail; ``kind`` says which list it is in."""
    out = attrs(type="button", class_="name", data_act="select", data_id=id, data_kind=kind)
    return f"<button{out}>{esc(name)}</button>"


def toolbar(inner: str, name: str, *, css: str | None = None) -> str:
    """Buttons that are one tab stop; the page's script lets arrow keys walk among them."""
    return f"<div{attrs(class_=css, role='toolbar', aria_label=name)}>{inner}</div>"


def table(heads: Iterable[object], rows: str, css: str | None = None) -> str:
    """A table with one head per column; ``rows`` is HTML, the heads are escaped."""
    head = "".join(f"<th scope='col'>{esc(one)}</th>" for one in heads)
    return f"<table{attrs(class_=css)}><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def cells(values: Iterable[object]) -> str:
    """Values as the cells of one row of a table, escaped."""
    return "".join(f"<td>{esc(value)}</td>" for value in values)


def badge(label: str, tone: str = "plain", *, title: str | None = None) -> str:
    """A short labelled mark; the tone is a class, never the only bearer of meaning.

    Each clause of a longer label is an element, so that the page drops the last ones as a whole
    where all have no room: a clause that is cut in its middle says something else.
    """
    first, *others = label.split("; ")
    clauses = "".join(f"<span>{esc(one)}</span>" for one in (first, *(f"; {o}" for o in others)))
    content = clauses if others else esc(label)
    return f"<span{attrs(class_=f'badge badge-{tone}', title=title)}>{content}</span>"


def shortened(text: str, limit: int) -> str:
    """At most ``limit`` characters, cut at a word.

    " …" is added after the cut, so that the text may be two characters longer than ``limit``.
    """
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",.;: ") + " …"
