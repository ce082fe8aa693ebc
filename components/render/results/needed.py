"""What has to be installed before listed tools work, as a group below the list; pure."""

from __future__ import annotations

from components.render.markup import esc, link, tool_button
from components.render.words import count
from retrieval import Answer

FIRST = 4
"""Prerequisites shown before "show more": the group stays smaller than one row of the list."""

NAMES = 3
"""Tools named per prerequisite; with more the line would wrap in half a window."""


def needed_group(answer: Answer) -> str:
    """Every prerequisite with the listed tools that need it and the page that says so.

    In the order of the answer; nothing where no listed tool states one.
    """
    names = {c.tool.id: c.tool.name for c in answer.candidates}
    rows = []
    for one in answer.insight.also_needed:
        # A listed tool has its own row above, which opens it.
        name = f"<b>{esc(one.name)}</b>" if one.id in names else tool_button(one.id, one.name)
        rows.append(_row(name, [names[id] for id in one.needed_by if id in names], one.source))
    if not rows:
        return ""
    more = ""
    if rest := rows[FIRST:]:
        summary = f"<summary>Show {count(len(rest), 'more prerequisite')}</summary>"
        more = f"<details class='more'>{summary}<ul>{''.join(rest)}</ul></details>"
    head = "<h3 id='needed-head'>You also need</h3>"
    content = f"{head}<ul>{''.join(rows[:FIRST])}</ul>{more}"
    return f"<section class='needed' aria-labelledby='needed-head'>{content}</section>"


def _row(name: str, tools: list[str], source: str | None) -> str:
    """``name`` is HTML. The source is the first tool's and stands beside that one."""
    first, others = esc(tools[0]), tools[1:NAMES]
    page = link(source, "source")
    users = [f"{first} ({page})" if page else first, *map(esc, others)]
    rest = f" and {count(len(tools) - NAMES, 'other')}" if len(tools) > NAMES else ""
    return f"<li>{name} <span class='sub'>for {', '.join(users)}{rest}</span></li>"
