"""A cohort as HTML: what is not shown is counted."""

from __future__ import annotations

from components.render.questions.cohort import MOST_ROWS, cohort_panel
from retrieval import cohort_of
from retrieval.core.codes import Format, Modality
from retrieval.core.types import ScanInfo
from retrieval.scans.upload import Finding, Refusal, Upload
from tests.fakes import small_engine

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT)


def test_thousands_of_findings_and_refusals_stay_a_page_of_rows_and_their_number_is_named():
    finding = Finding(scan=0, code="odd", severity="warning", text="odd")
    refusal = Refusal(index=1, member=1, reason="no image")
    many = Upload(scans=(CT,), findings=(finding,) * 4_000, refused=(refusal,) * 500)
    html = cohort_panel(cohort_of(small_engine(), "segment organs", [many]))
    assert html.count("<tr><td>") == 2 * MOST_ROWS
    assert "3,800 more are in the JSON export." in html
    assert "300 more are in the JSON export." in html
    assert "4,000 problems and warnings" in html


def test_notes_are_not_denied_where_no_problem_is_listed():
    note = Finding(scan=0, code="thick", severity="info", text="thick")
    html = cohort_panel(
        cohort_of(small_engine(), "segment", [Upload(scans=(CT,), findings=(note,))])
    )
    assert "1 kind of series, no problem or warning" in html
    assert "Notes are listed in a search with the scan." in html
    assert "no finding" not in html


def test_files_that_could_not_be_read_are_counted_beside_the_findings_and_named_by_their_zip():
    refused = (
        Refusal(index=1, member=5, reason="no image"),
        Refusal(index=3, member=None, reason="cut short"),
    )
    subjects = [Upload(scans=(CT,)), Upload(refused=refused)]
    html = cohort_panel(cohort_of(small_engine(), "segment", subjects))
    assert "no problem or warning, 2 files not read" in html
    assert "The headers that could be read gave no problem or warning." in html
    assert "<th scope='col'>File of the upload</th>" in html
    assert "<td>2</td><td>5 in zip 1</td><td>no image</td>" in html
    assert "<td>2</td><td>3</td><td>cut short</td>" in html
    whole = cohort_panel(cohort_of(small_engine(), "segment", subjects[:1]))
    assert "not read" not in whole.lower()
