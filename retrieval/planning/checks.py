"""What a step of a plan takes against what its tool needs, by the verdicts of a card.

The facts of the image count for every step. What a step before made of it counts besides: a tool
that measures labels needs labels, and one for muscle measures nothing in a brain.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from retrieval.catalog import stems_of
from retrieval.core import BodyPart, Fit, Format, ScanInfo, Tool
from retrieval.fit import (
    ALSO,
    STREAMLINES,
    SURFACES,
    Convert,
    body_part_fit,
    fact_words,
    field,
    fit_of,
    format_fit,
    in_words,
    judged,
    kinds_of,
    no_conversion,
    species_fit,
    volumes_fit,
    written_for,
)

Verdict = Literal["pass", "after conversion", "unknown", "fail"]

MEASURES = ("measurement", "radiomics", "morphometry")
"""Tasks of a last step that turns a result into numbers."""

NUMBERS = frozenset({"CSV", "TSV", "JSON"})
"""Formats of numeric results."""

ALWAYS = frozenset({"format", "modality", "dimension"})
"""Facts without which a step is not known to fit; of all others a record that states none sets no
condition."""

DATA = "data"
"""The fact of what kinds of data a tool needs, as on a card."""

OTHER_IMAGE = "format of the image"
"""The fact of whether a tool that needs what was made and the image opens the image too."""

ANY_SPECIES = frozenset({"any"})

HELD_BY = {"surface": SURFACES, "streamlines": STREAMLINES}
"""The formats that hold what was made, where few do: a tool writes others beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One fact of a step: the present value, what the record states, and the verdict."""

    fact: str
    verdict: Verdict
    have: str | None
    stated: str | None

    @property
    def wants(self) -> tuple[str, ...]:
        """The values that the record states, without the name of their field."""
        values = (self.stated or "").partition(": ")[2]
        return tuple(values.split(", ")) if values else ()

    @property
    def words(self) -> str:
        """The verdict in the words of a card; a pass names its fact."""
        if self.verdict == "pass":
            return f"{self.fact.capitalize()} fits"
        return fact_words(
            Fit(fact=self.fact, verdict=self.verdict, scan=self.have, tool=self.stated)
        )

    @property
    def is_open(self) -> bool:
        """Whether it keeps a step from being known to fit."""
        is_asked = self.stated is not None or self.fact in (*ALWAYS, DATA)
        return self.verdict == "unknown" and is_asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a step gets: the image, and what the step before it made of it.

    ``drawn`` is one of the kinds of ``outputs.json``, empty where the image itself comes. ``parts``
    and ``species`` are what the tool that made it is for; they count where the scan is silent.
    ``request``: the text of the search, which may name a species and tasks.
    """

    scan: ScanInfo
    upload: tuple[ScanInfo, ...]
    request: str = ""
    drawn: str = ""
    parts: tuple[BodyPart, ...] = ()
    species: tuple[str, ...] = ()


@cache
def _outputs() -> Mapping[str, str]:
    text = files("retrieval.planning").joinpath("outputs.json").read_text("utf-8")
    by_kind: Mapping[str, Sequence[str]] = json.loads(text)
    return {task: kind for kind, tasks in by_kind.items() for task in tasks}


def output_of(task: str) -> str | None:
    """What a task draws in an image, which can be measured there; None for all other tasks.

    What comes out of classification is a result already. Of skull stripping or denoising an image
    comes out, in which nothing says what is to be measured.
    """
    return "label" if "segmentation" in task else _outputs().get(task)


def requested_tasks(tasks: Sequence[str], request: str) -> tuple[str, ...]:
    """Those tasks that a text names, by the stems of their words, in their order."""
    requested = stems_of(request)
    return tuple(task for task in tasks if set(stems_of(task)).issubset(requested))


def written_as(tool: Tool, task: str, now: str, goal: Format | None = None) -> str | None:
    """The format that a step gives: the one asked for where the tool states that it writes it.

    Else its input's where the tool states that, else the first. Numbers, surfaces and streamlines
    lie in formats of their own.
    """
    if goal and (asked := written_for(tool, goal)):
        return str(asked)
    outs = [str(f) for f in tool.formats_out]
    wanted = NUMBERS if task in MEASURES else HELD_BY.get(output_of(task) or "", frozenset())
    own = next((out for out in outs if out in wanted), None)
    return own or (now if now in outs else next(iter(outs), None))


