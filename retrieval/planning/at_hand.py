"""The formats that a text says its files have, held against what a record states its tool reads."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.core import Fit, Format, ScanInfo, Tool
from retrieval.fit import ANY_IMAGE, LONGEST, Convert, field, opening_formats, way_in, written_for
from retrieval.query import conversion_of, formats_at_hand, formats_to_read


def other_format(text: str, tool: Tool, convert: Convert) -> Fit | None:
    """A failing format where a record states other input formats than a text says are at hand.

    None where it states one of them, states none, or conversions lead from one to what it reads;
    of a text nothing is known of the image, so the conversion need be stated for any image alone.
    """
    formats = formats_at_hand(text)
    if not formats or not tool.formats_in or _reads(tool, formats):
        return None
    chains = (way_in(one, [*map(str, tool.formats_in)], ANY_IMAGE, convert) for one in formats)
    if any(chain is not None and len(chain) <= LONGEST for chain in chains):
        return None
    words = " or ".join(map(str, formats))
    return Fit(fact="format", verdict="fail", scan=words, tool=field("formats_in", tool.formats_in))


def unread_format(text: str, tool: Tool) -> str:
    """What a record does not state of the formats that a text asks for, in words; else empty.

    Of a format that somebody only has, a record that states others may be reached by a
    conversion; one that is to be read or converted is read by the tool itself.
    """
    formats, pair = formats_at_hand(text), conversion_of(text)
    is_open = bool(formats_to_read(text)) or not tool.formats_in
    if formats and is_open and not _reads(tool, formats):
        return f"reading {' or '.join(map(str, formats))} not stated"
    if pair is not None and written_for(tool, pair.after) is None:
        return f"writing {pair.after} not stated"
    return ""


def _reads(tool: Tool, formats: Iterable[Format]) -> bool:
    """Whether a record states that its tool reads or converts from one of the formats."""
    stated = {*tool.formats_in, *(pair.before for pair in tool.converts)}
    return any(not opening_formats(ScanInfo(format=one)).isdisjoint(stated) for one in formats)
