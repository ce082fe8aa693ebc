"""Run by test_scan_fuzz in a process of its own: byte flips over every reader, all guarded."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from retrieval.scans.dicom.instance import Instance
from retrieval.scans.dicom.series import assemble
from retrieval.scans.limits import Limits
from retrieval.scans.reader.batch import read_one
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reader.context import Context
from tests.scans import makers


def flipped(raw: bytes, dice: random.Random) -> bytes:
    """A few bytes changed, most of them in the header; sometimes cut."""
    made = bytearray(raw)
    for _ in range(dice.randint(1, 8)):
        where = dice.randrange(min(len(made), dice.choice([64, 600, 4096, len(made)])))
        made[where] = dice.choice([0, 0xFF, 0x7F, 0x80, dice.randrange(256)])
    return bytes(made[: dice.randrange(len(made))] if dice.random() < 0.1 else made)


def read_whole(raw: bytes, name: str) -> object:
    """What the reader process does with one file, drawing included."""
    blob = makers.blob(raw, name)
    found = read_one(blob, Context([blob], Limits()))
    facts = assemble([found]) if isinstance(found, Instance) else [found]
    for one in facts:
        if one.draw is not None:
            guarded(one.draw, 1.0)
    return facts


def main() -> None:
    """Counts and the slowest case, as JSON."""
    folder, cases = Path(sys.argv[1]), int(sys.argv[2])
    seeds = [(path.name, path.read_bytes()) for path in sorted(folder.iterdir())]
    dice = random.Random(20)
    slowest, refused = 0.0, 0
    for k in range(cases):
        name, raw = seeds[k % len(seeds)]
        made = flipped(raw, dice)
        start = time.process_time()
        found = guarded(lambda made=made, name=name: read_whole(made, name), 1.0)
        slowest = max(slowest, time.process_time() - start)
        refused += not isinstance(found, list)
    sys.stdout.write(json.dumps({"cases": cases, "refused": refused, "slowest": slowest}))


main()
