"""The series of one upload: one per kind to compare, and counts over all of them.

Two series are of one kind when they agree in everything that a verdict depends on, so one of
them is compared for all. What depends on the other series is counted once per upload.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from retrieval.core import PARTLY_READ, Dimension, Format, Modality, PulseSequence, ScanInfo
from retrieval.fit.formats import (
    COLOUR,
    DAMAGES,
    DOCUMENTS,
    FRAMES,
    LABELS,
    MAYBE_LABELS,
    MORE_AXES,
    data_of,
    lacks_pixels,
)
from retrieval.fit.orientation import is_thick, plane_of

MOST_KINDS = 200
"""Kinds of series that one search compares with tools. A comparison takes about 25 microseconds
(measured), and a search has some 150 candidates: 200 kinds are below one second. An examination
of one subject has a few dozen series, and many of them are of one kind."""

_COMPARED_NOTES = FRAMES | frozenset(
    {LABELS, MAYBE_LABELS, "vector", COLOUR, "not-hu", "single-slice", PARTLY_READ, *DOCUMENTS}
    | {MORE_AXES, *DAMAGES}
)
_LABELLED = frozenset({LABELS, MAYBE_LABELS})
_UNCOUNTED = frozenset([Format.HDF5, Format.ZARR, Format.OME_ZARR, Format.NPY, Format.MAT])

MICROMETRES_BELOW = 0.01
"""A side of a voxel in mm under which all of its sides are shown in µm."""

PLANE_OVER_TIME = "2D over time"

Volume = tuple[tuple[int, ...], Modality | None]
Kind = tuple[object, ...]


def channels_of(scan: ScanInfo) -> int | None:
    """Channels of a voxel; readers omit a count of one, and the parts of a vector are none."""
    if scan.channels is not None:
        return scan.channels
    if scan.dimension is None or scan.format in _UNCOUNTED or "vector" in scan.notes:
        return None
    return 3 if "rgb" in scan.notes else 1


def slices_of(scan: ScanInfo) -> int | None:
    """The count of slices, None where the scan does not state it."""
    if scan.dimension == Dimension.D2 or "single-slice" in scan.notes:
        return 1
    return scan.shape[2] if scan.dimension and len(scan.shape) > 2 else None


def is_over_time(scan: ScanInfo) -> bool:
    """Whether a scan is one plane at several times."""
    return scan.dimension == Dimension.D2 and prod(scan.shape[3:4]) > 1


def dimension_words(scan: ScanInfo) -> str:
    """The dimension, of one plane at several times both; empty where unknown."""
    return PLANE_OVER_TIME if is_over_time(scan) else str(scan.dimension or "")


def widest_mm(scan: ScanInfo) -> float | None:
    """The largest side of a voxel, in mm; None without a spacing."""
    return max(scan.spacing[:3]) if scan.spacing else None


def _is_microscopic(scan: ScanInfo) -> bool:
    return scan.spacing is not None and min(scan.spacing, default=1.0) < MICROMETRES_BELOW


def length_words(scan: ScanInfo, lengths: Iterable[float]) -> str:
    """Lengths in mm with a unit: µm for all where a side of the scan's voxels is that small.

    Three digits: positions are rounded.
    """
    scale, unit = (1000, "µm") if _is_microscopic(scan) else (1, "mm")
    return f"{' × '.join(f'{length * scale:.3g}' for length in lengths)} {unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadCounts:
    """The images of one upload, counted.

    ``volumes``: images of one shape and modality; ``contrasts``: per dimension, how many
    different images of one channel there are; ``data``: what the files hold, by ``data_of``;
    ``modalities`` and ``sequences``: their kinds.
    """

    volumes: Mapping[Volume, int] = field(default_factory=dict)
    contrasts: Mapping[Dimension | None, int] = field(default_factory=dict)
    data: frozenset[str] = frozenset()
    modalities: frozenset[Modality | None] = frozenset()
    sequences: frozenset[PulseSequence | None] = frozenset()

    @classmethod
    def of(cls, scans: Iterable[ScanInfo]) -> UploadCounts:
        """The counts of an upload, in time linear in the number of scans."""
        volumes: Counter[Volume] = Counter()
        contrasts: defaultdict[Dimension | None, set[Kind]] = defaultdict(set)
        data: set[str] = set()
        sequences: set[PulseSequence | None] = set()
        for one in scans:
            data.add(data_of(one))
            sequences.add(one.sequence)
            volumes[one.shape, one.modality] += 1
            if _LABELLED.isdisjoint(one.notes) and channels_of(one) == 1:
                contrasts[one.dimension].add((one.modality, one.sequence))
        different = {dimension: len(kinds) for dimension, kinds in contrasts.items()}
        return cls(
            volumes=volumes,
            contrasts=different,
            data=frozenset(data - {""}),
            modalities=frozenset(modality for _, modality in volumes),
            sequences=frozenset(sequences),
        )


ONE_SCAN = UploadCounts()
"""The counts of an upload with one scan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """One scan of each kind, in the order of the upload; ``left_out`` kinds are over the limit."""

    scans: tuple[ScanInfo, ...]
    counts: UploadCounts
    left_out: int = 0

    @property
    def total(self) -> int:
        """How many kinds the upload has."""
        return len(self.scans) + self.left_out


def kinds_of(scans: Sequence[ScanInfo]) -> Kinds:
    """The kinds among the images of an upload; of more than MOST_KINDS those with most series.

    Reports and plans, which hold no data that a tool states, are left out where the upload has
    images.
    """
    images = [one for one in scans if data_of(one) or (one.dimension and not lacks_pixels(one))]
    images = images or list(scans)
    counts = UploadCounts.of(images)
    first: dict[Kind, ScanInfo] = {}
    series: Counter[Kind] = Counter()
    for scan in images:
        kind = _kind(scan, counts)
        first.setdefault(kind, scan)
        series[kind] += 1
    # The sort is stable: of kinds with equally many series those of the first files stay.
    most = set(sorted(series, key=lambda kind: -series[kind])[:MOST_KINDS])
    sample_scans = tuple(scan for kind, scan in first.items() if kind in most)
    return Kinds(scans=sample_scans, counts=counts, left_out=len(first) - len(sample_scans))


def _kind(scan: ScanInfo, counts: UploadCounts) -> Kind:
    """Everything that a verdict on the scan, or its evidence, depends on."""
    return (
        scan.format,
        scan.modality,
        scan.dimension,
        scan.body_part,
        scan.sequence,
        scan.channels,
        scan.units,
        slices_of(scan),
        widest_mm(scan),
        _is_microscopic(scan),
        scan.axes,
        plane_of(scan),
        is_thick(scan),
        data_of(scan),
        lacks_pixels(scan),
        _COMPARED_NOTES.intersection(scan.notes),
        counts.volumes[scan.shape, scan.modality],
        scan.shape[3:4],
    )
