"""Whole files made to do harm: empty, endless, huge, of another system, or no file at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.errors import BadInput
from retrieval.wiring.index.sync import sync
from tests.catalog.hostile_cases import GOOD, HTTP, loaded
from tests.fakes import HashingEncoder

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty", b""),
        ("blank lines", b"\n\r\n  \n"),
        ("a byte order mark alone", b"\xef\xbb\xbf"),
        ("only bad lines", b"x\ny\nz\n"),
        ("an empty array", b"[]"),
        ("a header alone", b"name,description\n"),
        ("an array of nothing", b"[null, 1, [], {}]"),
        ("an array that never ends", b'[{"id": "a", "name": ' * 1_000),
    ],
)
def test_a_catalog_without_a_record_never_replaces_a_good_index(home, name, content):
    before = (home.index_dir / "CURRENT").read_bytes()
    assert loaded(home.catalog, content).records == ()
    assert sync(home, HashingEncoder())["read"] == 0
    assert (home.index_dir / "CURRENT").read_bytes() == before


@pytest.mark.parametrize("change", ["bom", "crlf", "cr-blank", "no-end", "spaces"])
def test_marks_and_line_ends_of_other_systems_are_no_harm(home, change):
    lines = "\n".join(map(json.dumps, GOOD)).encode()
    content = {
        "bom": b"\xef\xbb\xbf" + lines,
        "crlf": lines.replace(b"\n", b"\r\n") + b"\r\n",
        "cr-blank": lines.replace(b"\n", b"\n\r\n\n"),
        "no-end": lines,
        "spaces": b"  \n  " + lines.replace(b"\n", b"  \n\t"),
    }
    catalog = loaded(home.catalog, content[change])
    assert ([r.id for r in catalog.records], catalog.refused) == (["good", "other"], ())


SHEET = [
    (b"bad,=1+1,http://x.example\n", None),
    (b"bad,x,javascript:alert(1)\n", HTTP),
    (b"bad,x,y,z,1,2,3\n", "7 cells for 3 columns"),
    (b"bad\xeb,x,\n", "not UTF-8 text"),
    (b"bad,\x00\x01,\n", "control characters"),
    (b"bad," + b"x" * 1_200_000 + b",\n", "longer than 1,000,000"),
    (b"bad," + b"x" * 200_000 + b",\n", "not a CSV row"),
    (b",,\n", None),
]


@pytest.mark.parametrize(("row", "reason"), SHEET)
def test_a_bad_row_of_a_sheet_costs_no_other(home, row, reason):
    content = b"name,description,url\ngood,x,\n" + row + b'other,"y\nz",https://x.example\n'
    catalog = loaded(home.catalog, content)
    assert {"good", "other"} <= {r.id for r in catalog.records}
    # Of a wrong address the value alone is left out, with a note.
    told = catalog.notes if reason == HTTP else catalog.refused
    texts = [(one.line, getattr(one, "text", "") or one.reason) for one in told]
    assert [(line, reason in text) for line, text in texts] == ([(3, True)] if reason else [])


def test_a_quote_that_is_never_closed_costs_no_more_than_its_cell_may_hold(home):
    rows = b"".join(b"tool%d,what it does,\n" % n for n in range(20_000))
    content = b'name,description,url\ngood,x,\n"bad,x,\n' + rows
    catalog = loaded(home.catalog, content)
    assert any("not a CSV row" in r.reason for r in catalog.refused)
    assert len(catalog.records) > 10_000


def test_a_million_bad_lines_are_counted_and_not_held(tmp_path):
    catalog = loaded(tmp_path / "x", b"x\n" * 100_000)
    assert len(catalog.refused) == 10_001
    assert catalog.refused[-1].reason == "and 90,000 more up to this line"
    assert catalog.refused[-1].line == 100_000


@pytest.mark.parametrize("place", [".", "/dev/zero", "/dev/null", "missing.jsonl"])
def test_what_is_no_file_is_said_to_be_none(tmp_path, place):
    with pytest.raises(BadInput, match=r"not a file|is a folder|could not be read"):
        load_catalog(tmp_path / place)


MEASURED = """
import json, resource, sys
from pathlib import Path
from retrieval.catalog import load_catalog
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
catalog = load_catalog(Path(sys.argv[1]))
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
refused = [[r.line, r.reason] for r in catalog.refused]
print(json.dumps([[r.id for r in catalog.records], refused, grown // 1024]))
"""


def _hole(path, before, megabytes, after):
    """A file with a hole: so many bytes of zero that nobody has to write."""
    with path.open("wb") as handle:
        handle.write(before)
        handle.seek(megabytes * 1_000_000, 1)
        handle.write(after)


@pytest.mark.parametrize(
    ("megabytes", "opening", "closing"),
    [(50, b"", b""), (200, b"", b""), (50, b"[", b"]"), (90, b'{"list": [', b"]}")],
)
def test_a_huge_line_is_passed_over_without_being_held(tmp_path, megabytes, opening, closing):
    path = tmp_path / "catalog"
    comma = b"," if opening else b""
    last = b'"}' + comma + b"\n" + json.dumps(GOOD[0]).encode() + closing
    _hole(path, opening + b'{"id": "bad", "description": "', megabytes, last)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], cwd=ROOT, capture_output=True, timeout=300
    )
    kept, refused, grown = json.loads(done.stdout)
    assert (kept, refused) == (["good"], [[1, "longer than 1,000,000 bytes"]])
    assert grown < 20
