"""Why a file was refused: a closed set, and the only texts about it that anyone sees."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Worded(StrEnum):
    """A closed code with ``text``, the sentence a person reads about it."""

    text: str

    def __new__(cls, code: str, text: str = "") -> Self:
        """A member by its code alone, so that ``Reason("empty")`` finds it."""
        member = str.__new__(cls, code)
        member._value_, member.text = code, text
        return member


class Reason(Worded):
    """One cause of a refusal or of a missing preview."""

    MISSING = "missing", "There is no such file, or it may not be opened; check the path."
    EMPTY = "empty", "The file is empty; copy or download it again."
    NOT_A_FILE = (
        "not-a-file",
        "This is neither a plain file nor a folder; give one of these, or a zip.",
    )
    NO_FILES = "no-files", "There is no file in it; choose the folder or zip that holds the scans."
    BESIDE_SUBJECTS = (
        "beside-subjects",
        "Beside subjects, derivatives, sourcedata, code and stimuli are not read; give such a "
        "folder alone.",
    )
    UNKNOWN_FORMAT = (
        "unknown-format",
        "The content is none of the scan formats that can be read here; export it as DICOM, NIfTI "
        "or TIFF.",
    )
    PACKED_TWICE = "packed-twice", "The file is compressed twice; unpack it once."
    UNREADABLE = "unreadable", "The header is damaged and cannot be read; export the file again."
    TOO_SLOW = "too-slow", "Reading the header took longer than allowed; give this file alone."
    TOO_MANY_ELEMENTS = (
        "too-many-elements",
        "The header has more elements than any real scan; export the file again.",
    )
    OUT_OF_TIME = (
        "out-of-time",
        "The time was used up before it was read; try again, or give fewer files.",
    )
    TOO_BIG = "too-big", "The data are larger than what is read here; give a part of them."
    TOO_MUCH_MEMORY = (
        "too-much-memory",
        "Reading it would take more memory than allowed; give a part of it.",
    )
    TOO_MANY_FILES = (
        "too-many-files",
        "More files than one upload may hold; give one subject or series.",
    )
    TOO_MANY_MEMBERS = (
        "too-many-members",
        "The archive holds more files than are read at once; split it, or give the unpacked "
        "folder.",
    )
    TOO_DEEP = "too-deep", "The header is nested deeper than any real scan."
    INFLATES_TOO_FAR = "inflates-too-far", "The compressed content grows beyond the limit."
    BROKEN_ARCHIVE = "broken-archive", "The zip archive is damaged; make or download it again."
    LOCKED_ARCHIVE = (
        "locked-archive",
        "The zip archive is protected by a password; unpack it first.",
    )
    NESTED_ARCHIVE = (
        "nested-archive",
        "An archive inside an archive is not opened; unpack it first.",
    )
    LEAVES_ARCHIVE = "leaves-archive", "The archive names a place outside itself; it is not read."
    BROKEN_GZIP = "broken-gzip", "The gzip compression is damaged or cut short; download it again."
    NO_FACTS = "no-facts", "It looks like a scan, but says nothing that can be used."
    CUT_SHORT = "cut-short", "The file ends inside its header; copy or download it again."
    HEADER_WITHOUT_DATA = (
        "header-without-data",
        "This is the data half of a pair; add its header file.",
    )
    READER_ENDED = "reader-ended", "The reader had to be stopped on this file; leave it out."
    NOT_DRAWN = "not-drawn", "Only the first few scans of an upload are drawn."
    PICTURE_CUT = "picture-cut", "Part of the picture is missing, so it is not drawn."
    NO_PICTURE = "no-picture", "There is no picture in this file."
    NO_DECODER = "no-decoder", "This kind of compression or layout cannot be drawn here."


class Refused(Exception):
    """Raised by a reader for a reason of the closed set."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
