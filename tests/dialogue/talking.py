"""A small catalog and the real concept layer, for questions and follow-ups."""

from __future__ import annotations

from dataclasses import replace

from retrieval.catalog.meaning import Meaning
from retrieval.core.codes import BodyPart, Format, Modality
from retrieval.core.types import Candidate, ScanInfo
from retrieval.dialogue.dialogue import Dialogue
from retrieval.dialogue.wording import Wordsmith
from retrieval.engine.engine import Engine
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.parts import Sizes
from tests.fakes import make_tool, small_snapshot

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT)


def meaning():
    words = lexicon()
    return Meaning(words.annotator, words.labels, words.parents)


TASKS = ("segmentation", "registration", "viewing", "denoising")
PLACES = (BodyPart.BRAIN, BodyPart.LUNG, BodyPart.LIVER, BodyPart.HEART, BodyPart.KIDNEY)
LICENCES = ("MIT", "GPL-3.0-only", "LicenseRef-Own", "CC-BY-NC-4.0", "MIT OR LicenseRef-Own")

MANY = tuple(
    make_tool(
        f"tool{n:02}",
        tasks=(TASKS[n % 4],),
        anatomy=(PLACES[n % 5],),
        modalities=(Modality.MRI if n % 2 else Modality.CT,),
        license=LICENCES[n % 5],
        interfaces=("Python", "command line") if n % 3 else ("desktop",),
        gpu=("none", "required", None)[n % 3],
    )
    for n in range(120)
)
SUITE = (
    make_tool("fsl", name="FSL", suite="FSL"),
    make_tool("bet", name="BET", suite="FSL"),
    make_tool("ants", name="ANTs"),
    make_tool("slicer", name="3D Slicer"),
    make_tool("nodules", name="Nodules", requires_tool=("slicer",), suite="3D Slicer"),
    make_tool("airways", name="Airways", platforms=("3D Slicer",), interfaces=("plugin",)),
    make_tool("reads_both", name="Reads Both", compatible_with=("3D Slicer",)),
    make_tool("lungmask", name="lungmask", anatomy=(BodyPart.LUNG,)),
)
TOOLS = {t.id: t for t in (*MANY, *SUITE)}
DIALOGUE = Dialogue(meaning(), TOOLS)


def listed(*ids):
    return [Candidate(tool=TOOLS[i], score=1.0 - n / 100) for n, i in enumerate(ids)]


def talking_engine(model=None, seconds=8.0, **how):
    """An engine over SMALL that asks back, in the model's words where one is given."""
    snapshot = small_snapshot(Sizes(llm_seconds=seconds), language_model=model)
    wordsmith = Wordsmith(model, seconds) if model else None
    dialogue = Dialogue(meaning(), snapshot.tools, wordsmith)

    return Engine(replace(snapshot, dialogue=dialogue), **how)
