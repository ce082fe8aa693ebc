"""One file of every format that is read, the tokens it gives and its shape."""

from tests.scans.image_makers import OME, bytes_file, czi, gifti, gz_dicom, lif, picture, store
from tests.scans.makers import tiff
from tests.scans.volume_makers import afni, ecat, metaimage, mgh, mif, minc1, nrrd, parrec

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
    "ome t": (
        lambda p: tiff(p, 1, OME % (1, 5)),
        "format:OME-TIFF format:confocal_microscopy format:2D",
        (6, 8, 1, 5),
    ),
    "imagej frames": (
        lambda p: tiff(p, 5, b"ImageJ=1.53\nimages=5\nframes=5\n"),
        "format:TIFF format:2D",
        (6, 8, 1, 5),
    ),
    "ome-zarr t": (
        lambda p: store(p, shape=(4, 2, 1, 6, 8)),
        "format:OME-Zarr format:2D",
        (6, 8, 1, 4),
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
