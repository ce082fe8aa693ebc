"""XML of scan files, parsed without entities, DTDs or outside files."""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from retrieval.scans.reasons import Reason, Refused


def parse_xml(text: bytes | str) -> Element:
    """The root element; refused when it is no plain XML."""
    try:
        root: Element = fromstring(text, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as exc:
        raise Refused(Reason.UNREADABLE) from exc
    return root


def local(element: Element) -> str:
    """The tag without its namespace."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def children(root: Element, name: str) -> list[Element]:
    """All descendants of this local name, in document order."""
    return [element for element in root.iter() if local(element) == name]


def whole(text: str | None) -> int | None:
    """A count written in digits."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 12 else None
