"""No connection leaves the machine unless somebody switched it on."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from retrieval.core.errors import OutsideCallRefused


@dataclass(frozen=True, slots=True)
class OutsideCalls:
    """Which purposes may call out; every adapter asks here before it connects."""

    allowed: frozenset[str] = frozenset()
    made: list[tuple[str, str]] = field(default_factory=list)

    def permit(self, purpose: str, url: str) -> None:
        """Record the call, or raise OutsideCallRefused; only the host is kept."""
        host = urlsplit(url).hostname or ""
        if purpose not in self.allowed:
            raise OutsideCallRefused(f"{purpose} is off: nothing is sent until it is switched on")
        self.made.append((purpose, host))
