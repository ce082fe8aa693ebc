"""Writes the files of a multipart body to the disk as the pieces of the body arrive."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from gradio_client.utils import strip_invalid_filename_characters
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from components.server.files import upload_store

# The parser's warnings quote the bytes that a visitor sent.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)

FIELD = "files"
MOST_PARTS = 1000
"""Files in one request; the page's client sends larger folders in several requests."""
SHOWN_CHARACTERS = 40


class UploadRefused(Exception):
    """An upload is not taken: the status of the answer, and the reason in words."""

    def __init__(self, status: int, reason: str, wait_s: int = 0) -> None:
        super().__init__(reason)
        self.status, self.reason, self.wait_s = status, reason, wait_s


def boundary_of(content_type: bytes) -> bytes:
    """The boundary between the parts of a body. Raises UploadRefused where there is none."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary:
        raise UploadRefused(
            400, "An upload is a form of the type multipart/form-data with a boundary"
        )
    return boundary


class PartFiles:
    """The files of one body; ``write`` and ``discard`` block, so call them from a thread."""

    def __init__(self, boundary: bytes, file_bytes: int) -> None:
        self._file_bytes = file_bytes
        self._header: tuple[bytearray, bytearray] = bytearray(), bytearray()
        self._disposition = b""
        self._open: BinaryIO | None = None
        self._size = 0
        self._complete = False
        self._paths: list[Path] = []
        self.progress: list[tuple[str, int]] = []
        """Name and bytes of what the last ``write`` stored."""
        self._name = ""
        self._parser = self._new_parser(boundary)

    def _new_parser(self, boundary: bytes) -> MultipartParser:
        try:
            return MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin_part,
                    "on_header_field": self._appender(0),
                    "on_header_value": self._appender(1),
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._open_file,
                    "on_part_data": self._write_data,
                    "on_part_end": self._close,
                    "on_end": self._end,
                },
            )
        except FormParserError as exc:
            raise UploadRefused(400, "The boundary of the form is too long") from exc

    def write(self, piece: bytes) -> None:
        """Store what this piece of the body holds. Raises UploadRefused.

        Blocks on the disk. What was stored is in ``progress`` until the next call.
        """
        self.progress = []
        if self._complete:  # what follows the last boundary means nothing
            return
        try:
            self._parser.write(piece)
        except FormParserError as exc:
            raise UploadRefused(
                400, "The form cannot be read: it breaks the multipart rules"
            ) from exc

    def finish(self) -> list[Path]:
        """The stored files. Raises UploadRefused where the last boundary did not come.

        From here on the files wait ``UNCLAIMED_S`` seconds for a request that names them.
        """
        if not self._complete:
            raise UploadRefused(400, "The upload is not complete: its last boundary is missing")
        if not self._paths:
            raise UploadRefused(400, f"The upload holds no file; send each as a part {FIELD!r}")
        for path in self._paths:
            upload_store.start_waiting(path)
        return self._paths

    def discard(self) -> None:
        """Remove everything that was stored."""
        self._close()
        for path in self._paths:
            upload_store.remove(path)

    def _begin_part(self) -> None:
        self._disposition = b""
        # Checked where a part begins, before anything of it is stored.
        if len(self._paths) >= MOST_PARTS:
            raise UploadRefused(
                400, f"An upload holds {MOST_PARTS} files or fewer; send the rest after"
            )

    def _appender(self, which: int) -> Callable[[bytes, int, int], None]:
        def append(data: bytes, start: int, end: int) -> None:
            self._header[which].extend(data[start:end])

        return append

    def _end_header(self) -> None:
        field, value = self._header
        if field.lower() == b"content-disposition":
            self._disposition = bytes(value)
        self._header = bytearray(), bytearray()

    def _open_file(self) -> None:
        _, options = parse_options_header(self._disposition)
        part = _decoded(options.get(b"name", b""))
        if part != FIELD:
            raise UploadRefused(
                400,
                f"A part is named {_short_repr(part)}; send each file as a part named {FIELD!r}",
            )
        if b"filename" not in options:
            raise UploadRefused(400, f"A part {FIELD!r} has no file name; send it as a file")
        self._name = _decoded(options[b"filename"])
        # The last part of a name or path, fit for every file system.
        last = re.split(r"[/\\]", self._name.rstrip("/\\"))[-1]
        if last.strip(". ") == "":
            raise UploadRefused(
                400, f"{_short_repr(self._name)} is not the name of a file; rename it"
            )
        stored_name = str(strip_invalid_filename_characters(last))
        self._paths.append(upload_store.reserve(stored_name))
        self._open, self._size = self._paths[-1].open("wb"), 0

    def _write_data(self, data: bytes, start: int, end: int) -> None:
        self._size += end - start
        if self._size > self._file_bytes:
            most = f"{self._file_bytes / 1e6:g} MB"
            raise UploadRefused(413, f"A file exceeds the maximum allowed size of {most}")
        if self._open is not None:
            self._open.write(memoryview(data)[start:end])
            self.progress.append((self._name, end - start))

    def _close(self) -> None:
        if self._open is not None:
            with suppress(OSError):  # the disk is full: writing said so already
                self._open.close()
            self._open = None

    def _end(self) -> None:
        self._complete = True


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _short_repr(text: str) -> str:
    """Words of a visitor, short and printable."""
    short = "".join(one for one in text[:SHOWN_CHARACTERS] if one.isprintable())
    return repr(short)
