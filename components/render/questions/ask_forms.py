"""The forms of databases: whether they may be sent, what would be, and what is wrong in them."""

from __future__ import annotations

from components.render.markup import esc
from components.render.search.notices import fault, notice


def switched(off: str) -> str:
    """Whether forms can be sent; while they cannot, how that is switched on."""
    if off:
        text = f"{off[:1].upper()}{off[1:]}. A form can be filled in and looked at meanwhile."
        return notice("info", "Databases are switched off", text)
    text = "What stands in a form goes to that database, and nothing else, when you press Send."
    return f"<p class='sub'>{text}</p>"


def request(text: str, title: str) -> str:
    """A request as it would be sent."""
    lead = f"This and nothing else would be sent to {title}. Nothing was sent yet."
    return f"<div class='request' role='status'><p class='sub'>{esc(lead)}</p>{line(text)}</div>"


def line(text: str) -> str:
    """A request as one line that breaks anywhere."""
    return f"<code class='sent'>{esc(text)}</code>"


def form_trouble(reason: str | None) -> str:
    """Which field is wrong, or that the defect is ours."""
    if reason is None:
        return fault()
    return notice("warn", "This form cannot be sent yet.", reason, role="alert")
