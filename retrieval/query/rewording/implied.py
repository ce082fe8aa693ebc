"""The kind of image that a task is done on where a request names none: "count cells".

Alone such words find what shares them in another field: the count matrices of single cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from retrieval.query.rewording.verbs import Annotations

FIELDS = frozenset({"modality", "domain", "format"})
"""Kinds of concepts that say of which field a request is."""


@dataclass(frozen=True)
class ImpliedImages:
    """Adds words for the image to a text that names a task and no field.

    ``words`` are by the concept of the task, as records of such tools say it.
    """

    words: Mapping[str, str]
    annotator: Annotations

    def reworded(self, text: str) -> str:
        """The text with those words behind it, or as it is."""
        concepts = [m.concept for m in self.annotator.mentions(text) if not m.negated]
        implied = dict.fromkeys(self.words[one] for one in concepts if one in self.words)
        if not implied or any(one.partition(":")[0] in FIELDS for one in concepts):
            return text
        return " ".join((text, *implied))
