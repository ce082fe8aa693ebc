"""Files made to hurt a reader, and the processor time that reading them takes."""

import resource
import struct
import zlib

from retrieval.scans.front import read_scans
from tests.scans.makers import dicom

ITEM = struct.pack("<HHI", 0xFFFE, 0xE000, 0)


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(path, **options):
    """The upload and the CPU seconds its process took: wall clock says little on busy cores."""
    start = cpu_of_children()
    return read_scans([path], **options), cpu_of_children() - start


def with_elements(path, raw):
    """The made file with bytes put in front of its patient group."""
    data = dicom(path, "MR").read_bytes()
    at = data.index(struct.pack("<HH", 0x0010, 0x0020))
    path.write_bytes(data[:at] + raw + data[at:])
    return path


def sequence(body):
    end = struct.pack("<HHI", 0xFFFE, 0xE0DD, 0)
    return struct.pack("<HH2sHI", 8, 0x1140, b"SQ", 0, 0xFFFFFFFF) + body + end


def deflated_bomb(path, megabytes):
    plain = dicom(path, "MR").read_bytes()
    start = 132 + 12 + struct.unpack_from("<I", plain, 140)[0]
    meta = plain[:start].replace(b"1.2.840.10008.1.2.1\0", b"1.2.840.10008.1.2.1.99")
    meta = meta[:140] + struct.pack("<I", len(meta) - 144) + meta[144:]
    at = meta.index(b"1.2.840.10008.1.2.1.99")
    meta = meta[: at - 2] + struct.pack("<H", 22) + meta[at:]
    pixels = plain.index(struct.pack("<HH2s", 0x7FE0, 0x10, b"OW"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packer.compress(plain[start:pixels])
    body += packer.compress(struct.pack("<HH2sHI", 0x7FE0, 0x10, b"OW", 0, megabytes << 20))
    body += packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    # After a full flush a block stands alone, so that one can be repeated.
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    body += block * (megabytes - 1)
    path.write_bytes(meta + body)
    return path
