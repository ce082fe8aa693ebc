import io
import struct
import zipfile

import pytest
from PIL import Image

from retrieval.scans.front import read_each, read_scans
from tests.scans.format_cases import CASES
from tests.scans.image_makers import bytes_file, gifti, store
from tests.scans.makers import dicom
from tests.scans.volume_makers import metaimage, nrrd

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def uploads(tmp_path_factory):
    paths = []
    for name, (make, _, _) in CASES.items():
        folder = tmp_path_factory.mktemp(name.replace(" ", "_").replace("/", "_"))
        paths.append(make(folder / "upload.bin"))
    return dict(zip(CASES, read_each(paths, preview=True), strict=True))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.requirement("W7")
def test_formats_are_known_by_content_under_a_name_that_says_nothing(uploads, case):
    _, tokens, shape = CASES[case]
    upload = uploads[case]
    assert upload.refused == ()
    assert " ".join(upload.tokens) == tokens
    assert upload.scans[0].shape == shape


@pytest.mark.requirement("W7")
def test_a_text_file_under_a_dicom_name_is_refused(tmp_path):
    path = bytes_file(tmp_path / "bad.dcm", b"not a scan at all " * 90)
    upload = read_scans([path])
    assert upload.tokens == ()
    assert "none of the scan formats that can be read here" in upload.refused[0].reason


def test_dicom_without_preamble_or_ending_is_read(tmp_path):
    raw = dicom(tmp_path / "a.dcm").read_bytes()
    upload = read_scans([bytes_file(tmp_path / "IM0001", raw[132:])])
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")


def test_a_zarr_folder_is_one_scan_and_not_its_chunks(tmp_path):
    with zipfile.ZipFile(store(tmp_path / "z.zip")) as archive:
        archive.extractall(tmp_path / "out")
    upload = read_scans([tmp_path / "out" / "a.zarr"])
    assert (len(upload.scans), upload.tokens) == (1, ("format:OME-Zarr", "format:3D"))


def test_a_detached_header_never_follows_the_name_it_holds(tmp_path):
    path = nrrd(tmp_path / "v.nhdr", detached=True)
    path.with_suffix(".raw").unlink()
    scan = read_scans([path]).scans[0]
    assert "data-missing" in scan.notes


def test_gifti_with_an_outside_file_or_entities_reads_nothing_else(tmp_path):
    (tmp_path / "secret.txt").write_text("canary")
    path = gifti(tmp_path / "a.gii", f'ExternalFileName="{tmp_path}/secret.txt"')
    assert "canary" not in repr(read_scans([path]))
    entities = '<!DOCTYPE G [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>'
    bomb = f'<?xml version="1.0"?>{entities}<GIFTI>&b;<DataArray/></GIFTI>'
    (tmp_path / "b.gii").write_text(bomb)
    assert read_scans([tmp_path / "b.gii"]).scans == ()


def test_spacing_and_axes_of_nrrd_and_metaimage_are_in_stored_order(tmp_path):
    found = [read_scans([make(tmp_path / "a")]).scans[0].spacing for make in (nrrd, metaimage)]
    assert found == [(0.5, 0.5, 2.0)] * 2


def test_a_header_with_windows_line_ends_stops_before_voxels_that_look_like_empty_lines(tmp_path):
    raw = nrrd(tmp_path / "a.nrrd").read_bytes()
    end = raw.index(b"\n\n") + 2
    voxels = struct.pack("<f", 0.1) + b"\n" * 8 + raw[end + 12 :]
    paths = [tmp_path / "unix.nrrd", tmp_path / "windows.nrrd"]
    paths[0].write_bytes(raw[:end] + voxels)
    paths[1].write_bytes(raw[:end].replace(b"\n", b"\r\n") + voxels)
    unix, windows = read_each(paths, preview=True)
    assert unix.scans[0] == windows.scans[0]
    assert unix.previews[0] == windows.previews[0]


@pytest.mark.parametrize("skip", [0, 300, -1])
@pytest.mark.parametrize("name", ["a.nhdr", "a.mhd"])
def test_bytes_before_the_voxels_are_skipped_as_the_header_says(tmp_path, name, skip):
    paths = [tmp_path / "plain" / name, tmp_path / "skipped" / name]
    for path, stated in zip(paths, (0, skip), strict=True):
        path.parent.mkdir()
        if name == "a.nhdr":
            nrrd(path, detached=True, **{"byte skip": stated})
        else:
            head = metaimage(path, local=False).read_text()
            path.write_text(head.replace("NDims", f"HeaderSize = {stated}\nNDims"))
        raw = path.with_suffix(".raw")
        raw.write_bytes(bytes(300 if stated else 0) + raw.read_bytes())
    plain, skipped = read_each(paths, preview=True)
    assert plain.previews[0].views
    assert (plain.scans, plain.previews) == (skipped.scans, skipped.previews)


def test_a_bad_picture_is_still_a_picture_with_a_reason_for_no_preview(tmp_path):
    out = io.BytesIO()
    Image.new("L", (40, 30)).save(out, "PNG")
    upload = read_scans([bytes_file(tmp_path / "a.png", out.getvalue()[:40])])
    assert upload.tokens == ("format:PNG", "format:2D")
    assert upload.previews[0].reason
