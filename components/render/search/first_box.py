"""The search box of the page before Gradio has built its own; pure."""

from __future__ import annotations

from components.render.markup import esc

QUESTION = "What do you want to do?"
SUGGESTIONS = "segment lungs in CT, register two brain MR scans, count nuclei …"
MOST_CHARACTERS = 20_000
"""Of a search's words; the library refuses more."""


def first_box() -> str:
    """A form in the page's own HTML, which `assets/js/first.js` hands over to the real one."""
    box = (
        f'<textarea id="firsttext" maxlength="{MOST_CHARACTERS}" placeholder="{esc(SUGGESTIONS)}">'
    )
    return (
        '<div id="first" role="main"><strong role="heading" aria-level="1">ScanScout</strong>'
        f'<form role="search"><label for="firsttext">{esc(QUESTION)}</label>{box}</textarea>'
        '<button>Find tools</button><span role="status">ScanScout is opening …</span></form></div>'
    )
