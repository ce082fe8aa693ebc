"""The kinds of image that a text names, by their own words or by those of a field alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from retrieval.core.codes import Modality
from retrieval.wiring.concepts import every_language
from retrieval.wiring.searching import kind


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("annotation server for radiology", Modality.CT),
        ("deep learning for pathology in PyTorch", Modality.SM),
        ("archive for ophthalmology", Modality.OP),
        ("radiology archive for CT", Modality.CT),
        ("pathology of the spine", None),
        ("radiology and pathology integration", None),
        ("deep learning in PyTorch", None),
    ],
)
def test_a_field_that_is_named_alone_tells_its_kinds_of_image(text, named):
    """A server for whole slides stood unmarked where one for radiology was asked for."""
    kinds = kind(SimpleNamespace(annotator=every_language())).kinds(text)
    assert named in kinds if named else kinds == ()


def test_a_kind_of_image_counts_in_place_of_its_field():
    kinds = kind(SimpleNamespace(annotator=every_language())).kinds
    assert kinds("radiology archive for CT") == (Modality.CT,)
