"""What the graph added to an answer that no other stage had listed, in a sentence; pure."""

from __future__ import annotations

from components.render.markup import esc, tool_button
from components.render.words import agree, count, kind_of_stage
from retrieval import Answer, Tool

MOST = 8
"""Tools that are named; of the rest only the number is shown."""


def reached(answer: Answer) -> tuple[tuple[Tool, ...], int] | None:
    """The shown tools that only the graph led to, best first, and how many it added in all.

    Counted against the lists of every stage that ran before it; None where no graph stage ran.
    """
    earlier: set[str] = set()
    for stage in answer.result.stages():
        ids = {c.tool.id for c in stage.state.candidates} if stage.ran else set()
        if stage.ran and kind_of_stage(stage.name) == "graph":
            added = ids - earlier
            tools = tuple(c.tool for c in answer.candidates if c.tool.id in added)
            return tools, len(added)
        earlier |= ids
    return None


def reached_words(answer: Answer) -> str:
    """The sentence above the graph; nothing before the answer is complete or without a graph."""
    only = reached(answer) if answer.done and answer.candidates else None
    if only is None or not only[1]:
        return ""
    tools, added = only
    total = count(len(answer.candidates), "tool")
    if not tools:
        which = agree(added, "it is not", "none of them is")
        text = f"The graph led to {count(added, 'tool')} that no other stage had listed"
        # The column of the stage counts against the list before it alone.
        nodes = [n for n in answer.result.stages() if n.ran and kind_of_stage(n.name) == "graph"]
        to_list = int(nodes[0].metrics.get("added", added))
        text += f", of {to_list} that it added to the list before it; " if to_list > added else "; "
        return f"<p class='reached'>{text}{which} among the {total} above.</p>"
    names = ", ".join(tool_button(tool.id, tool.name) for tool in tools[:MOST])
    more = f" and {len(tools) - MOST} more" if len(tools) > MOST else ""
    verb = agree(len(tools), "was", "were")
    lead = esc(f"{len(tools)} of the {total} above {verb} reached only through the graph: ")
    return f"<p class='reached'>{lead}{names}{more}.</p>"
