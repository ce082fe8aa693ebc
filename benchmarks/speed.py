"""Speed side by side with the plain composition: ``python -m benchmarks.speed [--records N]``.

Every figure is the median CPU time of one call on one thread; what is compared runs in turns
in one process, so that a busy machine slows both alike. Writes ``benchmarks/speed.md``, or what
``--out`` names.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.cold import starts, table
from benchmarks.plain import PlainSearch, cross_encoder
from benchmarks.scale_catalog import write_catalog
from benchmarks.scale_encoder import WordsEncoder, words_encoder
from benchmarks.speed_rows import (
    CROSS,
    ENCODE,
    HEAD,
    LATE,
    PLAIN,
    PLAIN_ENCODE,
    RERANKED,
    WHOLE,
    Row,
    goals,
    lines,
)
from retrieval import Settings
from retrieval.catalog import load_catalog
from retrieval.core import Vectors
from retrieval.dense import shipped_encoder, template_text, token_file
from retrieval.engine import Engine
from retrieval.graph import build_graph
from retrieval.wiring import Preparation, Sizes, collect_rarely, lexicon, one_thread

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

QUERIES = (
    "segment lungs",
    "skull stripping of T1 brain MRI",
    "count nuclei in fluorescence images",
    "convert DICOM to NIfTI",
    "register two brain scans",
    "denoise diffusion MRI",
    "track cells in time-lapse microscopy",
    "cluster single cells",
)
KEPT = 150
Calls = dict[str, Callable[[str], object]]


def in_turns(calls: Calls, rounds: int) -> dict[str, list[float]]:
    """CPU milliseconds of every call, in turns on texts that no cache has seen.

    Two warm-up texts per call are not counted.
    """
    times: dict[str, list[float]] = {name: [] for name in calls}
    for text in QUERIES[:2]:
        for call in calls.values():
            call(f"{text} warm")
    for number in range(rounds):
        for text in QUERIES:
            for name, call in calls.items():
                start = process_time()
                call(f"{text} {number}")
                times[name].append((process_time() - start) * 1000)
    return times


class _RowPerWord:
    """The stand-in encoder with one token row per word, about as many as the model gives."""

    def __init__(self, words: WordsEncoder) -> None:
        self._words, self.id, self.dim = words, words.id, words.dim

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        return self._words.encode(texts, batch_size)

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        return [self._words.encode(text.split() or [text]) for text in texts]


class Bench:
    """Our engine and the plain one over the same catalog, vectors and graph."""

    def __init__(self, folder: Path, records: int) -> None:
        usual = Settings(_env_file=None)
        self.settings = usual.model_copy(
            update={"catalog": folder / "catalog.jsonl", "index_dir": folder / "index"}
        )
        write_catalog(usual.catalog, self.settings.catalog, records)
        self.catalog = load_catalog(self.settings.catalog)
        self.model = shipped_encoder()
        self.engine = self._engine(folder)
        vectors = words_encoder(usual.catalog, folder / "words.npz", usual)
        texts = [f"{t.name}: {t.description}" for t in self.catalog.tools]
        graph = build_graph(self.catalog.tools, lexicon())
        self.plain = PlainSearch(self.catalog.tools, vectors.encode(texts), graph)

    def _engine(self, folder: Path) -> Engine:
        from retrieval.wiring import sync

        usual = Settings(_env_file=None)
        stand_in = words_encoder(usual.catalog, folder / "words.npz", usual)
        sync(self.settings, stand_in)
        apart = self.settings.model_copy(update={"cache_dir": folder / "cache"})
        (folder / "cache").mkdir()
        texts = {t.id: template_text("biocortex", t) for t in self.catalog.tools}
        token_file(folder / "cache" / "tokens", _RowPerWord(stand_in), texts)
        preparation = Preparation(apart, Sizes())
        preparation.begin(self.catalog)
        preparation.complete()
        engine = Engine(preparation.snapshot(), seconds=1e9)
        gc.collect()
        gc.freeze()  # as the app does once everything is loaded
        collect_rarely()
        self.preparation = preparation
        return engine

    def rows(self, rounds: int) -> list[Row]:
        """Everything that is compared, in one go."""
        scorer = cross_encoder()
        return [
            *self.encoding(rounds),
            *self.searches(rounds, scorer),
            *self.late(rounds, scorer),
            *self.limits(rounds),
        ]

    def searches(self, rounds: int, scorer: CrossEncoder) -> list[Row]:
        """The whole retrieval, with and without a cross-encoder on the other side."""
        times = in_turns({"ours": self.engine.run, "plain": self.plain.search}, rounds)
        slow = in_turns({"again": lambda t: self.plain.reranked(t, scorer)}, 1)["again"]
        return [Row(WHOLE, times["ours"]), Row(PLAIN, times["plain"]), Row(RERANKED, slow)]

    def late(self, rounds: int, scorer: CrossEncoder) -> list[Row]:
        """Late interaction over KEPT candidates, compared with a cross-encoder on 50."""
        store = self.preparation.parts.tokens()
        assert store is not None
        ids = [t.id for t in self.catalog.tools[:KEPT]]
        texts = [t.description for t in self.catalog.tools[:50]]
        rows = {t: self.model.encode_tokens([t])[0] for t in QUERIES}
        calls: Calls = {
            "late": lambda t: store.scores(rows[t.rsplit(" ", 1)[0]].copy(), ids),
            "cross": lambda t: scorer.predict([(t, x) for x in texts], show_progress_bar=False),
        }
        times = in_turns(calls, max(1, rounds // 8))
        return [Row(LATE, times["late"]), Row(CROSS, times["cross"])]

    def encoding(self, rounds: int) -> list[Row]:
        """One query to its vector."""
        calls: Calls = {"ours": lambda t: self.model.encode([t]), "st": self.plain.encode}
        times = in_turns(calls, rounds)
        return [Row(ENCODE, times["ours"]), Row(PLAIN_ENCODE, times["st"])]

    def limits(self, rounds: int) -> list[Row]:
        """Vector search, compared with one pass over all vectors, and the rate of a product."""
        served = self.preparation.parts.vectors
        assert served is not None
        rows = np.random.default_rng(0).standard_normal((len(self.catalog.tools), 384))
        rows = rows.astype(np.float32)
        fresh = iter(rows[np.arange(len(QUERIES) * rounds + 2) % len(rows)])
        square = rows[:1024, :384]
        calls: Calls = {
            "search": lambda t: served.search(next(fresh), 50),
            "read": lambda t: rows.sum(),
            "gemm": lambda t: square @ square.T,
        }
        times = in_turns(calls, rounds)
        # A product of n x k by k x n takes 2 n^2 k operations; per millisecond, hence 1e6.
        rate = 2 * len(square) ** 2 * 384 / median(times["gemm"]) / 1e6
        return [
            Row("vector search, top 50", times["search"]),
            Row("reading the vectors once (memory bandwidth)", times["read"]),
            Row(f"matrix product ({rate:.0f} GFLOP/s)", times["gemm"]),
        ]

    def stages(self, rounds: int) -> list[Row]:
        """Milliseconds of every stage of ours (wall clock)."""
        times: dict[str, list[float]] = {}
        for number in range(rounds):
            for text in QUERIES:
                for node in self.engine.run(f"{text} again {number}").result.walk():
                    times.setdefault(node.name, []).append(node.elapsed_ms)
        return [Row(name, values) for name, values in times.items() if len(values) > 1]


def main() -> None:
    """Measure, print, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("speed.md"))
    parser.add_argument("--starts", type=int, default=3, help="how often each start is made")
    args = parser.parse_args()
    one_thread()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), args.records)
        rows = bench.rows(args.rounds)
        stages = bench.stages(max(2, args.rounds // 2))
    cold = starts(args.starts)
    text = "\n".join(
        [
            f"Measured {date.today():%Y-%m-%d} by `make benchmark` over {args.records:,} records; "
            "CPU time of one thread, in turns.",
            "",
            *goals(rows, cold),
            "",
            HEAD,
            *lines(rows),
            "",
            "Stages of ours, wall clock:",
            "",
            HEAD,
            *lines(stages),
            "",
            "Starts over the shipped catalog, each in a process of its own:",
            "",
            *table(cold),
            "",
        ]
    )
    args.out.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
