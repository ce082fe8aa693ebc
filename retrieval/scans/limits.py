"""What one upload may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on time, memory, counts and sizes.

    ``batch_s`` is wall clock and bounds everything; ``file_s`` and ``preview_s`` are CPU seconds.
    After ``reading_part`` of the wall clock no further file is begun, so that an answer comes of
    those read; ``stop_s`` is what is left for it once somebody stops the reading.
    """

    batch_s: float = 10.0
    batch_s_per_file: float = 0.03
    batch_s_most: float = 40.0
    reading_part: float = 0.75
    stop_s: float = 15.0
    file_s: float = 1.2
    preview_s: float = 1.0
    memory_mb: int = 600
    inflate_mb: int = 64
    files: int = 5000
    members: int = 2000
    answer_mb: int = 8
    previews: int = 4
    refusals: int = 500

    def wall(self, files: int) -> float:
        """Seconds for a batch of so many paths: more for hundreds, never without a bound."""
        return min(self.batch_s + self.batch_s_per_file * files, self.batch_s_most)
