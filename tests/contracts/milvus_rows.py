"""What both Milvus suites need: the package, rows whose products are exact, their names."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from retrieval.net.permission import OutsideCalls

ROOT = Path(__file__).parents[2]
MISSING = [name for name in ("pymilvus", "milvus_lite") if find_spec(name) is None]
installed = pytest.mark.skipif(
    bool(MISSING), reason=f"{MISSING} not installed: pip install -e '.[milvus-lite]'"
)
needs_client = pytest.mark.skipif(
    "pymilvus" in MISSING, reason="pymilvus is not installed: pip install -e '.[milvus]'"
)
NOBODY = OutsideCalls()


def exact_rows(n, dim=64, seed=0):
    """Unit rows of sixteen quarters each: their inner products are exact, and many are equal."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((n, dim), dtype=np.float32)
    for row in rows:
        row[rng.choice(dim, 16, replace=False)] = rng.choice([-0.25, 0.25], 16)
    return rows


def named(n, seed=0):
    return [f"tool-{i:05}" for i in np.random.default_rng(seed).permutation(n)]
