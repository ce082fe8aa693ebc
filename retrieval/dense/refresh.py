"""An index for a catalog, re-embedding only the texts that are new."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.core import Encoder, StageUnavailable, Tool, Vectors
from retrieval.dense.folder import IndexMeta, Stored, rows_of, text_hash
from retrieval.dense.inverted import store_for
from retrieval.dense.journal import SHARD, Journal
from retrieval.dense.templates import template_text

SLACK = 1e-3
"""A row whose norm differs from 1 by more than this is normalised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How a catalog differs from the index before; counts of records."""

    kept: int
    added: int
    updated: int
    removed: int

    @property
    def any(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.added or self.updated or self.removed)


def changes(before: Mapping[str, str], now: Mapping[str, str]) -> Changes:
    """Counts from fingerprints by id; a fingerprint covers every field of a record.

    An id with another fingerprint than before counts as updated.
    """
    unchanged = sum(before.get(i) == print_ for i, print_ in now.items())
    added = len(now.keys() - before.keys())
    return Changes(
        kept=unchanged,
        added=added,
        updated=len(now) - unchanged - added,
        removed=len(before.keys() - now.keys()),
    )


Progress = Callable[[int, int], None]
"""Called with the number of embedded texts and their total; first with those that a journal had."""


def refreshed(
    before: Stored | None,
    tools: Sequence[Tool],
    encoder: Encoder,
    template: str,
    *,
    catalog_sha256: str,
    fingerprints: Mapping[str, str],
    terms: Sequence[str],
    journal: Journal | None = None,
    on_progress: Progress = lambda done, total: None,
) -> Stored:
    """The index of these tools; vectors of unchanged texts come from the state before.

    With a journal, finished batches are kept as they come and those of a killed run are used.
    """
    usable = None
    # An encoder that is not loaded yet may not know its width.
    if before and (before.meta.model, before.meta.dim, before.meta.template) == (
        encoder.id,
        encoder.dim or before.meta.dim,
        template,
    ):
        usable = before
    texts = {t.id: template_text(template, t) for t in tools}
    hashes = {i: text_hash(text) for i, text in texts.items()}
    rows_by_hash = rows_of(usable, list(hashes.values()))
    earlier = dict(zip(usable.terms, usable.term_vectors, strict=True)) if usable else {}
    words = {text_hash(t): earlier[t] for t in terms if t in earlier}
    new = {h: texts[i] for i, h in hashes.items() if h not in rows_by_hash}
    new.update({h: t for t in terms if (h := text_hash(t)) not in words})
    embedded = _embedded(encoder, new, journal, on_progress)
    rows_by_hash, words = {**embedded, **rows_by_hash}, {**embedded, **words}
    vectors = np.stack([rows_by_hash[hashes[t.id]] for t in tools])
    if not np.isfinite(vectors).all():
        raise StageUnavailable(
            f"{encoder.id} gave vectors that are no numbers; set SCANSCOUT_ENCODER to another model"
        )
    meta = IndexMeta(
        model=encoder.id,
        dim=vectors.shape[1],
        template=template,
        catalog_sha256=catalog_sha256,
        ids=tuple(t.id for t in tools),
        fingerprints=dict(fingerprints),
        texts=hashes,
    )
    rows = [words[text_hash(t)] for t in terms]
    of_terms = np.stack(rows) if rows else np.zeros((0, meta.dim), dtype=np.float32)
    store = store_for(meta.ids, vectors, of_terms if rows else None)
    return Stored(meta=meta, store=store, terms=tuple(terms), term_vectors=of_terms)


def _embedded(
    encoder: Encoder, texts: Mapping[str, str], journal: Journal | None, on_progress: Progress
) -> dict[str, Vectors]:
    """Vectors by hash, batch by batch; the journal gets what a killed run should not lose.

    Rows of another norm than 1 are normalised; zero rows stay as they are.
    """
    journaled = journal.read() if journal else {}
    vectors = {h: journaled[h] for h in texts if h in journaled}
    left = [h for h in texts if h not in vectors]
    on_progress(len(vectors), len(texts))
    size = journal.every if journal else SHARD
    for start in range(0, len(left), size):
        batch = left[start : start + size]
        rows = encoder.encode([texts[h] for h in batch])
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        odd = (np.abs(norms - 1.0) > SLACK) & (norms > 0)
        rows = np.where(odd, rows / np.where(norms > 0, norms, 1.0), rows).astype(np.float32)
        vectors.update(zip(batch, rows, strict=True))
        if journal and len(left) > size:
            journal.write({h: vectors[h] for h in batch})
        on_progress(len(vectors), len(texts))
    return vectors
