"""Facts of files that were typed with the task (5.3, S1-04)."""

from __future__ import annotations

import pytest

from retrieval.query.parse import written_tokens


def test_5_3_a_line_of_original_formats_is_taken_out_of_the_query():
    text, tokens = written_tokens("segment lungs\nOriginalFormats: DCM NII.GZ\nwith contrast")
    assert " ".join(text.split()) == "segment lungs with contrast"
    assert tokens == ("format:DICOM", "format:NIfTI")


def test_5_3_a_query_with_formats_gives_their_tokens():
    text, tokens = written_tokens("segment lungs format:dcm format:nii.gz format:DICOM")
    assert (text.strip(), tokens) == ("segment lungs", ("format:DICOM", "format:NIfTI"))


@pytest.mark.requirement("S1-04")
def test_typed_tokens_of_modality_and_dimension_are_tokens():
    text, tokens = written_tokens("format:CT segment lungs format:3D, format:whole_slide_unknown")
    assert tokens == ("format:CT", "format:3D")
    assert "format:whole_slide_unknown" in text


@pytest.mark.parametrize(
    "text",
    [
        "convert between file formats",
        "OriginalFormats: nothing known",
        "reformat:CT scans",
        "OriginalFormats:",
        "what format: DICOM or NIfTI?",
        "",
    ],
)
def test_text_that_names_no_known_fact_stays_as_it_is(text):
    assert written_tokens(text) == (text, ())


def test_long_text_takes_linear_time():
    text, tokens = written_tokens("format:" * 30_000 + "\n" * 10_000 + "OriginalFormats:" * 5_000)
    assert tokens == ()
    assert len(text) > 200_000
