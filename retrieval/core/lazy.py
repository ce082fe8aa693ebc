"""Values computed on first access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")
V = TypeVar("V")


class Lazy(Generic[V]):
    """A value computed once; the function that computes it is released afterwards."""

    __slots__ = ("_compute", "_value")
    _value: V

    def __init__(self, compute: Callable[[], V]) -> None:
        self._compute: Callable[[], V] | None = compute

    @property
    def value(self) -> V:
        """The value."""
        # A local name, because another thread may release the function after the check.
        compute = self._compute
        if compute is not None:
            self._value = compute()
            self._compute = None
        return self._value


class LazyTuple(Lazy[tuple[T, ...]], Sequence[T]):
    """A tuple computed on first access; equals the same plain tuple."""

    __slots__ = ()

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
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
