"""A walk over DICOM elements that reads no value it was not asked for.

pydicom parses each nested item it passes, which 300,000 empty items turn into 20 seconds and 200
levels of nesting into a RecursionError. This walk skips them with a counter, so that only the
elements of the allow-list are handed on.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.scans.reasons import Reason, Refused

LONG = frozenset({b"OB", b"OD", b"OF", b"OL", b"OV", b"OW", b"SQ", b"SV", b"UC", b"UN", b"UR"})
LONG |= {b"UT", b"UV"}
SHORT = frozenset(b"AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US".split())
UNDEFINED = 0xFFFFFFFF
ITEM, ITEM_END, SEQUENCE_END = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
FLOAT_PIXELS, DOUBLE_PIXELS = 0x7FE00008, 0x7FE00009
"""Pixels of integers lie behind these, at 7FE00010; a file has one of the three (PS3.3 C.7.6)."""
# By whether the order of bytes is big-endian. Compiled once: a header takes a third of the time.
_HEADER = (struct.Struct("<HHI"), struct.Struct(">HHI"))
_SHORT_LENGTH = (struct.Struct("<H"), struct.Struct(">H"))
_LONG_LENGTH = (struct.Struct("<I"), struct.Struct(">I"))
_EMPTY_ITEM = (struct.pack("<HHI", 0xFFFE, 0xE000, 0), struct.pack(">HHI", 0xFFFE, 0xE000, 0))
_MOST_STEPS = 500_000
_DEEPEST = 32
"""Bounds of time and depth: see the measurements above; DICOM itself sets none."""


class CutShort(Exception):
    """The buffer ends inside an element."""


@dataclass(frozen=True, slots=True)
class Element:
    """Where one element lies: its header, its value, and the end of it."""

    tag: int
    vr: bytes
    start: int
    value: int
    end: int
    undefined: bool


@dataclass(slots=True)
class Walker:
    """Bytes of one data set and how they are written."""

    data: bytes
    implicit: bool = False
    big: bool = False
    steps: int = 0

    def header(self, at: int) -> tuple[int, bytes, int, int]:
        """Tag, VR, offset of the value and its length."""
        if at + 8 > len(self.data):
            raise CutShort
        group, element, length = _HEADER[self.big].unpack_from(self.data, at)
        tag = group << 16 | element
        if self.implicit or group == 0xFFFE:
            return tag, b"", at + 8, length
        vr = self.data[at + 4 : at + 6]
        if vr not in LONG:
            return tag, vr, at + 8, _SHORT_LENGTH[self.big].unpack_from(self.data, at + 6)[0]
        if at + 12 > len(self.data):
            raise CutShort
        return tag, vr, at + 12, _LONG_LENGTH[self.big].unpack_from(self.data, at + 8)[0]

    def elements(self, at: int, end: int | None = None) -> Iterator[Element]:
        """Top-level elements up to ``end``; stops in front of the pixel data."""
        stop = len(self.data) if end is None else end
        while at < stop:
            self._step()
            tag, vr, value, length = self.header(at)
            if tag in (ITEM_END, SEQUENCE_END):
                return
            undefined = length == UNDEFINED
            if tag >= FLOAT_PIXELS:
                after = stop if undefined else value + length
                yield Element(tag, vr, at, value, after, undefined)
                return
            after = self._skip(value, vr) if undefined else value + length
            yield Element(tag, vr, at, value, after, undefined)
            at = after

    def items(self, element: Element) -> Iterator[tuple[int, int]]:
        """Start and end of each item of a sequence."""
        at = element.value
        while at < element.end:
            self._step()
            tag, _, value, length = self.header(at)
            if tag != ITEM:
                return
            at = self._leave(value, ["item"]) if length == UNDEFINED else value + length
            yield value, at

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Refused(Reason.TOO_MANY_ELEMENTS)

    def _skip(self, at: int, vr: bytes) -> int:
        # PS3.5 6.2.2: an undefined-length UN holds implicit VR little endian.
        if vr != b"UN" or self.implicit:
            return self._leave(at, ["sequence"])
        inner = Walker(self.data, implicit=True, steps=self.steps)
        try:
            return inner._leave(at, ["sequence"])
        finally:
            self.steps = inner.steps

    def _behind_empty_items(self, at: int) -> int:
        """The offset behind items of no length, which the standard allows in any number."""
        empty = _EMPTY_ITEM[self.big]
        while self.data.startswith(empty, at):
            self._step()
            at += len(empty)
        return at

    def _leave(self, at: int, open_parts: list[str]) -> int:
        """The offset behind the innermost open part's end; no recursion, depth is bounded."""
        while open_parts:
            at = self._behind_empty_items(at)
            self._step()
            tag, _, value, length = self.header(at)
            if tag in (ITEM_END, SEQUENCE_END):
                open_parts.pop()
                at = value
            elif length == UNDEFINED:
                open_parts.append("item" if tag == ITEM else "sequence")
                at = value
            else:
                at = value + length
            if len(open_parts) > _DEEPEST:
                raise Refused(Reason.TOO_DEEP)
        return at
