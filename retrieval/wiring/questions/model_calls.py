"""A base for language models with one method, and the options of a call as one value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """The options of a call, each as in ``LanguageModel.complete``."""

    schema: dict[str, Any] | None = None
    images: Sequence[bytes] = ()
    seconds: float | None = None
    meter: Callable[[int, int], None] | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The options by name, as keyword arguments."""
        return {name: getattr(self, name) for name in self.__slots__}


class Replying(ABC):
    """A LanguageModel whose answers come from ``reply``."""

    id: str

    @abstractmethod
    def reply(self, prompt: str, how: How) -> str:
        """The answer's text. Raises StageUnavailable when there is none."""

    def complete(
        self,
        prompt: str,
        *,
        schema: dict[str, Any] | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        """The answer's text, as ``reply`` gives it."""
        how = How(schema=schema, images=images, seconds=seconds, meter=meter)
        return self.reply(prompt, how)
