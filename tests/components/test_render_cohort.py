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
