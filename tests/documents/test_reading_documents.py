"""PDF and text files to pages, and pages to passages."""

from __future__ import annotations

import os
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.compat.biochatter.vectorstore import DocumentReader
from retrieval.compat.langchain.text_splitter import RecursiveCharacterTextSplitter
from retrieval.core.errors import BadInput
from retrieval.documents.passages import split_text
from retrieval.documents.reader import BAD_BYTES, BROKEN_PAGE, CUT, ReadingLimits, read_document
from tests.documents.papers import TILT, bomb, locked, looped, nested, pdf

pytest.importorskip("pypdf", reason="pypdf is not installed: pip install -e '.[documents]'")


@pytest.fixture
def kept(tmp_path):
    def keep(data, name="paper.pdf"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return keep


@pytest.mark.requirement("S2-26")
def test_a_pdf_is_read_page_by_page_with_what_it_says_of_itself(kept):
    path = kept(pdf(*TILT, info={"Title": "Tilt", "Author": "A. Person"}))
    docs = DocumentReader().load_document(path)
    assert [doc.page_content.strip() for doc in docs] == list(TILT)
    assert [doc.metadata["page"] for doc in docs] == [1, 2, 3]
    assert (docs[0].metadata["title"], docs[0].metadata["author"]) == ("Tilt", "A. Person")
    assert docs[0].metadata["source"] == "paper.pdf"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain", "plain"),
        ("Größe 肺".encode(), "Größe 肺"),
        (b"\xef\xbb\xbfmarked", "marked"),
        ("Größe".encode("utf-16"), "Größe"),
        (b"caf\xe9", "café"),
        (b"the \x93lung\x94 \x96 5 \x80", "the \u201clung\u201d \u2013 5 \u20ac"),
        (
            b"The first bytes are %PDF-1.7, then objects.",
            "The first bytes are %PDF-1.7, then objects.",
        ),
        ("Ein \u201e%PDF-\u201c-Kopf".encode(), "Ein \u201e%PDF-\u201c-Kopf"),
    ],
)
@pytest.mark.requirement("S2-26")
def test_a_text_is_read_in_its_encoding(kept, data, text):
    (page,) = read_document(kept(data, "notes.txt")).pages
    assert page.text == text


def test_a_few_wrong_bytes_do_not_change_the_encoding_of_a_text(kept):
    read = read_document(kept("Größe \xffber naïve\n".encode() + b"\xff", "notes.txt"))
    assert read.pages[0].text == "Größe \xffber naïve\n\N{REPLACEMENT CHARACTER}"
    assert read.notes == (BAD_BYTES,)


@pytest.mark.parametrize(
    "junk", [b"", b"\n ", b"\xef\xbb\xbf", b"\0\1junk", b"HTTP/1.1 200 OK\n\n"]
)
@pytest.mark.requirement("S2-26")
def test_a_pdf_is_told_by_its_content_and_not_by_its_name(kept, junk):
    assert read_document(kept(junk + pdf(*TILT), "paper.txt")).facts["format"] == "PDF"


@pytest.mark.requirement("S2-26")
def test_texts_are_cut_at_the_named_separators():
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=12, chunk_overlap=0, separators=[" ", ",", "\n"]
    )
    assert splitter.split_text("aaa bbb ccc ddd,eeeeeeeeee") == [
        "aaa bbb ccc",
        "ddd,",
        "eeeeeeeeee",
    ]


@pytest.mark.requirement("S2-26")
def test_pieces_overlap_as_much_as_was_asked():
    pieces = split_text("one two three four five six", 14, 6, [" "])
    assert all(len(piece) <= 14 for piece in pieces)
    assert pieces[0] == "one two three"
    assert pieces[1].startswith("three")


@given(
    text=st.text(alphabet="ab ,.\n肺", max_size=300),
    size=st.integers(5, 40),
    overlap=st.integers(0, 4),
)
def test_no_piece_is_too_long_and_no_word_is_lost(text, size, overlap):
    for separators in (None, [" ", ",", "\n"]):
        pieces = split_text(text, size, overlap, separators)
        assert all(0 < len(piece) <= size for piece in pieces)
        letters = [c for c in text if not c.isspace()]
        told = [c for piece in pieces for c in piece if not c.isspace()]
        assert told == letters if overlap == 0 else len(told) >= len(letters)


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 10), (5, -1)])
def test_sizes_that_make_no_sense_are_refused(size, overlap):
    with pytest.raises(BadInput, match="size"):
        split_text("text", size, overlap)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (locked, "password"),
        (looped, "no text|damaged|limits"),
        (nested, "no text|damaged|limits"),
        (lambda: pdf(""), "no text"),
        (lambda: pdf(*TILT)[:200], "no text|damaged"),
        (lambda: b"%PDF-1.7\n" + os.urandom(5000), "no text|damaged"),
        (lambda: b"PK\x03\x04\0\0\0" + os.urandom(200), "neither a PDF nor a text"),
        (lambda: b"", "no text"),
        (lambda: b" \n\n ", "no text"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_reason(kept, data, told):
    with pytest.raises(BadInput, match=told):
        read_document(kept(data()))


def test_a_bomb_is_bounded_in_memory_and_time(kept):
    start = monotonic()
    with pytest.raises(BadInput, match=r"limits|damaged|no text"):
        read_document(kept(bomb()), ReadingLimits(seconds=15, memory_mb=400))
    assert monotonic() - start < 60


def test_a_reader_that_hangs_is_ended(kept, tmp_path):
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    start = monotonic()
    with pytest.raises(BadInput, match="limits"):
        read_document(pipe, ReadingLimits(seconds=1))
    assert monotonic() - start < 30


def test_a_long_text_is_read_to_its_limit_and_says_so(kept):
    read = read_document(kept(b"word " * 1000, "long.txt"), ReadingLimits(characters=100))
    assert len(read.pages[0].text) == 100
    assert read.notes == (CUT,)


def test_pages_beyond_the_limit_are_left_out_and_it_is_told(kept):
    read = read_document(kept(pdf(*TILT)), ReadingLimits(pages=2))
    assert len(read.pages) == 2
    assert read.notes == (CUT,)


def test_a_broken_page_is_left_out_and_it_is_told(kept):
    read = read_document(kept(pdf(*TILT, broken=2)))
    assert [page.text.strip() for page in read.pages] == [TILT[0], "", TILT[2]]
    assert read.notes == (BROKEN_PAGE,)


def test_a_missing_or_huge_file_is_refused_without_its_path(tmp_path):
    with pytest.raises(BadInput, match="cannot be read") as caught:
        read_document(tmp_path / "nothing.pdf")
    assert str(tmp_path) not in str(caught.value)
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as handle:
        handle.truncate(2_000_000)
    with pytest.raises(BadInput, match="larger than 1 MB"):
        read_document(huge, ReadingLimits(megabytes=1))


def test_the_file_is_left_as_it_is(kept):
    path = kept(pdf(*TILT))
    before = path.read_bytes(), path.stat().st_mtime_ns
    read_document(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
