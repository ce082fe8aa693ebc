"""Words for *only* that stand in two places: *ne … que* of French, *しか … ない* of Japanese."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.ask.cues import Cue
from retrieval.ask.linker import words_at

if TYPE_CHECKING:
    from retrieval.ask.marked_text import Marked


def without_pairs(marked: Marked) -> tuple[Cue, ...]:
    """The cues, of which a denial that is a part of a word for *only* denies nothing."""
    cues = list(marked.cues)
    denials = [c for c in cues if c.kind == "negative"]
    if marked.language == "fr":
        for denial in denials:
            rest = words_at(marked.text[denial.end :])[:4]
            that = next((w for w in rest if w[0].casefold() in ("que", "qu")), None)
            if marked.text[denial.start : denial.end].casefold() in ("ne", "n") and that:
                start, end = denial.end + that[1], denial.end + that[2]
                cues[cues.index(denial)] = replace(denial, kind="restrictive")
                cues.append(Cue(kind="only", start=start, end=end))
    if marked.language == "ja":
        for only in [c for c in cues if marked.text[c.start : c.end] == "しか"]:
            later = [c for c in denials if c.start >= only.end]
            if later:
                cues[cues.index(later[0])] = replace(later[0], kind="restrictive")
    return tuple(sorted(cues, key=lambda cue: cue.start))
