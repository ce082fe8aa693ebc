import re

import nibabel
import numpy as np
import pydicom

from retrieval.scans.front import read_scans
from tests.scans.makers import dicom, nifti, smooth

PLANTED = {
    "PatientName": "CANARY^NAME",
    "PatientID": "CANARYID7",
    "PatientBirthDate": "19710203",
    "StudyDate": "20190817",
    "InstitutionName": "CANARY HOSPITAL",
    "ReferringPhysicianName": "CANARY^REF",
    "OperatorsName": "CANARY^OP",
    "AccessionNumber": "CANARYACC",
    "StudyDescription": "CANARY STUDY",
    "SeriesDescription": "CANARY SERIES T1",
    "ProtocolName": "CANARY PROTOCOL",
    "PatientComments": "CANARY COMMENT",
    "StationName": "CANARYSTATION",
    "DeviceSerialNumber": "CANARYSERIAL",
    "OtherPatientIDs": "CANARYOTHER",
    "ImageComments": "CANARY IMAGE",
    "BodyPartExamined": "CANARYPART",
}


def planted(tmp_path):
    path = dicom(tmp_path / "CANARY_FILE_1971.dcm", "MR", **PLANTED)
    found = pydicom.dcmread(path)
    block = found.private_block(0x0009, "CANARY CREATOR", create=True)
    block.add_new(1, "LO", "CANARY PRIVATE")
    found.preamble = b"CANARY PREAMBLE".ljust(128, b"\0")
    found.save_as(path)
    image = nibabel.Nifti1Image(smooth((6, 7, 8)), np.eye(4))
    image.header["descrip"], image.header["db_name"] = b"CANARY DESCRIP", b"CANARY DB"
    image.header["aux_file"], image.header["intent_name"] = b"CANARY AUX", b"CANARY INTENT"
    nibabel.save(image, tmp_path / "CANARY_volume.nii.gz")
    return [path, tmp_path / "CANARY_volume.nii.gz", tmp_path / "CANARY_missing.dcm"]


def test_no_planted_identifier_leaves_the_reader(tmp_path, caplog, capfd):
    caplog.set_level("DEBUG")
    upload = read_scans(planted(tmp_path))
    said = repr(upload) + caplog.text + "".join(capfd.readouterr())
    assert not re.search(r"canary|1971|20190817", said, re.IGNORECASE)
    assert len(upload.scans) == 2


def test_the_ledger_counts_what_was_there_and_dropped_by_closed_names(tmp_path):
    ledger = read_scans(planted(tmp_path)).ledger
    names = {"PatientName", "PatientID", "InstitutionName", "private group", "NIfTI free text"}
    assert names <= set(ledger.dropped_names)
    assert ledger.dropped >= len(PLANTED)
    assert "DICOM Modality" in ledger.read
    # Read for the closed words in it, its text dropped: named once.
    assert "DICOM SeriesDescription" in ledger.read
    assert not {name.removeprefix("DICOM ") for name in ledger.read} & set(ledger.dropped_names)
    assert ledger.tokens == ("format:DICOM", "format:MRI", "format:3D", "format:NIfTI")


def test_the_ledger_names_the_closed_words_of_a_name_and_the_fields_of_a_sidecar(tmp_path):
    path = nifti(tmp_path / "sub-07_CANARY_T1w_brain_mask.nii", smooth((6, 7, 8)))
    path.with_suffix(".json").write_text('{"Modality": "MR", "PatientName": "CANARY"}')
    ledger = read_scans([path]).ledger
    assert ledger.name_words == ("brain", "mask", "sub-", "t1w")
    assert "JSON Modality" in ledger.read
    assert not any("PatientName" in name for name in ledger.read)
    assert read_scans([planted(tmp_path)[1]]).ledger.name_words == ()


def test_closed_words_of_a_description_become_a_code_and_nothing_else(tmp_path):
    scan = read_scans(planted(tmp_path), preview=False).scans[0]
    assert (scan.sequence, scan.body_part) == ("T1", None)


def test_the_reader_process_sees_nothing_of_the_parentsenvironment(monkeypatch):
    from retrieval.scans.spare import environment

    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    assert "canary" not in repr(environment())
