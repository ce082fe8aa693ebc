"""Loading and answering at scale, and the recall of the cells; steps of ``benchmarks.scale``."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles
from time import process_time

import numpy as np

import retrieval.core.stage
from benchmarks.scale import Row, peak, settings_in, timed
from retrieval.catalog import load_catalog
from retrieval.core import Filters, Query, Selection, Vectors
from retrieval.dense import InvertedStore
from retrieval.engine import Engine
from retrieval.graph import ArrayStore
from retrieval.wiring import Graphs, Preparation, Sizes, one_thread

TASKS = (
    "segment the lungs", "register two brain scans", "count nuclei", "denoise images",
    "convert a series to NIfTI", "track cells in time-lapse", "skull stripping",
    "measure cortical thickness", "reconstruct undersampled k-space", "annotate tumours",
)  # fmt: skip
KINDS = ("of CT", "of T1 MRI", "in microscopy", "without a GPU", "in Python", "for mice")
ROWS, CENTRES, QUERIES, AT = 150_000, 300, 500, 50
EXPANDED = "fused"


def queries_step(folder: Path, real: bool) -> list[Row]:
    """Open an engine over the synced catalog and ask it."""
    one_thread()
    settings = settings_in(folder)
    with timed() as reading:
        catalog = load_catalog(settings.catalog)
    preparation = Preparation(settings, Sizes())
    with timed() as beginning:
        preparation.begin(catalog)
    with timed() as completing:
        preparation.complete()
    engine = Engine(preparation.snapshot(), seconds=600)
    with timed() as graph:
        arrays = Graphs(settings).saved(catalog)
        ArrayStore(arrays) if arrays else None
    rows = [
        ("load: catalog", str(reading)),
        ("load: keyword index, vectors, graph", str(beginning)),
        ("load: model and the rest", str(completing)),
        ("load: graph alone", f"{graph} for {len(arrays.ids) if arrays else 0:,} nodes"),
    ]
    answered = _query_rows(engine)
    rows += answered + _expanded(engine, preparation) + _filtered(engine, preparation)
    return [*rows, ("load and queries, peak memory", peak())]


def _texts() -> list[str]:
    return [f"{task} {kind}" for kind in KINDS for task in TASKS]


def _query_rows(engine: Engine) -> list[Row]:
    # Stages are timed by CPU time here: other processes then do not change the figures.
    vars(retrieval.core.stage)["perf_counter"] = process_time
    took: defaultdict[str, list[float]] = defaultdict(list)
    for text in ("warm one", "warm two"):
        engine.run(text)
    for text in _texts():
        start = process_time()
        answer = engine.run(text)
        took["whole"].append((process_time() - start) * 1000)
        for node in answer.result.walk():
            took[node.name].append(node.elapsed_ms)
    return [(f"query CPU: {name}", _spread(values)) for name, values in took.items()]


def _spread(values: list[float]) -> str:
    return f"p50 {median(values):.1f} ms, p95 {quantiles(values, n=20)[-1]:.1f} ms"


def _expanded(engine: Engine, preparation: Preparation) -> list[Row]:
    store, annotator = preparation.parts.graph, preparation.parts.annotator
    if store is None or annotator is None:
        return []
    starts = []
    for text in _texts():
        nodes = engine.run(text).result.walk()
        fused = next(node for node in nodes if node.name.rsplit("/", 1)[-1] == EXPANDED)
        seeds = [(c.tool.id, c.score) for c in fused.state.candidates[:50]]
        starts.append([*seeds, *((concept, 3.0) for concept in annotator.concepts(text))])
    took, reached = [], []
    for start in starts:
        before = process_time()
        reached.append(len(store.expand(start, 2, 100)))
        took.append((process_time() - before) * 1000)
    return [
        ("expansion of 50 seeds, CPU", _spread(took)),
        ("expansion, tools reached", f"median {median(reached):.0f}"),
    ]


def _filtered(engine: Engine, preparation: Preparation) -> list[Row]:
    """Recall of the dense list under filters and exclusions, against a plain product."""
    store, tools = preparation.parts.vectors, preparation.parts.tools
    if store is None:
        return []
    took, hits = [], []
    for text in _texts()[:12]:
        some = engine.run(text).candidates[:3]
        query = Query(
            raw=text,
            text=text,
            filters=Filters(licenses=frozenset({"MIT", "Apache-2.0"})),
            excluded=tuple(c.tool.id for c in some),
        )
        ids = [t.id for t in tools.values() if query.filters.admits(t)]
        start = process_time()
        engine.run(query)
        took.append((process_time() - start) * 1000)
        vector = preparation.encoder.encode([text])[0]
        choice = Selection(keep=frozenset(ids), drop=frozenset(query.excluded))
        scores = np.array(store.scores(vector, ids))
        scores[[n for n, i in enumerate(ids) if i in choice.drop]] = -2.0
        floor = np.sort(scores)[-AT]
        results = store.search(vector, AT, choice)
        hits.append(np.mean([score >= floor - 1e-5 for _, score in results]))
    return [
        ("query CPU under a licence filter", _spread(took)),
        (f"recall@{AT} under filters and exclusions", f"{np.mean(hits):.3f}"),
    ]


def inverted_step(folder: Path, real: bool) -> list[Row]:
    """Recall and time of the cells over clustered rows and over rows of recombined words."""
    one_thread()
    rows = []
    for name, vectors in (("clustered", clustered()), ("recombined", _recombined(folder))):
        rows += _inverted(name, vectors)
    return rows


def clustered(rows: int = ROWS, dim: int = 384, seed: int = 0) -> Vectors:
    """Rows of length 1 around CENTRES centres, shape (rows, dim), float32.

    Cluster sizes follow a Zipf law, since the topics of a catalog are uneven as well.
    """
    random = np.random.default_rng(seed)
    centres = random.standard_normal((CENTRES, dim)).astype(np.float32)
    sizes = random.zipf(1.4, CENTRES).clip(1, 2_000).astype(float)
    of = random.choice(CENTRES, rows, p=sizes / sizes.sum())
    points = centres[of] + 0.7 * random.standard_normal((rows, dim), dtype=np.float32)
    unit: Vectors = points / np.linalg.norm(points, axis=1, keepdims=True)
    return unit


def _recombined(folder: Path) -> Vectors:
    from benchmarks.scale_catalog import recombined, shipped_rows
    from benchmarks.scale_encoder import words_encoder
    from retrieval import Settings

    shipped = Settings(_env_file=None).catalog
    encoder = words_encoder(shipped, folder / "words.npz", settings_in(folder))
    rows = recombined(shipped_rows(shipped), ROWS)
    return encoder.encode([f"{r['name']}: {r['description']}" for r in rows])


def _inverted(name: str, vectors: Vectors) -> list[Row]:
    random = np.random.default_rng(1)
    noise = random.standard_normal((QUERIES, vectors.shape[1]), dtype=np.float32)
    queries = vectors[random.choice(len(vectors), QUERIES)] + 0.02 * noise
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    ids = [f"t{n:06}" for n in range(len(vectors))]
    with timed() as filling:
        store = InvertedStore.fill(ids, vectors)
    took, hits = [], []
    for query in queries:
        floor = np.partition(vectors @ query, -AT)[-AT]
        start = process_time()
        results = store.search(query, AT)
        took.append((process_time() - start) * 1000)
        hits.append(np.mean([score >= floor - 1e-5 for _, score in results]))
    cells = f"{store.index.nprobe} of {store.index.nlist} cells"
    return [
        (f"cells, {name} {len(vectors):,}: built", str(filling)),
        (f"cells, {name}: query CPU", f"{_spread(took)}; {cells}"),
        (f"cells, {name}: recall@{AT}", f"{np.mean(hits):.3f}"),
    ]
