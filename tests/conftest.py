"""What every test may use: no calls home, and one engine over the real weights."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from retrieval.catalog import annotate
from retrieval.settings import Settings
from tests.milvus_server import MilvusServer, started

if TYPE_CHECKING:
    from retrieval import Engine
    from retrieval.dense.encoder import SentenceEncoder
    from retrieval.dense.onnx_encoder import OnnxEncoder


# Dozens of engines are opened over one catalog: what its records name is looked up once a session,
# which takes 2 of the 4.7 s of processor time that the second and each further opening takes.
annotate.CACHED_TEXTS = 8_192


def pytest_configure() -> None:
    """Two test files of one name are refused in every run, also in one that collects one of them.

    pytest imports a test file by its name alone: with two of a name a whole run stops.
    """
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    twice = sorted(name for name, count in names.items() if count > 1)
    if twice:
        raise pytest.UsageError(f"rename: two test files are called {', '.join(twice)}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A real browser on a busy machine may come late: its tests are tried once more.

    The summary counts each such try. Of other tests only those that say why are tried again.
    """
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent / "e2e"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def milvus_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusServer]:
    """A Milvus server that all tests share; each fills collections of its own."""
    server = started(tmp_path_factory.mktemp("milvus-server"))
    yield server
    server.kill()


@pytest.fixture(scope="session")
def sentence_encoder() -> SentenceEncoder:
    """The packaged weights, loaded once."""
    from retrieval.dense.encoder import SentenceEncoder

    return SentenceEncoder()


@pytest.fixture(scope="session")
def onnx_folder(model_settings: Settings) -> Path:
    """The packaged weights as ONNX, exported once a session."""
    from retrieval.dense.export import exported

    return exported(model_settings.encoder, model_settings.cache_dir)


@pytest.fixture(scope="session")
def onnx_encoder(onnx_folder: Path) -> OnnxEncoder:
    """The same weights under ONNX Runtime."""
    from retrieval.dense.onnx_encoder import OnnxEncoder

    return OnnxEncoder.open(onnx_folder)


@pytest.fixture(scope="session")
def model_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The shipped catalog and index; whatever is made lies in folders of this session."""
    root: Path = tmp_path_factory.mktemp("model")
    return Settings(index_dir=root / "index", cache_dir=root / "cache", _env_file=None)


@pytest.fixture(scope="session")
def engine(model_settings: Settings) -> Engine:
    """One engine over the shipped catalog with every stage ready."""
    from retrieval import open_engine

    return open_engine(model_settings)


@pytest.fixture
def light_settings(tmp_path: Path) -> Settings:
    """Settings of an engine that loads no model and leaves nothing behind."""
    return Settings(
        index_dir=tmp_path / "index",
        cache_dir=tmp_path / "cache",
        vector_search=False,
        _env_file=None,
    )


@pytest.fixture(scope="session")
def light_engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """One engine over the shipped catalog without a model, for tests that only search with it."""
    from retrieval import open_engine

    root: Path = tmp_path_factory.mktemp("light-engine")
    folders = {"index_dir": root / "index", "cache_dir": root / "cache"}
    return open_engine(Settings(**folders, vector_search=False, _env_file=None))


@pytest.fixture(autouse=True)
def uncounted_log_lines() -> Iterator[None]:
    """A page that a test serves limits how often pytest's handlers see a line: this ends with it.

    Without it a test may miss its line where others wrote ten from the same place within a minute.
    """
    yield
    for handler in logging.getLogger().handlers:
        handler.filters.clear()


@pytest.fixture
def plain_log_records() -> Iterator[None]:
    """Log records with their whole text, also where a page was served before in this process."""
    factory = logging.getLogRecordFactory()
    logging.setLogRecordFactory(logging.LogRecord)
    yield
    logging.setLogRecordFactory(factory)
