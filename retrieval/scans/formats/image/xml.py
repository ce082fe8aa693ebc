"""XML of scan files, parsed without entities, DTDs or outside files; the axes of OME-XML."""

from __future__ import annotations

import io
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring, iterparse

from retrieval.core import Format, Modality
from retrieval.scans.formats.image.picture import Axes
from retrieval.scans.reader.blob import ByteStream
from retrieval.scans.reasons import Reason, Refused

_BROKEN = (ParseError, DefusedXmlException, ValueError, LookupError)
_MODES = {
    "LaserScanningConfocalMicroscopy": Modality.CONFOCAL,
    "SpinningDiskConfocal": Modality.CONFOCAL,
    "SlitScanConfocal": Modality.CONFOCAL,
    "MultiPhotonMicroscopy": Modality.FLUORESCENCE,
    "WideField": Modality.LIGHT_MICROSCOPY,
    "TotalInternalReflection": Modality.FLUORESCENCE,
    "FluorescenceLifetime": Modality.FLUORESCENCE,
    "SPIM": Modality.LIGHT_SHEET,
    "STED": Modality.SUPER_RESOLUTION,
    "STORM": Modality.SUPER_RESOLUTION,
    "PALM": Modality.SUPER_RESOLUTION,
    "StructuredIllumination": Modality.SUPER_RESOLUTION,
}
_BEHIND_CHANNELS = frozenset({"BinData", "TiffData", "MetadataOnly", "Plane"})
_MM = {"m": 1000.0, "mm": 1.0, "µm": 0.001, "μm": 0.001, "nm": 1e-6}


def parse_xml(text: bytes | str) -> Element:
    """The root element; refused when it is no plain XML."""
    try:
        root: Element = fromstring(text, forbid_dtd=True)
    except _BROKEN as exc:
        raise Refused(Reason.UNREADABLE) from exc
    return root


def started(stream: ByteStream, *, forbid_dtd: bool = True) -> Iterator[Element]:
    """Elements as they begin, with their attributes and no content; read as far as the caller goes.

    A DTD that is not forbidden is skipped, never resolved.
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


def read_ome(text: bytes) -> Axes | None:
    """The first image of an OME document, also of one that goes on or is cut; None without one.

    Reading ends with its channels: what follows may be a line for each of a million planes.
    """
    pixels: Element | None = None
    channels: list[Element] = []
    for element in started(io.BytesIO(text)):
        name = local(element)
        if name == "Pixels" and pixels is None:
            pixels = element
        elif name == "Channel":
            channels.append(element)
        elif name in _BEHIND_CHANNELS or name == "Pixels":
            break
    if pixels is None:
        return None
    size = {axis: parse_count(pixels.get(f"Size{axis}")) or 0 for axis in "XYZTC"}
    modes = {_MODES.get(channel.get("AcquisitionMode", "")) for channel in channels}
    return Axes(
        format=Format.OME_TIFF,
        x=size["X"],
        y=size["Y"],
        z=size["Z"] or 1,
        t=size["T"] or 1,
        channels=size["C"] or 1,
        spacing=_spacing(pixels.attrib, "YXZ" if size["Z"] > 1 else "YX"),
        modality=modes.pop() if len(modes) == 1 else None,
        read=("sizes", "physical sizes", "acquisition mode"),
    )


def _spacing(attributes: dict[str, str], axes: str) -> tuple[float, ...]:
    sizes = []
    for axis in axes:
        scale = _MM.get(attributes.get(f"PhysicalSize{axis}Unit", "µm"))
        try:
            sizes.append(float(attributes.get(f"PhysicalSize{axis}", "")) * (scale or 0.0))
        except ValueError:
            return ()
    return tuple(sizes) if all(size > 0 for size in sizes) else ()
