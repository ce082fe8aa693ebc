"""MetaImage: MHA with its data behind the header, MHD with its data beside it."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.core import Format, Modality
from retrieval.scans.formats.volume.grid import LPS_TO_RAS, Grid, affine_of, grid_facts
from retrieval.scans.formats.volume.header_text import decimals, integers
from retrieval.scans.formats.volume.voxels import raster_of
from retrieval.scans.notes import Note
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_HEADER_MOST = 1 << 16
_TYPES = {
    "MET_CHAR": "i1", "MET_UCHAR": "u1", "MET_SHORT": "i2", "MET_USHORT": "u2", "MET_INT": "i4",
    "MET_UINT": "u4", "MET_LONG": "i4", "MET_ULONG": "u4", "MET_LONG_LONG": "i8",
    "MET_ULONG_LONG": "u8", "MET_FLOAT": "f4", "MET_DOUBLE": "f8",
}  # fmt: skip
_MODALITIES = {
    "MET_MOD_CT": Modality.CT,
    "MET_MOD_MR": Modality.MRI,
    "MET_MOD_NM": Modality.NM,
    "MET_MOD_US": Modality.US,
}
_FIRST = (b"ObjectType", b"NDims", b"Comment", b"ObjectSubType", b"TransformType")


def sniff(head: bytes, name: str) -> bool:
    """A key of the MetaIO header first, with the extents soon after."""
    return head.startswith(_FIRST) and b"NDims" in head[:2048] and b"=" in head[:64]


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one MetaImage."""
    head = blob.head(_HEADER_MOST)
    fields, end = _fields(head)
    shape = integers(fields.get("DimSize", ""))
    if not shape or len(shape) > 8:
        raise Refused(Reason.UNREADABLE)
    local = fields.get("ElementDataFile", "LOCAL").upper() == "LOCAL"
    data = blob if local else context.companion(blob, ".raw", ".zraw", ".raw.gz", ".img")
    channels = int(fields.get("ElementNumberOfChannels", "1") or 1)
    affine = _affine(fields, len(shape))
    raster = None
    if data is not None and channels == 1:
        raster = _raster(data, fields, shape, end if local else 0, affine)
    return grid_facts(
        blob,
        Grid(
            format=Format.METAIMAGE,
            shape=shape,
            spacing=decimals(fields.get("ElementSpacing", fields.get("ElementSize", ""))),
            affine=affine,
            raster=raster,
            modality=_MODALITIES.get(fields.get("Modality", "").upper()),
            channels=channels if channels > 1 else None,
            notes=(Note.DATA_MISSING,) if data is None else (),
        ),
    )


def _fields(head: bytes) -> tuple[Mapping[str, str], int]:
    """Keys and values, and the offset behind the line that begins the data."""
    fields: dict[str, str] = {}
    at = 0
    while at < len(head) and len(fields) < 200:
        end = head.find(b"\n", at)
        end = len(head) if end < 0 else end
        key, equals, value = head[at:end].decode("ascii", "replace").partition("=")
        at = end + 1
        if not equals:
            break
        fields.setdefault(key.strip(), value.strip())
        if key.strip() == "ElementDataFile":
            break
    return fields, at


def _affine(fields: Mapping[str, str], axes: int) -> Affine | None:
    spacing = decimals(fields.get("ElementSpacing", ""))[:3]
    names = ("TransformMatrix", "Orientation", "Rotation")
    matrix = decimals(next((fields[name] for name in names if name in fields), ""))
    origin = decimals(
        next((fields[n] for n in ("Offset", "Position", "Origin") if n in fields), "")
    )
    if len(spacing) < 3 or axes < 3 or len(matrix) != axes * axes:
        return None
    ways = [[matrix[k * axes + j] * spacing[k] for j in range(3)] for k in range(3)]
    lps = affine_of(ways, origin[:3])
    return None if lps is None else LPS_TO_RAS @ lps


def _raster(
    data: Blob,
    fields: Mapping[str, str],
    shape: tuple[int, ...],
    offset: int,
    affine: Affine | None,
) -> Raster | None:
    orders = ("BinaryDataByteOrderMSB", "ElementByteOrderMSB")
    return raster_of(
        data,
        shape,
        _TYPES.get(fields.get("ElementType", "")),
        big=any(fields.get(key, "").lower() == "true" for key in orders),
        offset=offset,
        packed=fields.get("CompressedData", "").lower() == "true",
        affine=affine,
    )
