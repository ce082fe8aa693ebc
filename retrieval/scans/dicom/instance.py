"""One DICOM file as closed facts and numbers."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from retrieval.core import BodyPart, Modality, PulseSequence
from retrieval.scans.dicom import tags
from retrieval.scans.dicom.codes import BODY_PARTS, Sort
from retrieval.scans.dicom.header import Header, read_header
from retrieval.scans.dicom.identity import identity_of, remarks_of, sequence_of
from retrieval.scans.dicom.place import Frames, Place, place_of, read_frames
from retrieval.scans.dicom.tags import count, number, word, words
from retrieval.scans.dicom.walk import LONG, SHORT
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Subject, plausible

_FIELD_NAMES = {**tags.FACTS, **tags.WORDS, **tags.LINKS}
_MOST_MOSAIC = 4096
"""A mosaic is a square of slices; 64 by 64 of them are more than any scanner makes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """The pixel matrix; rows and columns None where missing or implausible.

    ``mosaic``: slices of a Siemens mosaic, 0 when it does not say, None when it is none.
    """

    rows: int | None
    columns: int | None
    frames: int
    samples: int
    photometric: str
    tiled: bool
    mosaic: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One file of a series; ``series`` and ``uid`` are digests to compare by."""

    blob: Blob
    header: Header
    sort: Sort
    modality: Modality | None
    matrix: Matrix
    place: Place
    groups: Frames
    image_type: tuple[str, ...]
    series: str | None
    uid: str | None
    number: int | None
    rescale: tuple[float, float] | None
    rescale_type: str
    body_part: BodyPart | None
    sequence: PulseSequence | None
    subject: Subject
    notes: tuple[Note, ...] = ()
    read: frozenset[str] = frozenset()

    @property
    def at(self) -> tuple[int, int | None]:
        """Where the file stands in the upload."""
        return self.blob.at

    @property
    def positions(self) -> tuple[tuple[float, ...], ...]:
        """LPS millimetres, one per frame; none where a frame has none."""
        if len(self.groups.positions) == self.matrix.frames:
            return self.groups.positions
        own = self.place.position
        return (own,) if own is not None and self.matrix.frames == 1 else ()

    @property
    def is_image(self) -> bool:
        """Whether it has a believable pixel matrix."""
        return bool(self.matrix.rows and self.matrix.columns) and self.sort != "none"


def read_dicom(blob: Blob, context: Context) -> Instance:
    """The facts of one file; refused when nothing in it stands on a closed list.

    Series are put together when all files are read.
    """
    header = read_header(blob)
    values, identity = header.values, identity_of(header)
    matrix = _matrix(header)
    has_groups = matrix.frames > 1 or tags.SHARED_GROUPS in header.elements
    groups = read_frames(header) if has_groups else Frames()
    slope, intercept = number(values, "RescaleSlope"), number(values, "RescaleIntercept")
    instance = Instance(
        blob=blob,
        header=header,
        sort=identity.sort,
        modality=identity.modality,
        matrix=matrix,
        place=place_of(values, groups),
        groups=groups,
        image_type=words(values, "ImageType"),
        series=header.digest(tags.SERIES),
        uid=header.digest(tags.INSTANCE),
        number=count(values, "InstanceNumber"),
        rescale=groups.rescale if slope is None or intercept is None else (slope, intercept),
        rescale_type=word(values, "RescaleType") or groups.rescale_type,
        body_part=BODY_PARTS.get(word(values, "BodyPartExamined").replace(" ", "")),
        sequence=sequence_of(values, identity.modality, tags.CONTRAST_AGENT in header.elements),
        subject=Subject(
            person=header.digest(tags.PATIENT_ID),
            study=header.digest(tags.STUDY),
            frame=header.digest(tags.FRAME),
        ),
        notes=remarks_of(header, identity, matrix.frames),
        read=frozenset(
            f"DICOM {_FIELD_NAMES[tag]}" for tag in header.elements if tag in _FIELD_NAMES
        ),
    )
    header.release()
    blob.release()
    return instance


def _matrix(header: Header) -> Matrix:
    values = header.values
    rows, columns = count(values, "Rows"), count(values, "Columns")
    plausible_shape = rows is not None and columns is not None and plausible([rows, columns])
    frames = count(values, "NumberOfFrames")
    samples = count(values, "SamplesPerPixel")
    tiled = word(values, "DimensionOrganizationType").startswith("TILED")
    mosaic = None
    if "MOSAIC" in words(values, "ImageType"):
        mosaic = _images_of_mosaic(header)
    return Matrix(
        rows=rows if plausible_shape else None,
        columns=columns if plausible_shape else None,
        frames=frames if frames is not None and plausible([frames]) else 1,
        samples=samples if samples in (1, 2, 3, 4) else 1,
        photometric=word(values, "PhotometricInterpretation"),
        tiled=tiled or count(values, "TotalPixelMatrixRows") is not None,
        mosaic=mosaic,
    )


def _images_of_mosaic(header: Header) -> int:
    """Its slices by the private block of Siemens, whichever that is (PS3.5 7.8.1), else 0."""
    group = tags.MOSAIC_GROUP << 16
    for block in range(0x10, 0x100):
        if header.raw(group | block).strip(b" \0") == tags.MOSAIC_CREATOR:
            raw = header.raw(group | block << 8 | tags.MOSAIC_IMAGES)[:2]
            images = int.from_bytes(raw, "big" if header.walker.big else "little")
            return images if 0 < images <= _MOST_MOSAIC else 0
    return 0


def sniff_dicom(head: bytes) -> bool:
    """The mark behind the preamble, or first where the preamble is missing."""
    return head[128:132] == b"DICM" or head.startswith(b"DICM\2\0")


def sniff_bare_dicom(head: bytes) -> bool:
    """A data set without preamble: group 2 or 8 first, with a VR or a short length behind it."""
    if len(head) < 64:
        return False
    group, element = struct.unpack_from("<HH", head)
    if group not in (2, 8) or element > 0x0100:
        group, element = struct.unpack_from(">HH", head)
        big = group in (2, 8) and element <= 0x0100
        return big and (head[4:6] in LONG or head[4:6] in SHORT)
    vr = head[4:6]
    return vr in LONG or vr in SHORT or struct.unpack_from("<I", head, 4)[0] < 512
