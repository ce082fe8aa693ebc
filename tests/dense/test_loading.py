from __future__ import annotations

import threading

import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dense.loading import CACHED_QUERIES, Loading
from tests.fakes import HashingEncoder

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


def test_until_it_is_there_the_encoder_says_it_is_loading():
    let_go = threading.Event()
    loading = Loading(lambda: (let_go.wait(5), HashingEncoder())[1], id="x", dim=64)
    loading.start()
    with pytest.raises(StageUnavailable, match="still loading"):
        loading.encode(["x"])
    assert not loading.ready
    let_go.set()
    loading.wait()
    assert loading.encode(["x"]).shape == (1, 64)


@pytest.mark.requirement("S1-27")
def test_it_is_loaded_once():
    loads = []
    loading = Loading(lambda: (loads.append(1), HashingEncoder())[1], id="x", dim=64)
    for _ in range(3):
        loading.start()
        loading.wait()
    assert loads == [1]


def test_what_could_not_be_loaded_says_why_every_time():
    def load():
        raise StageUnavailable("no weights; install them")

    loading = Loading(load, id="x", dim=64)
    loading.wait()
    for _ in range(2):
        with pytest.raises(StageUnavailable, match="no weights; install them"):
            loading.encode(["x"])
    assert loading.problem == "no weights; install them"


def test_a_defect_while_loading_leaves_nobody_waiting():
    def load():
        raise RuntimeError("broke")

    loading = Loading(load, id="x", dim=64)
    loading.wait()
    assert "could not be loaded" in loading.problem


def test_a_text_met_before_is_not_encoded_again():
    inner = HashingEncoder()
    loading = Loading(lambda: inner, id="x", dim=64)
    loading.wait()
    first = loading.encode(["a", "b"])
    again = loading.encode(["b", "a", "c", "a"])
    assert inner.texts == ["a", "b", "c"]
    assert again[1].tolist() == again[3].tolist() == first[0].tolist()
    assert loading.encode([]).shape == (0, 64)


def test_the_cache_is_bounded_and_right_beyond_its_bound():
    inner = HashingEncoder()
    loading = Loading(lambda: inner, id="x", dim=64)
    loading.wait()
    texts = [f"t{n}" for n in range(CACHED_QUERIES + 100)]
    loading.encode(["keep"])
    assert np.array_equal(loading.encode(["keep", *texts])[1:], HashingEncoder().encode(texts))
    assert np.array_equal(loading.encode(texts[::-1]), HashingEncoder().encode(texts[::-1]))


def test_a_text_that_another_search_pushes_out_meanwhile_is_still_answered():
    class Busy(HashingEncoder):
        def encode(self, texts, batch_size=32):
            if list(texts) == ["mine"]:
                loading.encode([f"theirs {n}" for n in range(2 * CACHED_QUERIES)])
            return super().encode(texts, batch_size)

    loading = Loading(Busy, id="x", dim=64)
    loading.wait()
    known = loading.encode(["known"])[0]
    assert loading.encode(["known", "mine"])[0].tolist() == known.tolist()


def test_texts_told_to_be_remembered_stay_whatever_their_number():
    inner = HashingEncoder()
    loading = Loading(lambda: inner, id="x", dim=64)
    loading.wait()
    texts = [f"t{n}" for n in range(CACHED_QUERIES + 100)]
    loading.remember(texts)
    inner.texts.clear()
    loading.encode(texts)
    assert inner.texts == []


def test_no_cache_of_the_encoder_holds_the_words_of_a_text():
    loading = Loading(HashingEncoder, id="x", dim=64)
    loading.wait()
    loading.encode(["quenchvortex"])
    assert "quenchvortex" not in repr(loading._cache)
    assert len(loading._cache) == 1


def test_a_text_is_begun_where_the_encoder_can_and_is_not_there_yet():
    class Ahead(HashingEncoder):
        def begin(self, text):
            begun.append(text)

    begun: list[str] = []
    loading = Loading(Ahead, id="x", dim=64)
    loading.begin("too early")
    loading.wait()
    loading.encode(["known"])
    for text in ("known", "new"):
        loading.begin(text)
    assert begun == ["new"]
    plain = Loading(HashingEncoder, id="x", dim=64)
    plain.wait()
    plain.begin("new")
