"""Which tasks depend on what an image shows, which regions stand for organs, what is no image."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

from retrieval.explain.request_parts import Part
from retrieval.explain.stated import SINGLE_ORGANS, Records

BOUND = frozenset(
    f"operation:{name}"
    for name in (
        "segmentation", "instance segmentation", "semantic segmentation", "object detection",
        "classification", "measurement", "morphometry", "counting", "prediction", "tracking",
    )
)  # fmt: skip
"""Tasks that a tool can do only on the objects it is made for.

Viewing, conversion or registration work on any object; a record that names none serves them.
A tool for one of these mostly serves the others: what is outlined can be counted and measured.
"""

HANDLING = frozenset(
    f"operation:{name}"
    for name in (
        "conversion", "viewing", "reading and writing", "anonymisation", "data organisation",
        "data archive", "data transfer", "metadata extraction", "annotation", "3D rendering",
        "resampling", "cropping", "image arithmetic", "file management", "registration",
        "model training", "denoising",
    )
)  # fmt: skip
"""Tasks that a tool does whatever the image shows; of others, most tools name what they are for."""

BEYOND_IMAGES = frozenset(
    f"domain:{name}"
    for name in (
        "genomics", "transcriptomics", "proteomics", "metabolomics", "structural biology",
        "systems biology", "cheminformatics", "phylogenetics", "metagenomics", "single-cell",
        "bioinformatics", "literature",
    )
)  # fmt: skip
"""Fields whose tools are not made for an object; only a part without any record counts there."""

NO_IMAGES = BEYOND_IMAGES | {
    f"modality:{name}" for name in ("text", "audio data", "mass spectrometry", "flow cytometry")
}
"""Fields and kinds of data that are no images."""

OWN_KINDS = frozenset(
    f"modality:{name}"
    for name in (
        "MRS", "ASL", "QSM", "fMRI", "dMRI", "dynamic contrast-enhanced MRI", "hyperpolarised MRI",
        "4D flow MRI", "CT perfusion", "Doppler ultrasound", "quantitative ultrasound",
        "ultrasound localisation microscopy", "calcium imaging", "voltage imaging",
        "single-molecule FRET", "second harmonic generation", "atomic force microscopy",
        "OCT angiography",
    )
)  # fmt: skip
"""Kinds of image that show no shape but a quantity, for which tools of the wider kind do not do:
what outlines a liver on MRI fits no spectra. 3 more of 452 gaps, no alarm in 1,927; where all
narrower kinds count so, 5 more gaps for 9 alarms (a nodule on low-dose CT)."""

TaskKind = Literal["bound", "open", "handling"]

CELL, LESION, MICROSCOPY = "anatomy:cell", "data:lesion", "modality:microscopy"

WHOLE = "anatomy:whole body"
"""What a tool for it does may be done on any part of the body."""

NO_BODY = frozenset({"anatomy:plant", "anatomy:diatom", "anatomy:parasite", "anatomy:virus"})
"""What is no part of a body, with all that is of it."""

NOT_WHOLE = SINGLE_ORGANS | NO_BODY
"""Parts, with all that is of them, which tools for the whole body do not serve."""

OPEN = 0.2
"""A task is open to any object where more than this share of its records name none: .6 of those
that convert, .25 of those that register, .1 of those that find functional connectivity."""

KINDS = 5
"""A record for so many kinds of image says of a region (the abdomen) not that it takes each."""

NAMED_PARTS = frozenset({"anatomy", "cell"})
"""Kinds of parts that no record names which are served in a region alone."""

COMMON = 20
"""A word of more than one in so many records says nothing of its own: extraction, analysis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a whole request says of each of its parts.

    ``setting`` are objects that only say where or when; ``names_cells`` is whether a story calls
    what it is about cells. ``willing`` records do one of its tasks whatever the image shows.
    """

    task: TaskKind
    setting: Set[Part]
    names_cells: bool
    willing: Records
