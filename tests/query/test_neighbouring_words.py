"""Words beside a wish belong to the wish that they speak of: courtesy, permission, another's place."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

READER = WishReader(
    (
        make_tool("fsl", name="FSL", suite="FSL"),
        make_tool("bet", name="BET", suite="FSL"),
        make_tool("spm", name="SPM", suite="SPM"),
        make_tool("cat12", name="CAT12", suite="SPM"),
    ),
    dict.fromkeys(("language", "interface", "system", "licence", "gpu", "tool"), 0.9),
)


def read(text):
    return READER.read(make_query(text))


def wishes(text):
    return [(w.kind, w.value, w.strength) for w in read(text).wishes]


SHELL, CONTAINER = ("interface", "command line", "wanted"), ("interface", "container", "wanted")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("tumours on slides, one line in the shell, preferably a container", CONTAINER),
        ("tumours on slides, one line in the shell preferably a container", CONTAINER),
        ("tumours, in the shell, ideally a singularity image", CONTAINER),
        ("tumours, in the shell, if possible GPU accelerated", ("gpu", "GPU", "wanted")),
        ("tumours, in the shell, preferably free", ("licence", "free of charge", "wanted")),
    ],
)
def test_a_preference_between_two_wishes_is_of_the_second(text, wish):
    assert wishes(text) == [SHELL, wish]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("skull stripping, preferably a container", CONTAINER),
        ("hippocampal subfields, container", CONTAINER),
        ("liver, must be a container", ("interface", "container", "required")),
        ("liver, no container", ("interface", "container", "unwanted")),
        ("viewer for CBCT, has to be free", ("licence", "free of charge", "required")),
        ("spinal cord, Apache preferred", ("licence", "Apache", "wanted")),
        ("particle picking, nothing non-commercial", ("purpose", "commercial", "wanted")),
    ],
)
def test_a_short_word_is_a_wish_where_a_clause_says_no_more(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize(
    "text",
    [
        *("segment a shipping container in CT", "contents of a container in X-ray security scans"),
        *("free water elimination", "the web of spider silk, segment threads"),
    ],
)
def test_such_a_word_beside_others_is_none(text):
    assert wishes(text) == []
