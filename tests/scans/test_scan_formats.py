import gzip
import io
import json
import struct
import zipfile

import numpy as np
import pytest
from PIL import Image

from retrieval.scans import read_each, read_scans
from tests.scans.makers import dicom, smooth, tiff

DATA = smooth((6, 7, 8))
RAW = DATA.tobytes(order="F")
OME = (
    b'<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">'
    b'<Image><Pixels SizeX="8" SizeY="6" SizeZ="%d" SizeC="3" SizeT="%d" PhysicalSizeX="0.5" '
    b'PhysicalSizeY="0.5"><Channel AcquisitionMode="SpinningDiskConfocal"/></Pixels></Image></OME>'
)


def nrrd(path, encoding="raw", detached=False, **fields):
    given = {
        "type": "float",
        "dimension": 3,
        "sizes": "6 7 8",
        "encoding": encoding,
        "endian": "little",
    }
    given["space"] = "left-posterior-superior"
    given["space directions"] = "(0.5,0,0) (0,0.5,0) (0,0,2)"
    given |= fields | ({"data file": "elsewhere/secret.raw"} if detached else {})
    head = "NRRD0005\n" + "".join(f"{key}: {value}\n" for key, value in given.items()) + "\n"
    body = gzip.compress(RAW) if encoding == "gzip" else RAW
    path.write_bytes(head.encode() + (b"" if detached else body))
    if detached:
        path.with_suffix(".raw").write_bytes(RAW)
    return path


def metaimage(path, local=True):
    head = "ObjectType = Image\nNDims = 3\nDimSize = 6 7 8\nElementSpacing = 0.5 0.5 2\n"
    head += "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\nElementType = MET_FLOAT\n"
    head += f"ElementDataFile = {'LOCAL' if local else 'x.raw'}\n"
    path.write_bytes(head.encode() + (RAW if local else b""))
    if not local:
        path.with_suffix(".raw").write_bytes(RAW)
    return path


def mgh(path, shape=(6, 7, 8)):
    head = struct.pack(">7ih", 1, *shape, 1, 3, 0, 1)
    head += struct.pack(">15f", 1, 1, 2, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0)
    path.write_bytes(gzip.compress(head.ljust(284, b"\0") + np.zeros(shape, ">f4").tobytes()))
    return path


def ecat(path):
    main = bytearray(b"MATRIX72v".ljust(512, b"\0"))
    struct.pack_into(">h", main, 354, 3)
    listing = bytearray(512)
    struct.pack_into(">i", listing, 20, 3)
    sub = bytearray(512)
    struct.pack_into(">5h", sub, 0, 6, 3, 6, 7, 8)
    struct.pack_into(">f", sub, 26, 1.0)
    struct.pack_into(">3f", sub, 34, 0.2, 0.2, 0.3)
    path.write_bytes(bytes(main + listing + sub) + np.zeros((6, 7, 8), ">i2").tobytes() * 3)
    return path


def minc1(path):
    raw = b"CDF\x01" + struct.pack(">I", 0) + struct.pack(">II", 10, 3)
    for name, size in ((b"zspace", 8), (b"yspace", 7), (b"xspace", 6)):
        raw += struct.pack(">I", 6) + name + b"\0\0" + struct.pack(">I", size)
    path.write_bytes(raw + bytes(400))
    return path


def parrec(path):
    rows = ""
    for dynamic in (1, 2):
        for piece in (1, 2, 3):
            cells = [piece, 1, dynamic, 1, 0, 2, 0, 0, 16, 64, 64] + [0] * 11 + [3.0, 0.5]
            rows += " ".join(map(str, cells + [0] * 4 + [1.5, 1.5] + [0] * 10)) + "\n"
    text = "# === DATA DESCRIPTION FILE ======\n#\n"
    text += ".    Patient name                       :   DOE^JANE\n"
    text += ".    Max. number of slices/locations    :   3\n"
    path.write_text(text + rows)
    path.with_suffix(".REC").write_bytes(bytes(100))
    return path


def czi(path):
    sizes = "<SizeX>8</SizeX><SizeY>6</SizeY><SizeZ>5</SizeZ><SizeC>2</SizeC>"
    image = f"<Metadata><Information><Image>{sizes}</Image></Information></Metadata>"
    body = f"<ImageDocument>{image}</ImageDocument>".encode()
    head = bytearray(b"ZISRAWFILE".ljust(512, b"\0"))
    struct.pack_into("<q", head, 92, 512)
    segment = b"ZISRAWMETADATA".ljust(32, b"\0") + struct.pack("<i", len(body))
    path.write_bytes(bytes(head) + segment.ljust(288, b"\0") + body)
    return path


