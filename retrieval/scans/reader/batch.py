"""From the files of one upload to its answer: progress, early stop, one reader per file."""

from __future__ import annotations

import select
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any

from retrieval.core import ScanInfo
from retrieval.scans.dicom.instance import Instance
from retrieval.scans.dicom.series import assemble
from retrieval.scans.limits import Limits
from retrieval.scans.notes import Note, anisotropic
from retrieval.scans.reader.blob import GZIP, At, Blob
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reader.context import Context, is_about_the_set
from retrieval.scans.reader.copies import without_copies
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reader.gather import Gathered
from retrieval.scans.reader.preview import previews_of
from retrieval.scans.reader.stores import read_store
from retrieval.scans.reader.subjects import role_of, subjects_of
from retrieval.scans.reader.table import reader_of
from retrieval.scans.reasons import Reason, Refused
from retrieval.scans.upload import Cause, Ledger, Preview

Json = dict[str, Any]


def hung_up() -> bool:
    """Whether the parent has closed stdin, which is its request to stop."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):
        # Windows selects sockets alone: there the parent ends the process.
        return False


@dataclass(slots=True)
class ReadingProgress:
    """Counts the files of one upload as they are read; ``until`` is a monotonic time."""

    of: int
    until: float
    say: Callable[[Mapping[str, Any]], None]
    stopped: Callable[[], bool] = hung_up
    read: int = 0
    cause: Cause | None = None

    def begin(self, at: At) -> None:
        """Tell the parent which file is read next, and how many are done."""
        self.say({"at": at, "read": self.read, "of": self.of})

    def over(self) -> bool:
        """Whether reading is to end here. The time limit applies after the first file only."""
        if self.cause is None and self.stopped():
            self.cause = "stopped"
        if self.cause is None and self.read and monotonic() > self.until:
            self.cause = "time"
        return self.cause is not None

    @property
    def partial(self) -> Json | None:
        """The counts and cause of a reading that was cut short, as JSON; None otherwise."""
        if self.cause is None:
            return None
        return {"read": self.read, "of": self.of, "cause": self.cause}


@dataclass(slots=True)
class Batch:
    """One upload being read; ``skip`` are places at which an earlier process ended."""

    gathered: Gathered
    limits: Limits
    progress: ReadingProgress
    skip: frozenset[At] = frozenset()
    preview: bool = True
    looked: int = 0
    facts: list[Facts] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    refused: list[tuple[At, Reason]] = field(default_factory=list)

    def answer(self) -> Json:
        """The whole answer as JSON-ready values, codes in place of texts.

        Only of the files read, where reading is cut short.
        """
        return self._answer_of(self._facts_read())

    def answers_by_person(self) -> list[Json]:
        """One answer per person whom headers name, in the order of their files; else one for all.

        Scans that name nobody are together in one of their own, and refusals go with the first.
        """
        by_person: dict[str | None, list[Facts]] = {}
        for one in self._facts_read():
            by_person.setdefault(one.subject.person, []).append(one)
        if len(by_person.keys() - {None}) < 2:
            return [self._answer_of([one for some in by_person.values() for one in some])]
        first, *others = by_person.values()
        return [self._answer_of(first), *(self._answer_of(facts, of_rest=True) for facts in others)]

    def _facts_read(self) -> list[Facts]:
        """The facts of all scans, series put together; refusals are in ``refused`` then."""
        self.refused += self.gathered.refused
        self.progress.read += len(self.gathered.refused)
        self._read_files()
        single = guarded(
            partial(without_copies, self.facts, self.gathered.blobs), self.limits.batch_s / 4
        )
        # Where the comparison ends early, each file is a scan of its own.
        self.facts = self.facts if isinstance(single, Reason) else single
        series = guarded(partial(assemble, self.instances), self.limits.batch_s / 2)
        if isinstance(series, Reason):
            self.refused += [(one.at, series) for one in self.instances]
        else:
            self.facts += series
        self.refused.sort(key=lambda item: (item[0][0], item[0][1] or 0))
        ordered = sorted(self.facts, key=lambda f: (f.at[0], f.at[1] or 0))
        return [self._finished(one) for one in ordered]

    def _answer_of(self, facts: list[Facts], *, of_rest: bool = False) -> Json:
        """The answer for some of the scans; the first has the refusals and the count of files."""
        refused = [] if of_rest else self.refused
        drawn = previews_of(facts, self.limits) if self.preview else ()
        choices = [k for k, one in enumerate(facts) if one.series and one.info.dimension]
        field_names = frozenset().union(*(one.read for one in facts))
        # A field may be read for a code (a body part) and its text dropped: it was read.
        bare = {name.removeprefix("DICOM ") for name in field_names}
        dropped = Counter(name for one in facts for name in one.dropped if name not in bare)
        subjects = subjects_of(facts, self.gathered.blobs)
        ledger = Ledger(
            files=0 if of_rest else self.looked,
            read=tuple(sorted(field_names)),
            name_words=tuple(sorted(frozenset().union(*(one.name_words for one in facts)))),
            dropped=sum(dropped.values()),
            dropped_names=tuple(sorted(dropped)),
        )
        return {
            "scans": [asdict(one.info) for one in facts],
            "series": choices if len(choices) > 1 else [],
            "refused": [[*at, why.value] for at, why in refused[: self.limits.refusals]],
            "previews": [
                asdict(p) if isinstance(p, Preview) else [p[0], p[1].value] for p in drawn
            ],
            "role": role_of(facts) if subjects == 1 else None,
            "places": [one.at for one in facts],
            "subjects": subjects,
            "ledger": asdict(ledger),
            "partial": None,
        }

    def _guarded_read(self, at: At, call: Callable[[], Facts | Instance]) -> None:
        if at in self.skip:
            self.refused.append((at, Reason.READER_ENDED))
            return
        self.progress.begin(at)
        result = guarded(call, self.limits.file_s)
        if isinstance(result, Reason):
            self.refused.append((at, result))
        elif isinstance(result, Instance):
            self.instances.append(result)
        else:
            self.facts.append(result)

    def _read_files(self) -> None:
        for at, store in self.gathered.stores:
            if self.progress.over():
                break
            self._guarded_read(at, partial(read_store, store, at))
            self.progress.read += 1
        context = Context(self.gathered.blobs, self.limits)
        for blob in context.headers_first():
            if blob.at not in context.used:
                if self.progress.over():
                    break
                self._guarded_read(blob.at, partial(read_one, blob, context))
            self.progress.read += 1
            self.looked += 1
        excused = set(context.used)
        # Among scans a text about the data set is no mistake; alone it is no scan.
        if self.facts or self.instances:
            unknown = {at for at, why in self.refused if why is Reason.UNKNOWN_FORMAT}
            texts = (blob for blob in self.gathered.blobs if is_about_the_set(blob.name))
            excused |= {blob.at for blob in texts if blob.at in unknown}
        self.refused = [(at, why) for at, why in self.refused if at not in excused]

    def _finished(self, facts: Facts) -> Facts:
        """Notes that depend on nothing but the finished facts, and on how far reading came."""
        info = facts.info
        if self.progress.cause and facts.series:
            info = partly_read(info)
        notes = list(info.notes)
        if anisotropic(info.spacing) and info.dimension and Note.LOCALIZER not in notes:
            notes.append(Note.ANISOTROPIC.value)
        return replace(facts, info=replace(info, notes=tuple(dict.fromkeys(notes))))


def read_one(blob: Blob, context: Context) -> Facts | Instance:
    """One file through the reader that says it is its own."""
    reader = reader_of(blob)
    if reader is None:
        header, orphan = context.header_of(blob)
        if orphan:
            raise Refused(Reason.HEADER_WITHOUT_DATA)
        if header is not None:
            blob, reader = header, reader_of(header)
    if reader is None:
        if blob.packed and not blob.head(16):
            raise Refused(Reason.BROKEN_GZIP)
        twice = blob.packed and blob.head(len(GZIP)) == GZIP
        raise Refused(Reason.PACKED_TWICE if twice else Reason.UNKNOWN_FORMAT)
    return reader.read(blob, context)


def partly_read(info: ScanInfo) -> ScanInfo:
    """Notes and spacing of a series read in part: gaps may be files that were not read."""
    gaps = {Note.MISSING_SLICES.value, Note.UNEVEN_SPACING.value}
    notes = [note for note in info.notes if note not in gaps]
    spacing = info.spacing if len(notes) == len(info.notes) else None
    return replace(info, spacing=spacing, notes=(*notes, Note.PARTLY_READ.value))
