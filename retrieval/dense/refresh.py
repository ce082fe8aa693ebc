"""An index for a catalog, re-embedding only the texts that are new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.core.errors import StageUnavailable
from retrieval.core.ports import Encoder
from retrieval.core.types import Tool
from retrieval.dense.folder import IndexMeta, Stored, rows_of, text_hash
from retrieval.dense.stores import FaissStore
from retrieval.dense.templates import template_text


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
    """Counts from fingerprints by id; a fingerprint covers every field of a record."""
    kept = sum(before.get(i) == print_ for i, print_ in now.items())
    added = len(now.keys() - before.keys())
    return Changes(
        kept=kept,
        added=added,
        updated=len(now) - kept - added,
        removed=len(before.keys() - now.keys()),
    )


def refreshed(
    before: Stored | None,
    tools: Sequence[Tool],
    encoder: Encoder,
    template: str,
    *,
    catalog_sha256: str,
    fingerprints: Mapping[str, str],
    terms: Sequence[str],
) -> Stored:
    """The index of these tools; vectors of unchanged texts come from the state before."""
    usable = before if before and _same(before.meta, encoder, template) else None
    texts = {t.id: template_text(template, t) for t in tools}
    hashes = {i: text_hash(text) for i, text in texts.items()}
    known = rows_of(usable, list(hashes.values()))
    new = {h: texts[i] for i, h in hashes.items() if h not in known}
    known.update(zip(new, encoder.encode(list(new.values())), strict=True))
    vectors = np.stack([known[hashes[t.id]] for t in tools])
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
    store = FaissStore(meta.ids, vectors)
    term_vectors = _term_vectors(usable, terms, encoder)
    return Stored(meta=meta, store=store, terms=tuple(terms), term_vectors=term_vectors)


def _same(meta: IndexMeta, encoder: Encoder, template: str) -> bool:
    # An encoder that is not loaded yet may not know its width.
    width = encoder.dim or meta.dim
    return (meta.model, meta.dim, meta.template) == (encoder.id, width, template)


def _term_vectors(before: Stored | None, terms: Sequence[str], encoder: Encoder) -> np.ndarray:
    known = dict(zip(before.terms, before.term_vectors, strict=True)) if before else {}
    new = [t for t in terms if t not in known]
    known.update(zip(new, encoder.encode(new, batch_size=128), strict=True))
    rows = [known[t] for t in terms]
    return np.stack(rows) if rows else np.zeros((0, encoder.dim), dtype=np.float32)
