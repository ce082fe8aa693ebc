"""PDF files made here: honest ones and hostile ones."""

from __future__ import annotations

import zlib
from io import BytesIO

TILT = (
    "The gantry tilt is corrected by shearing the volume before it is resampled.",
    "Slices of a series are sorted by their position and not by their file name.",
    "The model was trained on chest scans of adult patients.",
)


def pdf(*pages, info=None, broken=None):
    """A PDF of these texts, one a page; the one numbered ``broken`` names a filter that is none."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    for text in pages:
        lines = [line for line in text.split("\n") if line]
        shown = " T* ".join(f"({line}) Tj" for line in lines)
        stream = f"BT /F1 12 Tf 14 TL 20 700 Td {shown} ET".encode()
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 << /Type "
            b"/Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>" % (len(objects) + 2)
        )
        filter = b"/Filter /NoSuchFilter" if broken == len(kids) else b""
        told = (len(stream), filter, stream)
        objects.append(b"<< /Length %d %s >>\nstream\n%s\nendstream" % told)
    named = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (named, len(kids))
    told = b" ".join(b"/%s (%s)" % (k.encode(), v.encode()) for k, v in (info or {}).items())
    objects.append(b"<< %s >>" % told)
    return assemble(objects, info=len(objects))


def assemble(objects, info=None):
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    more = b" /Info %d 0 R" % info if info else b""
    return out + b"trailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        more,
        start,
    )


def looped():
    """A page tree that is its own child."""
    return assemble(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>",
        ]
    )


def bomb(megabytes=3000):
    """A small page whose stream inflates to gigabytes."""
    packer = zlib.compressobj(9)
    block = b"(aaaaaaaaaaaaaaaa) Tj " * 50_000
    parts = [packer.compress(block) for _ in range(megabytes * 1_000_000 // len(block) // 50)]
    inner = b"".join(parts) + packer.flush()
    doubled = zlib.compress(inner, 9)
    return assemble(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>",
            b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream"
            % (len(doubled), doubled),
        ]
    )


def locked():
    """A PDF that asks for a password."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf(*TILT))))
    writer.encrypt("secret", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def nested():
    """Arrays inside arrays, very deep."""
    deep = b"[" * 50_000 + b"]" * 50_000
    return assemble([b"<< /Type /Catalog /Pages 2 0 R /X %s >>" % deep, b"<< /Type /Pages >>"])
