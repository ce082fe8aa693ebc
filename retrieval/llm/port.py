"""The port behind which language models stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol


class LanguageModel(Protocol):
    """Anything that answers a prompt; a JSON schema asks for a structured answer."""

    @property
    def id(self) -> str:
        """The model's name."""
        ...

    def complete(
        self,
        prompt: str,
        *,
        schema: dict[str, Any] | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        """The answer's text, within ``seconds`` of wall clock (None: the model's own limit).

        ``images`` are PNG files that go with the prompt. ``meter`` is told the tokens that went
        in and came out. Raises StageUnavailable when there is no answer.
        """
        ...
