"""OME-XML: the sizes and acquisition terms of microscopy images."""

from __future__ import annotations

import io
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from retrieval.core import Modality
from retrieval.scans.formats.image.xml import local, parse_count, started

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


@dataclass(frozen=True, slots=True, kw_only=True)
class OmeImage:
    """The first image of an OME document."""

    x: int
    y: int
    z: int
    t: int
    channels: int
    spacing: tuple[float, ...]
    modality: Modality | None


def read_ome(text: bytes) -> OmeImage | None:
    """The first Pixels element, also of a document that goes on or is cut; None without one.

    Reading ends with its channels: what follows may be a line for each of a million planes.
    """
    pixels, channels = _first_image(text)
    if pixels is None:
        return None
    size = {axis: parse_count(pixels.get(f"Size{axis}")) or 0 for axis in "XYZTC"}
    modes = {_MODES.get(channel.get("AcquisitionMode", "")) for channel in channels}
    return OmeImage(
        x=size["X"],
        y=size["Y"],
        z=size["Z"],
        t=size["T"],
        channels=size["C"] or 1,
        spacing=_spacing(pixels.attrib, ("Y", "X", "Z") if size["Z"] > 1 else ("Y", "X")),
        modality=modes.pop() if len(modes) == 1 else None,
    )


def _first_image(text: bytes) -> tuple[Element | None, list[Element]]:
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
    return pixels, channels


def _spacing(attributes: dict[str, str], axes: tuple[str, ...]) -> tuple[float, ...]:
    sizes = []
    for axis in axes:
        scale = _MM.get(attributes.get(f"PhysicalSize{axis}Unit", "µm"))
        try:
            sizes.append(float(attributes.get(f"PhysicalSize{axis}", "")) * (scale or 0.0))
        except ValueError:
            return ()
    return tuple(sizes) if all(size > 0 for size in sizes) else ()
