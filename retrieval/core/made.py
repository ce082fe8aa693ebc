"""Sequences whose items are made when they are first looked at."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Made(Sequence[T]):
    """Behaves as the tuple ``made`` does, and equals it; most are never looked at."""

    __slots__ = ()

    @property
    @abstractmethod
    def made(self) -> tuple[T, ...]:
        """The items."""

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
