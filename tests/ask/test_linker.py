"""Names to nodes: exact, fuzzy, by meaning."""

from __future__ import annotations

import pytest

from retrieval.ask.linker import EntityLinker, NameIndex, QuestionLinker, squash
from retrieval.ask.meaning import MeaningIndex
from retrieval.graph.facts import Item
from tests.fakes import HashingEncoder

FIRMS = NameIndex((name, name) for name in ("Amazon", "Microsoft", "Google"))


def _items(*labels: str) -> list[Item]:
    return [Item(id=f"n{n}", kind="tool", label=label) for n, label in enumerate(labels)]


@pytest.mark.requirement("S3-05")
def test_an_equal_name_is_a_hit_of_100() -> None:
    assert FIRMS.fuzzy("Amazon") == [("Amazon", 100.0)]


@pytest.mark.parametrize("typo", ["Amazn", "Amazonn", "Amzon"])
@pytest.mark.requirement("S3-05")
def test_a_typo_is_a_hit_of_more_than_80(typo: str) -> None:
    ((name, score),) = FIRMS.fuzzy(typo)
    assert name == "Amazon"
    assert 80 < score < 100


@pytest.mark.requirement("S3-05")
def test_an_empty_vocabulary_gives_no_hit() -> None:
    assert NameIndex(()).fuzzy("Amazon") == []


@pytest.mark.parametrize("topk", [0, 1, 2, 3])
@pytest.mark.requirement("S3-05")
def test_topk_bounds_the_hits_of_one_name(topk: int) -> None:
    several = NameIndex((name, name) for name in ("tool one", "tool two", "tool ten", "tool o"))
    assert len(several.fuzzy("tool on", topk, cutoff=50)) == topk


@pytest.mark.requirement("S3-05")
def test_hits_stand_in_order_of_their_scores_then_of_their_ids() -> None:
    index = NameIndex([("abcdefgh", "b"), ("abcdefgi", "a"), ("abcdefg", "c"), ("abczzfg", "d")])
    found = index.fuzzy("abcdefg", 4, cutoff=10)
    assert [node for node, _ in found] == ["c", "a", "b", "d"]
    assert found[1][1] == found[2][1]


@pytest.mark.requirement("S3-05")
def test_a_much_shorter_name_is_skipped() -> None:
    index = NameIndex([("AWS", "AWS")])
    assert index.fuzzy("AWS cloud computing services", cutoff=0) == []


@pytest.mark.requirement("S3-06")
def test_an_exact_label_or_id_wins_over_similar_ones() -> None:
    items = [Item(id="nnunet", kind="tool", label="nnU-Net"), *_items("nnU-Nets", "nnU-Nex")]
    linker = EntityLinker(NameIndex.of(items))
    assert [link.node for link in linker.links("NNU net")] == ["nnunet"]
    assert linker.links("nnunet")[0].how == "exact"


@pytest.mark.requirement("S3-06")
def test_a_name_nobody_spells_is_linked_by_meaning_where_an_encoder_is() -> None:
    items = _items("skull stripping", "lung segmentation")
    plain = EntityLinker(NameIndex.of(items))
    assert plain.links("stripping the skull off") == []
    meant = EntityLinker(NameIndex.of(items), MeaningIndex(HashingEncoder(), items))
    found = meant.links("please do skull stripping")
    assert [(link.node, link.how) for link in found] == [("n0", "meaning")]


def test_the_longest_name_of_a_question_wins() -> None:
    items = _items("FSL", "FSL BET", "BET")
    found = QuestionLinker(NameIndex.of(items)).links("Does FSL BET need FSL?")
    assert [(link.text, link.node) for link in found] == [("FSL BET", "n1"), ("FSL", "n0")]


def test_an_ordinary_word_names_a_tool_only_as_that_tool_is_written() -> None:
    linker = QuestionLinker(NameIndex.of(_items("Harmony")), ordinary=frozenset({"harmony"}))
    assert linker.links("tools in harmony with others") == ()
    assert [link.node for link in linker.links("what does Harmony need")] == ["n0"]


def test_case_width_accents_and_punctuation_do_not_part_names() -> None:
    assert squash("nnU-Net") == squash("ｎｎＵ＿Net") == squash("NNU NET") == "nnunet"
    assert squash("Läsion") == "lasion"


def test_words_of_no_letters_link_to_nothing() -> None:
    linker = EntityLinker(NameIndex.of(_items("Fiji")))
    assert linker.link(["", "  ", "???"]) == {"???": []}
