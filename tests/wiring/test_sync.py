"""Sync brings the index in step and never makes it worse (S0-08, S1-20 to S1-22, W8)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.dense.folder import IndexFolder
from retrieval.graphdb.schema import load_schema
from retrieval.settings import Settings
from retrieval.wiring.index.indexes import HYBRID, find_index
from retrieval.wiring.index.sync import sync
from tests.fakes import HashingEncoder

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
FILES = ["index.faiss", "meta.json", "terms.json", "terms.npy", "CURRENT"]
ROWS = [
    {"id": f"t{n}", "name": f"Tool {n}", "description": f"does {word} work", "domain": word}
    for n, word in enumerate(["lung", "brain", "cell", "heart"])
]


@pytest.fixture
def settings(tmp_path):
    return Settings(
        _env_file=None,
        catalog=tmp_path / "catalog.jsonl",
        index_dir=tmp_path / "index",
        cache_dir=tmp_path / "cache",
    )


@pytest.fixture
def encoder():
    return HashingEncoder()


@pytest.fixture
def bring(settings, encoder):
    """Write these rows as the catalog, sync, and give the counts and what was embedded."""

    def brought(rows, using=encoder):
        settings.catalog.write_text("\n".join(map(json.dumps, rows)))
        using.texts.clear()
        told = sync(settings, using)
        return told, list(using.texts)

    return brought


def counts(told):
    return tuple(told[k] for k in ("read", "kept", "added", "updated", "removed"))


def folder(settings):
    return IndexFolder(settings.index_dir)


def files_of(root):
    return {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()}


def answer(settings, encoder, text="brain work"):
    stored = folder(settings).load()
    return stored.store.search(encoder.encode([text])[0], 10)


@pytest.mark.requirement("S1-20")
def test_the_first_sync_embeds_everything_and_says_so(bring, settings):
    told, embedded = bring(ROWS)
    assert counts(told) == (4, 0, 4, 0, 0)
    assert (told["refused"], told["notes"], told["rebuilt"]) == ([], [], None)
    assert "Tool 0: does lung work (domain: lung)" in embedded
    assert folder(settings).load().meta.ids == ("t0", "t1", "t2", "t3")


def test_a_sync_writes_the_schema_of_the_graph_beside_the_index(bring, settings):
    bring([{**ROWS[0], "formats_in": ["DICOM"]}])
    path = settings.index_dir / "graph" / "schema_info.yaml"
    assert "ToolAcceptsFormat" in load_schema(path).relationships
    bring(ROWS[1:])
    schema = load_schema(path)
    assert "Tool" in schema.entities
    assert "ToolAcceptsFormat" not in schema.relationships


@pytest.mark.requirement("S0-08")
def test_an_unchanged_catalog_embeds_and_writes_nothing(bring, settings):
    bring(ROWS)
    before = {p: p.stat().st_mtime_ns for p in settings.index_dir.rglob("*") if p.is_file()}
    told, embedded = bring(list(reversed(ROWS)))
    assert counts(told) == (4, 4, 0, 0, 0)
    assert embedded == []
    assert before == {p: p.stat().st_mtime_ns for p in before}


@pytest.mark.requirement("S1-21")
def test_only_what_is_new_is_embedded(bring, settings):
    bring(ROWS)
    added = {"id": "t9", "name": "Tool 9", "description": "does bone work"}
    changed = {**ROWS[1], "description": "does retina work"}
    told, embedded = bring([ROWS[0], changed, ROWS[2], added])
    assert counts(told) == (4, 2, 1, 1, 1)
    assert {t for t in embedded if t.startswith("Tool") and "domain:" in t} == {
        "Tool 1: does retina work (domain: brain)",
        "Tool 9: does bone work (domain: )",
    }
    assert folder(settings).load().meta.ids == ("t0", "t1", "t2", "t9")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("demo_url", "https://demo.example"), ("url", "https://x.example"), ("gpu", "none")),
        *(("license", "MIT"), ("formats_in", ["DICOM"]), ("requirements", {"units": "HU"})),
        *(("sources", [{"url": "https://x.example", "facts": ["url"]}]), ("suite", "S")),
        *(
            ("checked_on", "2026-01-01"),
            ("keywords", ["k"]),
            ("asked_as", ["q"]),
            ("co_used_with", ["t1"]),
        ),
    ],
)
@pytest.mark.requirement("W8")
def test_a_change_of_any_field_is_seen(bring, settings, field, value):
    bring(ROWS)
    live = folder(settings).live()
    told, embedded = bring([{**ROWS[0], field: value}, *ROWS[1:]])
    assert counts(told) == (4, 3, 0, 1, 0)
    assert not [t for t in embedded if t.startswith("Tool 0: ")]
    assert folder(settings).live() != live


@pytest.mark.requirement("S1-22")
def test_another_model_means_another_index(bring, settings):
    bring(ROWS)
    other = HashingEncoder(dim=32, id="other")
    told, embedded = bring(ROWS, other)
    assert counts(told) == (4, 4, 0, 0, 0)
    assert len([t for t in embedded if "(domain:" in t]) == 4
    assert folder(settings).load().meta.model == "other"


def test_an_encoder_that_does_not_know_its_width_yet_gives_an_index_that_loads(bring, settings):
    class Unsure(HashingEncoder):
        def encode(self, texts, batch_size=32):
            self.dim, known = 64, self.dim
            rows = super().encode(texts, batch_size)
            self.dim = known
            return rows

    unsure = Unsure(dim=0)
    bring(ROWS, unsure)
    assert folder(settings).load().meta.dim == 64
    _, embedded = bring(ROWS[:3], unsure)
    assert not [t for t in embedded if "(domain:" in t]


def test_vectors_that_are_no_numbers_never_become_an_index(bring, settings):
    class Broken(HashingEncoder):
        def encode(self, texts, batch_size=32):
            return super().encode(texts, batch_size) * float("nan")

    bring(ROWS)
    before = folder(settings).live()
    with pytest.raises(StageUnavailable, match="no numbers"):
        bring(ROWS[:2], Broken(id="broken"))
    assert folder(settings).live() == before


def test_bad_lines_are_told_with_their_number_and_the_rest_is_synced(bring, settings, encoder):
    bring(ROWS)
    settings.catalog.write_text(json.dumps(ROWS[0]) + "\n{half\n" + json.dumps(ROWS[1]))
    told = sync(settings, encoder)
    assert told["refused"] == [{"line": 2, "reason": "not a JSON object", "id": "", "record": 0}]
    assert counts(told) == (2, 2, 0, 0, 2)


def test_spellings_left_out_are_told_as_notes(bring):
    told, _ = bring([{**ROWS[0], "modalities": ["qq"]}])
    assert told["notes"] == [
        {"line": 1, "id": "t0", "text": "modalities: 'qq' is no known modality and is left out"}
    ]


def test_a_catalog_that_is_gone_leaves_the_index(bring, settings, encoder):
    bring(ROWS)
    before = files_of(settings.index_dir)
    settings.catalog.unlink()
    with pytest.raises(BadInput, match="could not be read"):
        sync(settings, encoder)
    assert files_of(settings.index_dir) == before


HARM = {
    "emptied": lambda data: b"",
    "cut to ten bytes": lambda data: data[:10],
    "cut in half": lambda data: data[: len(data) // 2],
    "cut by one byte": lambda data: data[:-1],
    "with junk behind it": lambda data: data + b"junk",
    "random": lambda data: bytes((7 * n) % 256 for n in range(len(data))),
    "one bit flipped at the start": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "one bit flipped in the middle": lambda data: (
        data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 4]) + data[len(data) // 2 + 1 :]
    ),
    "one bit flipped at the end": lambda data: data[:-1] + bytes([data[-1] ^ 128]),
    "gone": None,
    "a device": "/dev/zero",
}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("harm", HARM)
def test_a_damaged_file_is_explained_and_rebuilt(bring, settings, encoder, file, harm):
    bring(ROWS)
    good = answer(settings, encoder)
    root = settings.index_dir
    path = root / file if file == "CURRENT" else root / folder(settings).live() / file
    data, change = path.read_bytes(), HARM[harm]
    path.unlink()
    if callable(change):
        path.write_bytes(change(data))
    elif change:
        path.symlink_to(change)
    with pytest.raises(StageUnavailable, match="run: python -m retrieval sync"):
        folder(settings).load()
    assert find_index(settings, load_catalog(settings.catalog), encoder, HYBRID).fitting is None
    told, embedded = bring(ROWS)
    assert counts(told) == (4, 0, 4, 0, 0)
    assert len([t for t in embedded if "(domain:" in t]) == 4
    assert (file, harm) == ("CURRENT", "gone") or file in told["rebuilt"]
    assert answer(settings, encoder) == good


def test_what_killed_syncs_left_is_gone_after_the_next_one(bring, settings):
    bring(ROWS)
    for name in (".new-dead", "plaza/.new-dead"):
        (settings.index_dir / name).mkdir()
        (settings.index_dir / name / "index.faiss").write_bytes(b"half")
    (settings.index_dir / ".CURRENT-4242").write_text("0123456789abcdef")
    for old in ("00000000000000aa", "00000000000000bb"):
        (settings.index_dir / old).mkdir()
    told, _ = bring(ROWS)
    assert counts(told) == (4, 4, 0, 0, 0)
    assert {p.name for p in settings.index_dir.rglob(".*")} == {".lock"}
    others = {"plaza", "graph"}
    states = [p for p in settings.index_dir.iterdir() if p.is_dir() and p.name not in others]
    assert len(states) <= 2
