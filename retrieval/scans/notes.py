"""What is remarkable about a scan: the closed codes of ``ScanInfo.notes``."""

from __future__ import annotations

from enum import StrEnum

from retrieval.core import PARTLY_READ


class Note(StrEnum):
    """A property or defect of one scan. The doctor's table says what each means."""

    SINGLE_SLICE = "single-slice"
    LOCALIZER = "localizer"
    SECONDARY_CAPTURE = "secondary-capture"
    MOSAIC = "mosaic"
    CINE = "cine"
    PAGES = "pages"
    WHOLE_SLIDE = "whole-slide"
    NOT_AN_IMAGE = "not-an-image"
    DICOMDIR = "dicomdir"
    SURFACE = "surface"
    STREAMLINES = "streamlines"
    PER_VERTEX = "per-vertex"
    LABEL_MAP = "label-map"
    VECTOR = "vector"
    MISSING_SLICES = "missing-slices"
    DUPLICATE_SLICES = "duplicate-slices"
    UNEVEN_SPACING = "uneven-spacing"
    GANTRY_TILT = "gantry-tilt"
    MIXED_SERIES = "mixed-series"
    NO_POSITIONS = "no-positions"
    RESCALE_MISSING = "rescale-missing"
    NOT_HU = "not-hu"
    FOUR_D = "4d"
    ANISOTROPIC = "anisotropic"
    FORMS_DISAGREE = "qform-sform-disagree"
    FORMS_DIFFER = "qform-sform-differ"
    NO_ORIENTATION = "no-orientation"
    RGB = "rgb"
    COMPRESSED = "compressed-syntax"
    UNKNOWN_SYNTAX = "unknown-syntax"
    TRUNCATED = "truncated"
    LENGTH_BEYOND_FILE = "length-beyond-file"
    UNKNOWN_DATATYPE = "unknown-datatype"
    IMPOSSIBLE_OFFSET = "impossible-offset"
    UNBELIEVABLE = "unbelievable-header"
    MODALITY_ASKED = "modality-unknown"
    SUGGESTED_MRI = "modality-maybe-mri"
    SOP_OVER_MODALITY = "sop-class-over-modality"
    DATA_MISSING = "data-missing"
    DIFFUSION_TABLE = "diffusion-table"
    PARTLY_READ = PARTLY_READ
