"""Texts that are no request: open questions about a file, and what no software answers."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from msgspec.structs import replace

from retrieval.catalog import Mention, modality_lineage
from retrieval.core import Modality, Query, ScanInfo
from retrieval.engine.answer import Answer
from retrieval.engine.snapshot import Snapshot
from retrieval.explain import Confidence
from retrieval.fit import stored_as
from retrieval.query import OUT_OF, TOWARDS, TOWARDS_WITH_VERB, asks_openly, beyond_software

_KIND = "modality:"
_FORMAT = "format:"

_DIRECTION = "|".join(map(re.escape, sorted(TOWARDS | TOWARDS_WITH_VERB | OUT_OF)))
_FROM_ONE_TO_THE_OTHER = re.compile(rf"\W*(?:{_DIRECTION})\W*", re.IGNORECASE)
_BEFORE = re.compile(rf"(?:^|\s)(?:{'|'.join(map(re.escape, sorted(TOWARDS)))})\s+$", re.IGNORECASE)


def without_open_question(query: Query, snapshot: Snapshot) -> Query:
    """The query of a file without a text that only asks what can be done with it.

    "What can I do with this?" names nothing to look for, and its words find wrong tools; an empty
    text gets the tasks that tools can do on the file. One that names what the file is to become
    ("structured report to JSON", "CT to MRI") is a request.
    """
    if not query.scans or not query.text or snapshot.gaps is None:
        return query
    mentions = snapshot.gaps.finder.mentions(query.text)
    if _names_another(query.text, mentions, query.scans):
        return query
    return replace(query, text="") if asks_openly(query.text, mentions) else query


def _names_another(text: str, mentions: Sequence[Mention], scans: Sequence[ScanInfo]) -> bool:
    """Whether a text wants, of a file, a format or kind of image that the file is not.

    It stands alone, behind a word of direction, or beyond one from what else is named; "my MRI" of
    a file that is a CT is a slip and names nothing to look for.
    """
    others = [n for n, one in enumerate(mentions) if not _is_of(one.concept, scans)]
    for n in others:
        mention = mentions[n]
        before = text[mentions[n - 1].end : mention.start] if n else ""
        after = text[mention.end : mentions[n + 1].start] if n + 1 < len(mentions) else ""
        is_alone = not (text[: mention.start] + text[mention.end :]).strip()
        if (
            is_alone
            or _BEFORE.search(text[: mention.start])
            or _FROM_ONE_TO_THE_OTHER.fullmatch(before)
            or _FROM_ONE_TO_THE_OTHER.fullmatch(after)
        ):
            return True
    return False


def _is_of(concept: str, scans: Sequence[ScanInfo]) -> bool:
    """Whether a concept may be said of one of the files, as a wider or narrower kind may."""
    if concept.startswith(_FORMAT):
        code = concept.removeprefix(_FORMAT)
        return any(code in (scan.format, stored_as(scan)) for scan in scans)
    if not concept.startswith(_KIND) or concept.removeprefix(_KIND) not in set(Modality):
        return True
    kind = Modality(concept.removeprefix(_KIND))
    return any(
        scan.modality is None
        or kind in modality_lineage(scan.modality)
        or scan.modality in modality_lineage(kind)
        for scan in scans
    )


def judged_text(query: Query, judged: Confidence | None) -> Confidence | None:
    """The confidence of a text, that of a tool's name or of what no software answers as such.

    Of "how do I use elastix" the word "how" is left where the name is read as a wish.
    """
    if judged is None:
        return None
    if beyond_software(query.raw):
        return dataclasses.replace(judged, beyond_software=True)
    wants_tool = any(w.kind == "tool" and w.strength != "unwanted" for w in query.wishes)
    is_name = wants_tool and asks_openly(query.text)
    return dataclasses.replace(judged, named=True) if is_name else judged


def is_elsewhere(answer: Answer) -> bool:
    """Whether a refused text names nothing of the field that a question back could narrow.

    Who asks for a pizza is not asked how to reconstruct it; "help" says nothing and is asked.
    """
    query, judged = answer.query, answer.insight.confidence
    if judged is None or not judged.abstains:
        return False
    is_of_field = judged.in_field or bool(answer.insight.parts) or asks_openly(query.text)
    return judged.beyond_software or not is_of_field
