"""XML of scan files, parsed without entities, DTDs or outside files."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring, iterparse

from retrieval.scans.reader.blob import ByteStream
from retrieval.scans.reasons import Reason, Refused

_BROKEN = (ParseError, DefusedXmlException, ValueError, LookupError)


def parse_xml(text: bytes | str) -> Element:
    """The root element; refused when it is no plain XML."""
    try:
        root: Element = fromstring(text, forbid_dtd=True)
    except _BROKEN as exc:
        raise Refused(Reason.UNREADABLE) from exc
    return root


def started(stream: ByteStream, *, forbid_dtd: bool = True) -> Iterator[Element]:
    """Elements as they begin, with their attributes and no content; no more is read than asked.

    A DTD that is not forbidden is read over, never resolved.
    """
    try:
        for _, element in iterparse(stream, events=("start",), forbid_dtd=forbid_dtd):
            yield element
    except _BROKEN as exc:
        raise Refused(Reason.UNREADABLE) from exc


def local(element: Element) -> str:
    """The tag without its namespace."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def children(root: Element, name: str) -> list[Element]:
    """All descendants of this local name, in document order."""
    return [element for element in root.iter() if local(element) == name]


def parse_count(text: str | None) -> int | None:
    """A count written in digits."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 12 else None
