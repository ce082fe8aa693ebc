"""A Milvus server beside FAISS: ``python -m benchmarks.scale_milvus [--rows N] [--store NAME]``.

Rows are clustered unit vectors of 384 numbers from a seed, written in batches. Each step is a
process of its own, so that its memory is its own. Times are wall time of one query after another;
recall is the share of the exact best 50. ``MILVUS_SERVER`` names the server's program.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import numpy as np

from benchmarks.load import resident_mb
from benchmarks.night.process import children
from benchmarks.scale_server import EXECUTABLE, MilvusServer
from retrieval.core import Vectors
from retrieval.settings import ROOT

DIM, CENTRES, BATCH, QUERIES, AT = 384, 2_000, 50_000, 200, 50
SPREAD = 0.7
"""Noise round each centre, as a share of the length of the centre itself."""
FILTERED, KEPT = 20, 0.1
FILL_S = 7_200.0
COLLECTION = "scanscout_measured"
Row = tuple[str, str]


def write_rows(path: Path, rows: int) -> None:
    """Rows of length 1 around CENTRES centres of uneven size, (rows, DIM) float32, as .npy."""
    random = np.random.default_rng(0)
    centres = random.standard_normal((CENTRES, DIM), dtype=np.float32)
    weights = 1 / np.arange(1, CENTRES + 1) ** 0.6
    out = np.lib.format.open_memmap(path, "w+", np.float32, (rows, DIM))
    for start in range(0, rows, BATCH):
        many = min(BATCH, rows - start)
        of = random.choice(CENTRES, many, p=weights / weights.sum())
        points = centres[of] + SPREAD * random.standard_normal((many, DIM), dtype=np.float32)
        out[start : start + many] = points / np.linalg.norm(points, axis=1, keepdims=True)
    out.flush()


def write_queries(folder: Path) -> None:
    """Rows with noise as queries, and the exact score of the best AT for each."""
    rows = np.load(folder / "rows.npy", mmap_mode="r")
    random = np.random.default_rng(1)
    chosen = np.sort(random.choice(len(rows), QUERIES, replace=False))
    queries = rows[chosen] + 0.02 * random.standard_normal((QUERIES, DIM), dtype=np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    best = np.full((QUERIES, AT), -2.0, dtype=np.float32)
    for start in range(0, len(rows), BATCH):
        scores = np.hstack([best, queries @ rows[start : start + BATCH].T])
        best = np.partition(scores, -AT, axis=1)[:, -AT:]
    np.savez(folder / "queries.npz", queries=queries, best=np.sort(best, axis=1)[:, ::-1])


def ids_of(rows: int) -> list[str]:
    """Ids in the order of the rows."""
    return [f"t{n:07}" for n in range(rows)]


def faiss_fill(folder: Path, _: str) -> list[Row]:
    """The store of this size, built and saved; its cells are what Milvus reads too."""
    import faiss

    from retrieval.dense.inverted import store_for

    rows = np.load(folder / "rows.npy", mmap_mode="r")
    begun = time.perf_counter()
    store = store_for(ids_of(len(rows)), rows)
    took = time.perf_counter() - begun
    faiss.write_index(store.index, str(folder / "faiss"))
    (folder / "probes").write_text(str(getattr(store.index, "nprobe", 0)), encoding="ascii")
    return [("FAISS: built", f"{took:.0f} s")]


def faiss_ask(folder: Path, _: str) -> list[Row]:
    """Read the saved index and ask it."""
    import faiss

    from retrieval.dense.inverted import store_of

    faiss.omp_set_num_threads(1)
    rows = len(np.load(folder / "rows.npy", mmap_mode="r"))
    begun = time.perf_counter()
    store = store_of(ids_of(rows), faiss.read_index(str(folder / "faiss")))
    return _measured("FAISS", folder, store, time.perf_counter() - begun)


def milvus_fill(folder: Path, uri: str) -> list[Row]:
    """Send every row, and wait until the index of the collection is there."""
    from retrieval.dense import MilvusAddress, MilvusStore

    rows = np.load(folder / "rows.npy", mmap_mode="r")
    address = MilvusAddress(uri=uri, fill_seconds=FILL_S, seconds=60.0)
    begun = time.perf_counter()
    MilvusStore.fill(address, COLLECTION, ids_of(len(rows)), rows, _allowed(), _probes(folder))
    return [("Milvus: filled", f"{time.perf_counter() - begun:.0f} s")]


def milvus_ask(folder: Path, uri: str) -> list[Row]:
    """Open the collection as the app does, and ask it."""
    from retrieval.dense import MilvusAddress, MilvusStore

    rows = len(np.load(folder / "rows.npy", mmap_mode="r"))
    address = MilvusAddress(uri=uri, fill_seconds=FILL_S, search_seconds=60.0, seconds=60.0)
    begun = time.perf_counter()
    store = MilvusStore.open(address, COLLECTION, ids_of(rows), _allowed(), _probes(folder))
    return _measured("Milvus", folder, store, time.perf_counter() - begun)


def _probes(folder: Path) -> int:
    return int((folder / "probes").read_text("ascii"))


def _allowed() -> Any:  # noqa: ANN401 - imported with the library
    from retrieval.dense import PURPOSE
    from retrieval.net import OutsideCalls

    return OutsideCalls(frozenset({PURPOSE}))


def _measured(name: str, folder: Path, store: Any, start_s: float) -> list[Row]:  # noqa: ANN401
    with np.load(folder / "queries.npz") as arrays:
        queries, best = arrays["queries"], arrays["best"]
    for query in queries[:5]:
        store.search(query, AT)
    took, recall = _timed(lambda query: store.search(query, AT), queries, best)
    memory = resident_mb(os.getpid())
    rows = [
        (f"{name}: opened", f"{start_s:.1f} s"),
        (f"{name}: one query", _spread(took)),
        *((f"{name}: recall@{at}", f"{share:.3f}") for at, share in recall.items()),
        (f"{name}: resident memory of the process that asks", f"{memory:,.0f} MB"),
    ]
    return [*rows, _filtered(name, store, queries)]


def _filtered(name: str, store: Any, queries: Vectors) -> Row:  # noqa: ANN401
    from retrieval.core import Selection

    random = np.random.default_rng(2)
    keep = frozenset(id for id, one in zip(store.ids, random.random(len(store.ids)), strict=True)
                     if one < KEPT)  # fmt: skip
    choice = Selection(keep=keep, drop=frozenset())
    took = []
    for query in queries[:FILTERED]:
        begun = time.perf_counter()
        store.search(query, AT, choice)
        took.append(1000 * (time.perf_counter() - begun))
    return f"{name}: one query under a filter that keeps {KEPT:.0%}", _spread(took)


def _timed(
    search: Callable[[Vectors], Sequence[tuple[str, float]]], queries: Vectors, best: Vectors
) -> tuple[list[float], dict[int, float]]:
    took, hits = [], {10: 0.0, AT: 0.0}
    for query, exact in zip(queries, best, strict=True):
        begun = time.perf_counter()
        results = search(query)
        took.append(1000 * (time.perf_counter() - begun))
        scores = np.array([score for _, score in results])
        for at in hits:
            hits[at] += float((scores[:at] >= exact[at - 1] - 1e-5).sum()) / at
    return took, {at: total / len(queries) for at, total in hits.items()}


def _spread(took: list[float]) -> str:
    return f"p50 {median(took):.1f} ms, p95 {quantiles(took, n=20)[-1]:.1f} ms"


STEPS = {
    "faiss-fill": faiss_fill,
    "faiss-ask": faiss_ask,
    "milvus-fill": milvus_fill,
    "milvus-ask": milvus_ask,
}


def call(step: str, folder: Path, uri: str) -> list[Row]:
    """The rows of a step in a process of its own; they are printed as they come."""
    command = [sys.executable, "-m", "benchmarks.scale_milvus", "--step", step]
    done = subprocess.run(
        [*command, "--folder", str(folder), "--uri", uri],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    rows: list[Row] = [(name, value) for name, value in json.loads(done.stdout.splitlines()[-1])]
    for name, value in rows:
        print(f"| {name} | {value} |", flush=True)
    return rows


def main() -> None:
    """Run a step, or all of them for the stores chosen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--store", choices=["faiss", "milvus"], help="one of them; both else")
    parser.add_argument("--step", choices=STEPS)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--uri", default="")
    args = parser.parse_args()
    if args.step:
        print(json.dumps(STEPS[args.step](args.folder, args.uri)))
        return
    with tempfile.TemporaryDirectory(prefix="scanscout-rows-") as made:
        folder = args.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        write_rows(folder / "rows.npy", args.rows)
        write_queries(folder)
        print(f"| rows | {args.rows:,} |", flush=True)
        call("faiss-fill", folder, "")  # its cells, tuned on the rows, are the server's as well
        if args.store != "milvus":
            call("faiss-ask", folder, "")
        if args.store != "faiss":
            if not EXECUTABLE:
                raise SystemExit("MILVUS_SERVER names no server program")
            (folder / "server").mkdir(exist_ok=True)
            with MilvusServer(folder / "server") as server:
                call("milvus-fill", folder, server.uri)
                call("milvus-ask", folder, server.uri)
                used = sum(map(resident_mb, [server.pid, *children(server.pid)]))
                print(f"| Milvus: resident memory of the server | {used:,.0f} MB |")


if __name__ == "__main__":
    main()
