"""An encoder that loads behind the page's back."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter

import numpy as np

from retrieval.core import Encoder, StageUnavailable, Vectors
from retrieval.dense.source import WARMING

CACHED_QUERIES = 512


def text_key(text: str) -> bytes:
    """What a cache keeps of a text: words of a visitor do not stay behind in it."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Loading:
    """Stands for an encoder until it is there; raises StageUnavailable meanwhile.

    Vectors are kept for the last CACHED_QUERIES texts, the texts themselves are not.
    """

    def __init__(self, load: Callable[[], Encoder], *, id: str, dim: int) -> None:
        self._load, self.id, self.dim = load, id, dim
        self._inner: Encoder | None = None
        self.problem: str | None = None  # why there will be no encoder
        self._waiting = WARMING
        self._done = threading.Event()
        self._started = threading.Lock()
        self._cache: OrderedDict[bytes, Vectors] = OrderedDict()
        self._limit = CACHED_QUERIES
        self.load_ms = 0.0

    def start(self) -> None:
        """Begin to load in a daemon thread, once."""
        if self._started.acquire(blocking=False):
            threading.Thread(target=self._run, name="encoder", daemon=True).start()

    def wait(self) -> None:
        """Load if nobody did, and return when it is there or has failed."""
        self.start()
        self._done.wait()

    @property
    def ready(self) -> bool:
        """Whether texts can be encoded now."""
        return self._inner is not None

    def say(self, reason: str) -> None:
        """Tell those who ask meanwhile why loading takes longer."""
        self._waiting = f"{reason}; keyword search answers meanwhile"

    def _run(self) -> None:
        start = perf_counter()
        try:
            self._inner = self._load()
        except StageUnavailable as exc:
            self.problem = str(exc)
        finally:
            if self._inner is None and self.problem is None:
                self.problem = "the sentence encoder could not be loaded; see the log"
            self.load_ms = (perf_counter() - start) * 1000
            self._done.set()

    def _encoder(self) -> Encoder:
        if self._inner is None:
            raise StageUnavailable(self.problem or self._waiting)
        return self._inner

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """Vectors (texts, dim) float32 in the order of the texts; cached ones are not encoded.

        Raises StageUnavailable while the encoder loads, and when it could not be loaded.
        """
        encoder = self._encoder()
        # Taken out at once: another thread may push a text out of the cache meanwhile.
        keys = {t: text_key(t) for t in texts}
        cached = {t: row for t, key in keys.items() if (row := self._cache.get(key)) is not None}
        new = [t for t in keys if t not in cached]
        fresh = dict(zip(new, encoder.encode(new, batch_size), strict=True))
        rows = [fresh[t] if t in fresh else cached[t] for t in texts]
        for text, row in list(fresh.items())[-self._limit :]:
            self._cache[keys[text]] = row
        while len(self._cache) > self._limit:
            self._cache.popitem(last=False)
        return np.array(rows) if rows else np.zeros((0, self.dim), dtype=np.float32)

    def begin(self, text: str) -> None:
        """Begin to encode a text beside the caller, where the encoder can; nothing while it loads.

        Who asks for the text next gets that pass.
        """
        begin: Callable[[str], None] | None = getattr(self._inner, "begin", None)
        if begin is not None and text_key(text) not in self._cache:
            begin(text)

    def remember(self, texts: Iterable[str]) -> None:
        """Encode texts in batches now, and keep all of them whatever the limit (judged runs).

        Raises the limit to twice the number of cached texts where it is lower. Raises
        StageUnavailable while there is no encoder.
        """
        listed = list(dict.fromkeys(texts))
        rows = self._encoder().encode(listed)
        self._cache.update(zip(map(text_key, listed), rows, strict=True))
        self._limit = max(self._limit, 2 * len(self._cache))

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """As the encoder's own."""
        return self._encoder().encode_tokens(texts)
