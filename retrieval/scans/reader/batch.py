"""Inside the reader process: from the paths of one upload to its answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from retrieval.core import ScanInfo
from retrieval.scans.answer import Json, encode
from retrieval.scans.dicom.instance import Instance
from retrieval.scans.dicom.series import assemble
from retrieval.scans.limits import Limits
from retrieval.scans.notes import Note, anisotropic
from retrieval.scans.preview.slices import previews_of
from retrieval.scans.reader.blob import GZIP, Blob
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reader.companions import Companions
from retrieval.scans.reader.context import Context, is_about_the_set
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reader.gather import Gathered
from retrieval.scans.reader.progress import At, ReadingProgress
from retrieval.scans.reader.roles import role_of
from retrieval.scans.reader.stores import read_store
from retrieval.scans.reader.table import reader_of
from retrieval.scans.reasons import Reason, Refused
from retrieval.scans.upload import Ledger


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
        """The whole answer as JSON-ready values; of the files read, where reading is cut short."""
        self.refused += self.gathered.refused
        self.progress.passed(len(self.gathered.refused))
        self._read_files()
        series = guarded(partial(assemble, self.instances), self.limits.batch_s / 2)
        if isinstance(series, Reason):
            self.refused += [(one.at, series) for one in self.instances]
        else:
            self.facts += series
        ordered = sorted(self.facts, key=lambda f: (f.at[0], f.at[1] or 0))
        facts = [self._finished(one) for one in ordered]
        drawn = previews_of(facts, self.limits) if self.preview else ()
        choices = [k for k, one in enumerate(facts) if one.series and one.info.dimension]
        self.refused.sort(key=lambda item: (item[0][0], item[0][1] or 0))
        return encode(
            [one.info for one in facts],
            choices if len(choices) > 1 else (),
            self.refused[: self.limits.refusals],
            drawn,
            role_of(facts),
            _ledger(facts, self.looked),
        )

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
            self._guarded_read(at, partial(read_store, store, at, self.limits))
            self.progress.passed()
        companions = Companions(self.gathered.blobs, self.limits)
        context = Context(companions.find)
        for blob in companions.headers_first():
            if blob.at not in context.used:
                if self.progress.over():
                    break
                self._guarded_read(blob.at, partial(read_one, blob, context, companions))
            self.progress.passed()
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


def read_one(blob: Blob, context: Context, companions: Companions) -> Facts | Instance:
    """One file through the reader that says it is its own."""
    reader = reader_of(blob)
    if reader is None and (header := companions.header_of(blob)) is not None:
        blob, reader = header, reader_of(header)
    if reader is None:
        if companions.is_data_half(blob):
            raise Refused(Reason.HEADER_WITHOUT_DATA)
        if blob.packed and not blob.head(16):
            raise Refused(Reason.BROKEN_GZIP)
        twice = blob.packed and blob.head(len(GZIP)) == GZIP
        raise Refused(Reason.PACKED_TWICE if twice else Reason.UNKNOWN_FORMAT)
    return reader.read(blob, context)


def partly_read(info: ScanInfo) -> ScanInfo:
    """A series some files of which may not have been read: its gaps prove nothing."""
    gaps = {Note.MISSING_SLICES.value, Note.UNEVEN_SPACING.value}
    notes = [note for note in info.notes if note not in gaps]
    spacing = info.spacing if len(notes) == len(info.notes) else None
    return replace(info, spacing=spacing, notes=(*notes, Note.PARTLY_READ.value))


def _ledger(facts: Sequence[Facts], files: int) -> Ledger:
    dropped = Counter(name for one in facts for name in one.dropped)
    return Ledger(
        files=files,
        read=tuple(sorted(frozenset().union(*(one.read for one in facts)))),
        dropped=sum(dropped.values()),
        dropped_names=tuple(sorted(dropped)),
    )