def lif(path):
    axes = "".join(
        f'<DimensionDescription DimID="{k}" NumberOfElements="{n}"/>'
        for k, n in ((1, 8), (2, 6), (3, 4))
    )
    image = f"<ImageDescription><Dimensions>{axes}</Dimensions></ImageDescription>"
    xml = f"<LMSDataContainerHeader>{image}</LMSDataContainerHeader>"
    raw = xml.encode("utf-16-le")
    path.write_bytes(struct.pack("<iiBI", 0x70, len(raw) + 5, 0x2A, len(xml)) + raw)
    return path


def store(path, axes="tczyx", shape=(1, 2, 5, 6, 8)):
    scales = {"multiscales": [{"axes": [{"name": a} for a in axes], "datasets": [{"path": "0"}]}]}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.zarr/.zgroup", "{}")
        archive.writestr("a.zarr/.zattrs", json.dumps(scales))
        archive.writestr("a.zarr/0/.zarray", json.dumps({"shape": shape}))
    return path


def mif(path):
    head = "mrtrix image\ndim: 6,7,8,3\nvox: 1,1,2,-\nlayout: +0,+1,+2,+3\n"
    head += "datatype: Float32LE\nfile: . 200\nEND\n"
    path.write_bytes(head.encode().ljust(200, b"\0") + RAW * 3)
    return path


def afni(path):
    def part(kind, name, values):
        said = " ".join(map(str, values))
        return f"\ntype = {kind}-attribute\nname = {name}\ncount = {len(values)}\n {said}\n"

    text = part("integer", "DATASET_RANK", [3, 4]) + part(
        "integer", "DATASET_DIMENSIONS", [6, 7, 8, 0, 0]
    )
    text += part("integer", "ORIENT_SPECIFIC", [0, 3, 4]) + part("float", "ORIGIN", [0.0, 0.0, 0.0])
    text += part("float", "DELTA", [2.0, 2.0, 3.0]) + part("integer", "BRICK_TYPES", [3, 3, 3, 3])
    text += part("integer", "TAXIS_NUMS", [4, 0, 77002])
    path.write_text(text)
    path.with_suffix(".BRIK").write_bytes(RAW * 4)
    return path


def picture(path, kind):
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(6, 8)).convert("RGB").save(path, kind)
    return path


def gifti(path, extra=""):
    path.write_text(
        '<?xml version="1.0"?><!DOCTYPE GIFTI SYSTEM "http://www.nitrc.org/gifti.dtd">'
        '<GIFTI Version="1.0"><DataArray Intent="NIFTI_INTENT_POINTSET" '
        f'Dim0="120" {extra}/></GIFTI>'
    )
    return path


def gz_dicom(path):
    path.write_bytes(gzip.compress(dicom(path.with_suffix(".x")).read_bytes()))
    path.with_suffix(".x").unlink()
    return path


def bytes_file(path, raw):
    path.write_bytes(raw)
    return path


