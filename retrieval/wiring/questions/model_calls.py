"""A language model made of one method: what a prompt is asked with, kept together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """What goes with a prompt; each as in ``LanguageModel.complete``."""

    schema: dict[str, Any] | None = None
    images: Sequence[bytes] = ()
    seconds: float | None = None
    meter: Callable[[int, int], None] | None = None

    @property
    def options(self) -> dict[str, Any]:
        """By name, to be handed on."""
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
