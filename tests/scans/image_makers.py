"""Microscopy files, pictures, stores and surfaces written byte by byte."""

import gzip
import json
import struct
import zipfile

import numpy as np
from PIL import Image

from tests.scans.makers import dicom

OME = (
    b'<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">'
    b'<Image><Pixels SizeX="8" SizeY="6" SizeZ="%d" SizeC="3" SizeT="%d" PhysicalSizeX="0.5" '
    b'PhysicalSizeY="0.5"><Channel AcquisitionMode="SpinningDiskConfocal"/></Pixels></Image></OME>'
)


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
