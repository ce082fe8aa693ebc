"""The port behind which language models stand, and a stand-in that shows what would be sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from retrieval.core import StageUnavailable
from retrieval.llm.budget import guess_tokens

IMAGE_TOKENS = 1500
"""Tokens held back for one picture."""


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

        ``images`` are PNG files that go with the prompt. ``meter`` gets the tokens that went
        in and came out. Raises StageUnavailable when there is no answer.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One prompt as it would leave: to which host and model, its text, its images (PNG).

    ``then`` are texts of prompts that may follow, as they would be if this one got no answer.
    ``cost`` is the most that this one costs at the prices that are set; 0 where none is.
    """

    host: str
    model: str
    text: str
    images: tuple[bytes, ...] = ()
    then: tuple[str, ...] = ()
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        """An upper estimate of the tokens that go in."""
        return guess_tokens(self.text) + IMAGE_TOKENS * len(self.images)


class Preview:
    """A LanguageModel that records its prompts and answers none; it opens no connection."""

    def __init__(self, model: str, host: str) -> None:
        self._model, self._host = model, host
        self.seen: list[Outgoing] = []

    @property
    def outgoing(self) -> Outgoing | None:
        """The first request with those that may follow; None where nothing was asked."""
        if not self.seen:
            return None
        return replace(self.seen[0], then=tuple(one.text for one in self.seen[1:]))

    @property
    def id(self) -> str:
        """The name of the model that would be asked."""
        return self._model

    def complete(
        self,
        prompt: str,
        *,
        schema: dict[str, Any] | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        """Keep the request; always raises StageUnavailable."""
        self.seen.append(
            Outgoing(host=self._host, model=self._model, text=prompt, images=tuple(images))
        )
        raise StageUnavailable("shown before it is sent; nothing was sent")
