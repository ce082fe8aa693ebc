"""Whatever file of the caches is damaged, an engine gets ready with the answers it gave before."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired
from types import SimpleNamespace

import pytest

from retrieval import Settings, open_engine
from retrieval.core.errors import StageUnavailable
from retrieval.engine.answer import Answer
from retrieval.storage.cache_folder import CacheFolder
from retrieval.wiring.index.sync import sync
from tests.damage import WAYS
from tests.fakes import parts_of

pytestmark = pytest.mark.model
QUERY = "segment lungs"
LATE = "fused/late interaction"
TOOLS = 12

Answers = list[tuple[str, float]]


class ShippedBeside(Settings):
    """Settings of a project whose shipped vectors lie beside the user's index."""

    @property
    def shipped_index(self) -> Path:
        return self.index_dir.parent / "shipped"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, model_settings: Settings) -> Settings:
    """A small catalog whose every cached file is there."""
    root = tmp_path_factory.mktemp("sound")
    lines = model_settings.catalog.read_text("utf-8").splitlines()[:TOOLS]
    (root / "tools.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    settings = Settings(
        _env_file=None,
        catalog=root / "tools.jsonl",
        index_dir=root / "index",
        cache_dir=root / "cache",
    )
    sync(settings)
    return settings


@pytest.fixture(scope="module")
def expected(sound: Settings) -> Answers:
    """What the sound files answer."""
    told = answers(sound)
    assert told
    return told


@pytest.fixture
def copied(sound: Settings, expected: Answers, tmp_path: Path) -> Settings:
    """The same, with the files that answering makes, in folders of the test's own."""
    shutil.copytree(sound.index_dir, tmp_path / "index")
    shutil.copytree(sound.cache_dir, tmp_path / "cache")
    return sound.model_copy(
        update={"index_dir": tmp_path / "index", "cache_dir": tmp_path / "cache"}
    )


def answers(settings: Settings) -> Answers:
    engine = open_engine(settings)
    answer = engine.run(QUERY)
    parts = parts_of(answer.result)
    assert {parts[name].status for name in ("fused/dense", "graph", LATE)} == {"ok"}
    return [(one.tool.id, pytest.approx(one.score, abs=1e-3)) for one in answer.candidates]


def quick_files(settings: Settings) -> Iterator[Path]:
    """Every cached file but the encoder's own."""
    for root in (settings.index_dir, settings.cache_dir / "tokens"):
        files = (p for p in sorted(root.rglob("*")) if p.is_file())
        yield from (p for p in files if p.suffix != ".yaml" and p.name != ".lock")


@pytest.mark.parametrize("way", WAYS)
def test_with_all_vectors_and_the_graph_damaged_it_answers_as_before(
    expected: Answers, copied: Settings, way: str
) -> None:
    for path in quick_files(copied):
        WAYS[way](path)
    for left in (copied.cache_dir / "tokens", copied.index_dir):
        (left / ".new-dead").mkdir()
    assert answers(copied) == expected
    assert not list(copied.cache_dir.rglob(".new-*"))
    assert not list(copied.index_dir.rglob(".new-*"))


@pytest.mark.parametrize("way", ["middle", "missing"])
def test_each_damaged_file_alone_is_made_again(
    expected: Answers, copied: Settings, way: str
) -> None:
    for path in list(quick_files(copied)):
        if path.exists():  # else its state was made anew under another name before
            WAYS[way](path)
            assert answers(copied) == expected, path
    [tokens] = (copied.cache_dir / "tokens").glob("[!.]*")
    assert CacheFolder(tokens.parent, tokens.name).damage() == ""


def no_graph() -> None:
    raise StageUnavailable("the shipped graph is not there")


def answers_after_another_export(
    copied: Settings, folder: Path, reason: str, seen: threading.Event
) -> Answers:
    """What an engine answers once it exported its encoder again; the reason is told meanwhile."""
    engine = open_engine(copied, background=True)
    notes = {dense(engine.run(QUERY))}
    waiting = threading.Event()
    while not engine.ready:
        notes.add(dense(engine.run(QUERY)))
        if any(note.startswith(reason) for note in notes):
            seen.set()
        waiting.wait(0.2)
    assert seen.is_set(), notes
    told = answers(copied)
    assert CacheFolder(folder.parent, folder.name).damage() == ""
    assert {path.name for path in folder.parent.iterdir()} == {".lock", folder.name}
    return told


@pytest.fixture
def encoder_folder(copied: Settings, onnx_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An exported encoder that is used, as there is none in the package."""
    monkeypatch.setattr("retrieval.wiring.models.shipped_encoder", no_graph)
    folder = copied.cache_dir / "onnx" / onnx_folder.name
    shutil.copytree(onnx_folder, folder)
    return folder


AGAIN = "warming up: the sentence encoder is made again because"


def test_a_damaged_encoder_is_exported_again_and_the_stage_says_so_meanwhile(
    copied: Settings, encoder_folder: Path
) -> None:
    expected = answers(copied)  # of the sound export, which is not rounded as the shipped one is
    WAYS["middle"](encoder_folder / "model.onnx")
    reason = f"{AGAIN} model.onnx is damaged"
    told = answers_after_another_export(copied, encoder_folder, reason, threading.Event())
    assert told == expected


def test_an_encoder_with_a_missing_file_is_exported_again_and_the_stage_says_so_meanwhile(
    copied: Settings,
    encoder_folder: Path,
    onnx_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the exporting process writes is that of the session: the test above waits for one."""
    expected, seen = answers(copied), threading.Event()

    def process(command: list[str], **_: object) -> CompletedProcess[bytes]:
        assert seen.wait(60)
        for name in ("model.onnx", "tokenizer.json", "meta.json"):
            shutil.copyfile(onnx_folder / name, Path(command[-1]) / name)
        return CompletedProcess(command, 0)

    stand_in = SimpleNamespace(run=process, TimeoutExpired=TimeoutExpired)
    monkeypatch.setattr("retrieval.dense.export.subprocess", stand_in)
    WAYS["missing"](encoder_folder / "tokenizer.json")
    reason = f"{AGAIN} tokenizer.json is missing"
    assert answers_after_another_export(copied, encoder_folder, reason, seen) == expected


def dense(answer: Answer) -> str:
    return str(parts_of(answer.result)["fused/dense"].note)


def test_a_damaged_shipped_index_is_made_anew_in_the_users_folder_and_told(
    expected: Answers, copied: Settings
) -> None:
    settings = ShippedBeside(**copied.model_dump(), _env_file=None)
    shipped = settings.shipped_index
    copied.index_dir.rename(shipped)
    damaged = next(shipped.glob("*/index.faiss"))
    WAYS["middle"](damaged)
    before = {p: p.read_bytes() for p in shipped.rglob("*") if p.is_file()}
    engine = open_engine(settings, background=True)
    first = dense(engine.run(QUERY))
    assert engine.wait(280)
    assert first.startswith("warming up: the vectors of this catalog are made again because")
    assert "index.faiss is not what was written" in first
    assert answers(settings) == expected
    assert {p: p.read_bytes() for p in shipped.rglob("*") if p.is_file()} == before
    assert (settings.index_dir / "CURRENT").is_file()
