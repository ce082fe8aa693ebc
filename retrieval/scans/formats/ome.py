"""OME-XML: the sizes and acquisition terms of microscopy images."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from retrieval.core.codes import Modality
from retrieval.scans.formats.xml import children, parse_xml, whole

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
    """The first Pixels element; None when there is none."""
    root = parse_xml(text)
    pixels = children(root, "Pixels")
    if not pixels:
        return None
    size = {axis: whole(pixels[0].get(f"Size{axis}")) or 0 for axis in "XYZTC"}
    modes = Counter(_MODES.get(c.get("AcquisitionMode", "")) for c in children(root, "Channel"))
    mode = modes.most_common(1)[0][0] if len(modes) == 1 else None
    return OmeImage(
        x=size["X"],
        y=size["Y"],
        z=size["Z"],
        t=size["T"],
        channels=size["C"] or 1,
        spacing=_spacing(pixels[0].attrib, ("Y", "X", "Z") if size["Z"] > 1 else ("Y", "X")),
        modality=mode,
    )


def _spacing(attributes: dict[str, str], axes: tuple[str, ...]) -> tuple[float, ...]:
    found = []
    for axis in axes:
        scale = _MM.get(attributes.get(f"PhysicalSize{axis}Unit", "µm"))
        try:
            found.append(float(attributes.get(f"PhysicalSize{axis}", "")) * (scale or 0.0))
        except ValueError:
            return ()
    return tuple(found) if all(size > 0 for size in found) else ()
