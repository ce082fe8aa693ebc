"""A text with facts about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Document:
    """``page_content`` and ``metadata``, by LangChain's names."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
