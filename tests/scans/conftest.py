"""Where the real scans lie, and small scans most tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scans import makers


@pytest.fixture(scope="session")
def shared() -> Path:
    if not (makers.SHARED / "truth.csv").is_file():
        pytest.skip("the folder of real scans (../shared/scans) is not here")
    return makers.SHARED


@pytest.fixture
def ct(tmp_path: Path) -> Path:
    return makers.dicom(tmp_path / "scan.dcm")
