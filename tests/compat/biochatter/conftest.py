"""What these tests share with those of databases."""

from __future__ import annotations

from tests.databases.conftest import serving

__all__ = ["serving"]
