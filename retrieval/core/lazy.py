"""What is made when it is first looked at: most is never looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")
V = TypeVar("V")


class Later(Generic[V]):
    """A value that is made once; what it is made of is let go then."""

    __slots__ = ("_made", "_make")
    _made: V

    def __init__(self, make: Callable[[], V]) -> None:
        self._make: Callable[[], V] | None = make

    @property
    def made(self) -> V:
        """The value."""
        make = self._make
        if make is not None:
            self._made = make()
            self._make = None
        return self._made


class Made(Later[tuple[T, ...]], Sequence[T]):
    """Behaves as the tuple that is made later does, and equals it."""

    __slots__ = ()

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        return self.made[at]

    def __iter__(self) -> Iterator[T]:
        return iter(self.made)

    def __len__(self) -> int:
        return len(self.made)

    def __eq__(self, other: object) -> bool:
        return self.made == (other.made if isinstance(other, Made) else other)

    def __hash__(self) -> int:
        return hash(self.made)

    def __repr__(self) -> str:
        return repr(self.made)
