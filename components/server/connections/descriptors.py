"""Descriptors: each connection takes one, and many systems begin with 1,024 for a process."""

from __future__ import annotations

import logging

logger = logging.getLogger(__name__)

WANTED = 8192
"""Four times the connections that are let in: the rest is for files, pipes and child processes."""

RESERVED = 512
"""For files, pipes and child processes (256) and for connections that are being closed (256)."""

FEWEST = 64
"""Connections that are let in however few descriptors there are: the page needs some."""


def raised_limit() -> int:
    """The descriptors that this process may have, after asking for as many as are wanted.

    Side effect: raises the soft limit of this process up to ``WANTED``, never the hard one.
    """
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return WANTED if soft == resource.RLIM_INFINITY else soft


def connections_within(descriptors: int, connection_goal: int) -> int:
    """How many connections fit into the descriptors; a warning is logged if fewer than wanted.

    Never below ``FEWEST``, even where the descriptors do not suffice for that.
    """
    fitting = max(FEWEST, min(connection_goal, descriptors - RESERVED))
    if fitting < connection_goal:
        logger.warning(
            "%d descriptors (ulimit -n) are enough for %d of %d connections",
            descriptors,
            fitting,
            connection_goal,
        )
    return fitting
