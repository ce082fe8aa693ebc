"""What a wish costs that a tool does not meet, in spans of the scores of its list."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Spans of a list's scores that verdicts on one wish cost.

    ``failing`` is what failing costs beside what silence does; ``indirect``, what does as well as
    what is wanted (a browser on Windows, a plug-in with the windows of its host, a graphics card
    that is no more than recommended); ``silence``, silence about what every record states; and
    ``silent``, silence about what is required.
    """

    failing: float
    indirect: float
    silence: float
    silent: float


USUAL = Costs(failing=2.0, indirect=0.2, silence=1.0, silent=1.01)
"""Whatever fails stands below whatever passes, below what states nothing, and below what is for
something else but for that one's own place; silence about what is required below a pass. On seven
sets of requests with wishes an ``indirect`` of .15 and .25 fills .853 and .847 of the places that
tools of task and wish could fill (.851 without), and of the tools on them .084 and .059 state other
interfaces or systems (.134)."""

IN_STORIES = Costs(failing=0.2, indirect=0.05, silence=0.1, silent=0.2)
"""Of a long text nobody reads which tools are for something else, and of its sentences some sound
like wishes by chance: there a wish orders tools that serve about as well."""
