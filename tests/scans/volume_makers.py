"""Volumes written byte by byte in the formats that nibabel does not write."""

import gzip
import struct

import numpy as np

from tests.scans.makers import smooth

DATA = smooth((6, 7, 8))
RAW = DATA.tobytes(order="F")


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
