"""The answer of a search as text for a terminal."""

from __future__ import annotations

import re
from types import SimpleNamespace

from msgspec import structs

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import ScanInfo
from retrieval.export.table import table
from retrieval.fit.summary import summary_of
from tests.fakes import ids, small_engine

ENGINE = small_engine()


def test_the_terminals_table_names_every_tool_and_stage():
    answer = ENGINE.run("segment lungs")
    text = table(answer)
    assert all(c.tool.name in text for c in answer.candidates)
    assert all(node.name in text for node in answer.result.stages())
    assert text.index(ids(answer.candidates)[0]) < text.index(ids(answer.candidates)[1])
    shown = [float(found) for found in re.findall(r"^ *\d+\. .{32} +([\d.-]+)  ", text, re.M)]
    assert len(shown) == len(answer.candidates)
    assert shown == sorted(shown, reverse=True)


def test_the_terminals_table_tells_refused_files_and_doubt_before_the_tools():
    refused = SimpleNamespace(index=2, member=3, reason="The file is empty.")
    answer = ENGINE.run("segment lungs", refused=[refused])
    doubtful = structs.replace(
        answer, insight=structs.replace(answer.insight, unserved=frozenset({"operation"}))
    )
    lines = table(doubtful).split("\n")
    assert lines[1:3] == [
        "not read: file 2, part 3: The file is empty.",
        "doubtful: no task match",
    ]


def test_the_terminals_table_has_the_verdict_of_each_tool_that_a_scan_is_held_against():
    scan = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
    answer = ENGINE.run("segment lungs", scans=[scan])
    verdicts = [summary_of(candidate.fit) for candidate in answer.candidates]
    assert {verdict.verdict for verdict in verdicts if verdict} > {"pass"}
    shown = re.findall(r"^ *\d+\. .*\n     \[([a-z ]+)\] (.+)$", table(answer), re.M)
    assert shown == [(verdict.verdict, verdict.text) for verdict in verdicts if verdict]
