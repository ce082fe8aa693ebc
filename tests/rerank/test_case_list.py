"""The reranking case list: every stage gives the same list again, whatever the hash seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from retrieval.settings import ROOT
from retrieval.wiring.modes import NAMES
from tests.fakes import ids

pytestmark = pytest.mark.process

CASES = (
    "segment lungs",
    "FLIRT (FSL)",
    "tottalsegmentator",
    "quality control neuroimaging",
    "How do I segment cell nuclei?",
    "convert DICOM to NIfTI [NO_RERANK]",
    "skull stripping with BET",
    "track cells in time-lapse microscopy [EXCLUDE:TrackMate]",
    "分割肺部CT",
)

PROBE = """
import json, sys, tempfile
from pathlib import Path
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.parts import Sizes
from retrieval.wiring.ranking import ranking_of
from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import ScanInfo
from retrieval.dense import token_file, template_text
from tests.fakes import SMALL, HashingEncoder, ids, small_engine

def row_of(c):
    return [c.tool.id, c.score, [[w.kind, w.text, w.value] for w in c.why]]

encoder = HashingEncoder()
mri = ScanInfo(format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3)
hows = ({}, {"scans": [mri], "liked": ["cells"], "disliked": ["airways"]})
texts = {t.id: template_text("biocortex", t) for t in SMALL}
with tempfile.TemporaryDirectory() as folder:
    tokens = token_file(Path(folder), encoder, texts)
    engine = small_engine(
        Sizes(),
        encoder=encoder,
        annotator=lexicon().annotator,
        tokens=lambda: tokens,
        ranking=ranking_of(SMALL, lexicon().annotator),
    )
    told = [
        [mode, n.name, n.status, n.note, list(map(row_of, n.state.candidates))]
        for mode in engine.modes
        for text in json.loads(sys.argv[1])
        for how in hows
        for n in engine.run(text, mode, **how).result.walk()
    ]
print(json.dumps(told))
"""


def lists_of(engine, text):
    return [
        (n.name, n.status, ids(n), [c.score for c in n.state.candidates])
        for n in engine.run(text).result.walk()
    ]


def under(seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", PROBE, json.dumps(CASES)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_two_hash_seeds_give_the_same_list_at_every_stage_of_every_mode():
    one, other = under("1"), under("4242")
    assert one == other
    ran = {row[1] for row in one if row[2] == "ok" and row[4]}
    assert {"fused/dense", "fused/late interaction", "rank", "tokens", "fit", "taste"} <= ran
    assert {"vector search", "KG expansion", "retrieval", "cut"} <= ran
    assert {row[0] for row in one} == set(NAMES)


@pytest.mark.model
@pytest.mark.parametrize("text", CASES)
@pytest.mark.requirement("S1-32")
def test_the_same_query_gives_the_same_list_at_every_stage_again(engine, text):
    assert lists_of(engine, text) == lists_of(engine, text)
