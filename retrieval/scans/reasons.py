"""Why a file was refused: a closed set, and the only texts about it that anyone sees."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """One cause of a refusal or of a missing preview."""

    MISSING = "missing"
    EMPTY = "empty"
    NOT_A_FILE = "not-a-file"
    NO_FILES = "no-files"
    UNKNOWN_FORMAT = "unknown-format"
    PACKED_TWICE = "packed-twice"
    UNREADABLE = "unreadable"
    TOO_SLOW = "too-slow"
    OUT_OF_TIME = "out-of-time"
    TOO_BIG = "too-big"
    TOO_MUCH_MEMORY = "too-much-memory"
    TOO_MANY_FILES = "too-many-files"
    TOO_MANY_MEMBERS = "too-many-members"
    TOO_DEEP = "too-deep"
    INFLATES_TOO_FAR = "inflates-too-far"
    BROKEN_ARCHIVE = "broken-archive"
    LOCKED_ARCHIVE = "locked-archive"
    NESTED_ARCHIVE = "nested-archive"
    LEAVES_ARCHIVE = "leaves-archive"
    BROKEN_GZIP = "broken-gzip"
    NO_FACTS = "no-facts"
    CUT_SHORT = "cut-short"
    HEADER_WITHOUT_DATA = "header-without-data"
    READER_ENDED = "reader-ended"
    NOT_DRAWN = "not-drawn"
    NO_PICTURE = "no-picture"
    NO_DECODER = "no-decoder"


_TEXTS = {
    Reason.MISSING: "There is no such file, or it may not be opened; check the path.",
    Reason.EMPTY: "The file is empty; copy or download it again.",
    Reason.NOT_A_FILE: "This is neither a plain file nor a folder; give one of these, or a zip.",
    Reason.NO_FILES: "There is no file in it; choose the folder or zip that holds the scans.",
    Reason.UNKNOWN_FORMAT: "The content is none of the scan formats that can be read here; "
    "export it as DICOM, NIfTI or TIFF.",
    Reason.PACKED_TWICE: "The file is compressed twice; unpack it once.",
    Reason.UNREADABLE: "The header is damaged and cannot be read; export the file again.",
    Reason.TOO_SLOW: "Reading the header took longer than allowed; give this file alone.",
    Reason.OUT_OF_TIME: "The time was used up before it was read; try again, or give fewer files.",
    Reason.TOO_BIG: "The data are larger than what is read here; give a part of them.",
    Reason.TOO_MUCH_MEMORY: "Reading it would take more memory than allowed; give a part of it.",
    Reason.TOO_MANY_FILES: "More files than one upload may hold; give one subject or series.",
    Reason.TOO_MANY_MEMBERS: "The archive holds more files than are read at once; "
    "split it, or give the unpacked folder.",
    Reason.TOO_DEEP: "The header is nested deeper than any real scan.",
    Reason.INFLATES_TOO_FAR: "The compressed content grows beyond the limit.",
    Reason.BROKEN_ARCHIVE: "The zip archive is damaged; make or download it again.",
    Reason.LOCKED_ARCHIVE: "The zip archive is protected by a password; unpack it first.",
    Reason.NESTED_ARCHIVE: "An archive inside an archive is not opened; unpack it first.",
    Reason.LEAVES_ARCHIVE: "The archive names a place outside itself; it is not read.",
    Reason.BROKEN_GZIP: "The gzip compression is damaged or cut short; download it again.",
    Reason.NO_FACTS: "It looks like a scan, but says nothing that can be used.",
    Reason.CUT_SHORT: "The file ends inside its header; copy or download it again.",
    Reason.HEADER_WITHOUT_DATA: "This is the data half of a pair; add its header file.",
    Reason.READER_ENDED: "The reader had to be stopped on this file; leave it out.",
    Reason.NOT_DRAWN: "Only the first few scans of an upload are drawn.",
    Reason.NO_PICTURE: "There is no picture in this file.",
    Reason.NO_DECODER: "This kind of compression or layout cannot be drawn here.",
}


class Refused(Exception):
    """Raised by a reader for a reason of the closed set."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def text_of(reason: Reason) -> str:
    """The sentence a person reads."""
    return _TEXTS[reason]
