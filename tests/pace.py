"""How quick this machine is now, so that a bound on time holds on a busy machine too."""

import re
import timeit
from collections.abc import Callable
from time import thread_time

QUIET_MS = 0.066
"""What ``work`` takes on the machine that the bounds were set on, while nothing else runs; beside
other work it took up to .14 there, and reading a text grew by the same factor to a tenth."""

_TABLE = {(f"w{n}",): n for n in range(5_000)}
_WORD = re.compile(r"\w+")


def work() -> int:
    """Words of a text and look-ups of up to three of them: what reading a text consists of."""
    words = tuple(_WORD.findall("segment the left hippocampus in T1 MRI w12 w77 w4999 " * 10))
    return sum(_TABLE.get(words[at : at + n], 0) for at in range(len(words)) for n in (3, 2, 1))


def quiet_ms(call: Callable[[], object], calls: int = 20, rounds: int = 7) -> float:
    """Milliseconds of processor time that a call would take on the quiet machine.

    The least of several rounds, each beside the time of ``work`` in the same round.
    """
    timed = [
        (
            timeit.timeit(call, timer=thread_time, number=calls) / calls,
            timeit.timeit(work, timer=thread_time, number=5 * calls) / (5 * calls),
        )
        for _ in range(rounds)
    ]
    return min(took / reference for took, reference in timed) * QUIET_MS