def converted_check(have: str) -> Check:
    """The check of a conversion: its pair of formats is stated, and nothing else is asked."""
    return Check(fact="format", verdict="pass", have=have, stated=field("formats_in", [have]))


def checks_of(
    tool: Tool, task: str, now: str, material: Material, convert: Convert
) -> tuple[Check, ...]:
    """All verdicts on a step whose input lies in the format ``now``.

    The format, modality and dimension come first, whether or not a record states them; of the
    other facts those that it states.
    """
    if material.drawn:
        fits = _of_made(tool, now, material, convert)
    else:
        fits = _of_image(tool, task, now, material)
    return tuple(
        Check(fact=fit.fact, verdict=fit.verdict, have=fit.scan, stated=fit.tool)
        for fit in fits
        if fit.tool or fit.fact in ALWAYS or (fit.fact == DATA and material.drawn)
    )


def _of_image(tool: Tool, task: str, now: str, material: Material) -> Iterator[Fit]:
    """The verdicts of a card, for the image itself."""
    scan = replace(material.scan, format=Format(now))
    upload = kinds_of((scan, *material.upload))
    for fit in fit_of(tool, scan, no_conversion, upload.counts):
        if not _is_of_all(tool, fit):
            yield fit
    worded = f"{task} {material.request}"
    volumes = volumes_fit(tool, kinds_of((scan,)) if len(upload.scans) == 1 else upload, worded)
    species = species_fit(tool, material.request)
    yield from (fit for fit in (volumes, species) if fit)


def _is_of_all(tool: Tool, fit: Fit) -> bool:
    """Whether a part of the body that the scan does not state cannot matter."""
    return fit.fact == "body part" and fit.scan is None and BodyPart.WHOLE_BODY in tool.anatomy


def _of_made(tool: Tool, now: str, material: Material, convert: Convert) -> Iterator[Fit]:
    """The verdicts on a tool for what was made of the image, and for the image where needed."""
    image, needs_image = material.scan, "image" in tool.needs.data
    yield format_fit(tool, ScanInfo(format=Format(now)), no_conversion)
    # What was made has the kind, the axes and the place of the image.
    of_image = {fit.fact: fit for fit in fit_of(tool, image, convert, kinds_of((image,)).counts)}
    yield of_image["modality"]
    yield of_image["dimension"]
    yield _made_fit(tool, material)
    if needs_image:
        yield replace(of_image["format"], fact=OTHER_IMAGE)
        facts = ("sequence", "units", "spacing", "slices", "orientation", "channels")
        yield from (of_image[fact] for fact in facts)
    parts = (image.body_part,) if image.body_part else material.parts
    yield _parts_fit(tool, parts)
    yield _species_fit(tool, material.species)


def _made_fit(tool: Tool, material: Material) -> Fit:
    """Whether a tool takes what was made: all that it needs is that, or lies beside it."""
    needed, stated = tool.needs.data, field("requirements.data", tool.needs.data)
    drawn = in_words([material.drawn])
    if not needed or material.drawn not in needed:
        return judged(DATA, False if needed else None, drawn, stated)
    there = {material.drawn, *kinds_of((material.scan, *material.upload)).counts.data}
    missing = [part for part in needed if part not in there]
    also = f"{ALSO}{in_words(missing)}" if missing else ""
    return judged(DATA, None if missing else True, drawn, f"{stated}{also}")


def _parts_fit(tool: Tool, parts: Sequence[BodyPart]) -> Fit:
    """The best of the verdicts on several parts of the body."""
    of_parts = [body_part_fit(tool, ScanInfo(format=Format.DICOM, body_part=p)) for p in parts]
    order: Sequence[Verdict] = ("pass", "unknown", "fail", "after conversion")
    silent = body_part_fit(tool, ScanInfo(format=Format.DICOM))
    return min(of_parts, key=lambda fit: order.index(fit.verdict), default=silent)


def _species_fit(tool: Tool, species: Sequence[str]) -> Fit:
    """Whether both tools are for one species; a tool for animals alone needs that to be stated."""
    stated = field("species", tool.species)
    if not tool.species or ANY_SPECIES & set(tool.species):
        return judged("species", None, None, None)
    if not species or ANY_SPECIES & set(species):
        # Where nobody is named people are meant, as on a card.
        return judged("species", True if "human" in tool.species else None, "human", stated)
    is_shared = not set(species).isdisjoint(tool.species)
    # Which animals a record means by "animal" is open.
    holds = None if not is_shared and "animal" in {*species, *tool.species} else is_shared
    return judged("species", holds, ", ".join(species), stated)
