"""Names linked by meaning: with an encoder, beside spelling, never in place of a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from retrieval.ask.linker import EntityLinker, NameIndex
from retrieval.ask.meaning import MeaningIndex
from retrieval.core.errors import StageUnavailable
from retrieval.graph.facts import Item
from retrieval.settings import Settings
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine, open_question_engine
from tests.ask.gold import questions
from tests.damage import WAYS
from tests.fakes import HashingEncoder, make_tool

NODES, LINK_MS, SLACK = 100_000, 20, 3
ITEMS = tuple(
    Item(id=f"operation:{n}", kind="operation", label=label)
    for n, label in enumerate(("skull stripping", "cell counting", "stitching", "abdomen"))
)


class Away(HashingEncoder):
    """An encoder that is not there."""

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> np.ndarray:
        raise StageUnavailable("the sentence encoder is warming up")


class Rows:
    """Gives every name a row at random, and a text that of the name after the word."""

    id, dim = "rows", 384

    def __init__(self) -> None:
        drawn = np.random.default_rng(3).standard_normal((NODES, self.dim), dtype=np.float32)
        self.rows = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> np.ndarray:
        return self.rows if len(texts) > 1 else self.rows[[int(texts[0].split()[-1])]]

    def encode_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        raise NotImplementedError


@pytest.fixture(scope="module")
def shipped_by_meaning(sentence_encoder, tmp_path_factory) -> QuestionEngine:
    settings = Settings(_env_file=None, cache_dir=tmp_path_factory.mktemp("cache"))
    return open_question_engine(settings, encoder=sentence_encoder)


@pytest.fixture(scope="module")
def meanings(sentence_encoder, asking: QuestionEngine) -> MeaningIndex:
    items = asking.graph.base.items.values()
    return MeaningIndex(sentence_encoder, [i for i in items if i.kind in {"operation", "anatomy"}])


@pytest.mark.model
@pytest.mark.parametrize(
    ("words", "node"),
    [
        ("thinking organ", "anatomy:brain"),
        ("colour differences between stains", "operation:stain_normalisation"),
    ],
)
@pytest.mark.requirement("S3-06")
def test_a_paraphrase_is_linked_that_no_spelling_finds(
    words: str, node: str, asking: QuestionEngine, meanings: MeaningIndex
) -> None:
    names = NameIndex.of(asking.graph.base.items.values())
    assert names.exact(words) == ()
    assert names.fuzzy(words) == []
    first = EntityLinker(names, meanings).links(words)[0]
    assert (first.node.replace(" ", "_"), first.how) == (node, "meaning")


@pytest.mark.model
@pytest.mark.requirement("S3-06")
def test_a_question_in_other_words_is_answered_and_says_how_it_was_read(
    shipped_by_meaning: QuestionEngine, asking: QuestionEngine
) -> None:
    question = "Which open tools work on the jawline in CT?"
    assert "jawline" in asking.ask(question).refused
    asked = shipped_by_meaning.ask(question)
    assert asked.evidence.answer
    assert any("anatomy:jaw" in step for fact in asked.evidence.facts for step in fact.steps)
    assert any("jawline read as jaw" in node.note for node in asked.result.walk())


@pytest.mark.model
def test_what_cannot_be_answered_is_refused_with_an_encoder_too(
    shipped_by_meaning: QuestionEngine,
) -> None:
    answered = [
        row["id"]
        for row in questions("unanswerable")
        if shipped_by_meaning.ask(row["question"]).evidence.answer
    ]
    assert answered == []


def test_without_an_encoder_the_reason_stands_in_the_trace() -> None:
    tools = [make_tool("bet", tasks=("skull stripping",))]
    for encoder, why in ((None, "no sentence encoder"), (Away(), "warming up")):
        asked = QuestionEngine(GraphParts.of(tools, encoder=encoder)).ask("What for zzyzx?")
        assert asked.refused
        notes = " ".join(node.note for node in asked.result.walk())
        assert f"not linked by meaning: {why}" in notes.replace("the sentence encoder is ", "")


def test_the_meanings_of_names_are_made_once_and_kept(tmp_path: Path) -> None:
    first, second, again = (HashingEncoder() for _ in range(3))
    expected = MeaningIndex(first, ITEMS, tmp_path).near("counting of cells", floor=0.1)
    assert len(first.texts) == len(ITEMS) + 1
    assert MeaningIndex(second, ITEMS, tmp_path).near("counting of cells", floor=0.1) == expected
    assert len(second.texts) == 1
    (kept,) = tmp_path.glob("*/rows.npy")
    kept.write_bytes(kept.read_bytes()[:-9])
    assert MeaningIndex(again, ITEMS, tmp_path).near("counting of cells", floor=0.1) == expected
    assert len(again.texts) == len(ITEMS) + 1


@pytest.mark.parametrize("file", ["rows.npy", "manifest.json"])
@pytest.mark.parametrize("way", WAYS)
def test_damaged_meanings_are_made_again_and_leftovers_go(
    tmp_path: Path, file: str, way: str
) -> None:
    expected = MeaningIndex(HashingEncoder(), ITEMS, tmp_path).near("counting of cells", floor=0.1)
    (folder,) = tmp_path.glob("[!.]*")
    WAYS[way](folder / file)
    for left in ("tmpabc.new", f"{'0' * 16}.npy"):
        (tmp_path / left).write_bytes(b"of an earlier edition")
    (tmp_path / ".new-dead").mkdir()
    again = MeaningIndex(HashingEncoder(), ITEMS, tmp_path).near("counting of cells", floor=0.1)
    assert again == expected
    assert {path.name for path in tmp_path.iterdir()} == {folder.name, ".lock"}


def test_equal_meanings_stand_in_the_order_of_their_ids() -> None:
    items = [Item(id=f"operation:{n}", kind="operation", label="stitching") for n in "cab"]
    found = MeaningIndex(HashingEncoder(), items).near("stitching", 2)
    assert [node for node, _ in found] == ["operation:a", "operation:b"]


def test_linking_by_meaning_takes_at_most_twenty_milliseconds_at_a_hundred_thousand_nodes() -> None:
    items = [Item(id=f"n{n:06}", kind="operation", label=f"name {n}") for n in range(NODES)]
    index = MeaningIndex(Rows(), items)
    assert index.make()
    times = []
    for n in (5, 77_777, 99_999, 31, 4_242):
        start = process_time()
        found = index.near(f"said of {n}", 3)
        times.append((process_time() - start) * 1000)
        assert found[0] == (f"n{n:06}", 1.0)
    assert sorted(times)[len(times) // 2] <= LINK_MS * SLACK
