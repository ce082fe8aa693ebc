"""Tuples computed on first access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class LazyTuple(Sequence[T]):
    """Computed once, by a function that is released then; equals the same plain tuple."""

    __slots__ = ("_compute", "_value")
    _value: tuple[T, ...]

    def __init__(self, compute: Callable[[], tuple[T, ...]]) -> None:
        self._compute: Callable[[], tuple[T, ...]] | None = compute

    @property
    def value(self) -> tuple[T, ...]:
        """The tuple."""
        # A local name, because another thread may release the function after the check.
        compute = self._compute
        if compute is not None:
            self._value = compute()
            self._compute = None
        return self._value

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - as the tuple's own
        return self.value[at]

    def __iter__(self) -> Iterator[T]:
        return iter(self.value)

    def __len__(self) -> int:
        return len(self.value)

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, LazyTuple) else other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return repr(self.value)