CASES = {
    "nrrd": (lambda p: nrrd(p), "format:NRRD format:3D", (6, 7, 8)),
    "nrrd gzip": (lambda p: nrrd(p, "gzip"), "format:NRRD format:3D", (6, 7, 8)),
    "nrrd colour": (
        lambda p: nrrd(p, dimension=4, sizes="3 4 7 8", kinds="RGB-color domain domain domain"),
        "format:NRRD format:3D",
        (4, 7, 8),
    ),
    "nhdr": (
        lambda p: nrrd(p.with_suffix(".nhdr"), detached=True),
        "format:NRRD format:3D",
        (6, 7, 8),
    ),
    "mha": (metaimage, "format:MetaImage format:3D", (6, 7, 8)),
    "mhd": (
        lambda p: metaimage(p.with_suffix(".mhd"), local=False),
        "format:MetaImage format:3D",
        (6, 7, 8),
    ),
    "mgz": (mgh, "format:MGH format:3D", (6, 7, 8)),
    "mgz overlay": (lambda p: mgh(p, (9000, 1, 1)), "format:MGH", (9000,)),
    "ecat": (ecat, "format:ECAT format:PET format:4D", (6, 7, 8, 3)),
    "minc 1": (minc1, "format:MINC format:3D", (6, 7, 8)),
    "par/rec": (
        lambda p: parrec(p.with_suffix(".PAR")),
        "format:PAR-REC format:MRI format:4D",
        (64, 64, 3, 2),
    ),
    "mif": (mif, "format:MIF format:4D", (6, 7, 8, 3)),
    "afni": (lambda p: afni(p.with_suffix(".HEAD")), "format:AFNI format:4D", (6, 7, 8, 4)),
    "trk": (lambda p: bytes_file(p, b"TRACK\0".ljust(1000, b"\0")), "format:TRK", ()),
    "tck": (
        lambda p: bytes_file(p, b"mrtrix tracks\ncount: 4\nEND\n" + bytes(90)),
        "format:TCK",
        (),
    ),
    "gifti": (gifti, "format:GIFTI", (120,)),
    "tiff": (lambda p: tiff(p, 1), "format:TIFF format:2D", (6, 8)),
    "tiff stack": (lambda p: tiff(p, 5, order=">"), "format:TIFF format:3D", (6, 8, 5)),
    "bigtiff": (lambda p: tiff(p, 4, big=True), "format:TIFF format:3D", (6, 8, 4)),
    "imagej": (
        lambda p: tiff(p, 12, b"ImageJ=1.53\nimages=12\nchannels=3\nslices=4\n"),
        "format:TIFF format:3D",
        (6, 8, 4),
    ),
    "ome z": (
        lambda p: tiff(p, 1, OME % (4, 1)),
        "format:OME-TIFF format:confocal_microscopy format:3D",
        (6, 8, 4),
    ),
    "ome zt": (
        lambda p: tiff(p, 1, OME % (4, 5)),
        "format:OME-TIFF format:confocal_microscopy format:4D",
        (6, 8, 4, 5),
    ),
    "ome c": (
        lambda p: tiff(p, 3, OME % (1, 1)),
        "format:OME-TIFF format:confocal_microscopy format:2D",
        (6, 8),
    ),
    "svs": (
        lambda p: tiff(p, 1, b"Aperio Image Library v11"),
        "format:SVS format:SM format:2D",
        (6, 8),
    ),
    "png": (lambda p: picture(p, "PNG"), "format:PNG format:2D", (6, 8)),
    "jpeg": (lambda p: picture(p, "JPEG"), "format:JPEG format:2D", (6, 8)),
    "webp": (lambda p: picture(p, "WEBP"), "format:WebP format:2D", (6, 8)),
    "gif": (lambda p: picture(p, "GIF"), "format:GIF format:2D", (6, 8)),
    "czi": (czi, "format:CZI format:microscopy format:3D", (6, 8, 5)),
    "lif": (lif, "format:LIF format:microscopy format:3D", (6, 8, 4)),
    "nd2": (
        lambda p: bytes_file(p, b"\xda\xce\xbe\x0a" + bytes(200)),
        "format:ND2 format:microscopy",
        (),
    ),
    "hdf5": (lambda p: bytes_file(p, b"\x89HDF\r\n\x1a\n" + bytes(200)), "format:HDF5", ()),
    "ome-zarr": (store, "format:OME-Zarr format:3D", (6, 8, 5)),
    "dicom gz": (gz_dicom, "format:DICOM format:CT format:3D", (32, 32)),
}


@pytest.fixture(scope="module")
def uploads(tmp_path_factory):
    paths = []
    for name, (make, _, _) in CASES.items():
        folder = tmp_path_factory.mktemp(name.replace(" ", "_").replace("/", "_"))
        paths.append(make(folder / "upload.bin"))
    return dict(zip(CASES, read_each(paths, preview=True), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_w7_formats_are_known_by_content_under_a_name_that_says_nothing(uploads, case):
    _, tokens, shape = CASES[case]
    upload = uploads[case]
    assert upload.refused == ()
    assert " ".join(upload.tokens) == tokens
    assert upload.scans[0].shape == shape


def test_w7_a_text_file_under_a_dicom_name_is_refused(tmp_path):
    path = bytes_file(tmp_path / "bad.dcm", b"not a scan at all " * 90)
    upload = read_scans([path])
    assert (upload.tokens, upload.refused[0].reason) == (
        (),
        "The content is none of the scan formats that can be read here.",
    )


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


def test_a_bad_picture_is_still_a_picture_with_a_reason_for_no_preview(tmp_path):
    out = io.BytesIO()
    Image.new("L", (40, 30)).save(out, "PNG")
    upload = read_scans([bytes_file(tmp_path / "a.png", out.getvalue()[:40])])
    assert upload.tokens == ("format:PNG", "format:2D")
    assert upload.previews[0].reason
