"""An answer as a report in Markdown, with a paragraph for a methods section."""

from __future__ import annotations

import re
from collections.abc import Sequence

from components.render.codes import code_name, token_words
from components.render.downloads.export import doi_of
from components.render.markup import safe_url
from components.render.search.form import NAMES, SIZE_WORDS
from components.render.wish_words import wish_words
from components.render.words import REASONS, count, milliseconds, reasons, stage_label
from retrieval import Answer, Candidate, Page, Tool, evidence_markdown

FEW = 6
"""Values of a filter that the methods paragraph names; of more it says how many."""

MARKS = re.compile(r"([\\`*_{}\[\]<>|#!~&])")


def plain(text: object) -> str:
    """Text that Markdown shows literally, on one line.

    Blanks and line breaks become one blank; ``&`` is escaped because Markdown lets HTML through.
    """
    return MARKS.sub(r"\\\1", " ".join(str(text).split()))


def as_markdown(
    answer: Answer, chosen_tools: Sequence[Tool] = (), papers: Sequence[Page] = ()
) -> str:
    """Question, tools with reasons, papers, stages, methods; nothing of a scan but its codes.

    Chosen tools come first, those that the list holds with all that it says of them.
    """
    ids = [tool.id for tool in chosen_tools]
    ranked = [
        (c.tool.id, _tool(rank, c, answer.query.raw))
        for rank, c in enumerate(answer.candidates, start=1)
    ]
    cited = [(plain(tool.name), plain(doi_of(tool) or "")) for tool in chosen_tools]
    names = [f"- {name}, doi:{doi}" if doi else f"- {name}" for name, doi in cited]
    rows = ["\n".join(names), *(text for id, text in ranked if id in ids)]
    others = [text for id, text in ranked if id not in ids]
    head = "## Other tools, best first" if ids else "## Tools, best first"
    stages = ["| stage | status | tools | time |", "|---|---|---|---|"]
    for node in answer.result.stages():
        number = len(node.state.candidates) if node.ran else 0
        cells = (stage_label(node.name), node.status, number, milliseconds(node.elapsed_ms))
        stages.append("| " + " | ".join(plain(cell) for cell in cells) + " |")
    parts = [
        f"# Software for: {plain(answer.query.raw or 'a scan')}",
        _question(answer),
        "\n\n".join(["## Chosen", *rows]) if ids else "",
        "\n\n".join([head, *others]) if others else "",
        "" if ranked else "No tool was found.",
        f"## Papers\n\n{evidence_markdown(papers)}" if papers else "",
        "## How it was found",
        "\n".join(stages),
        "## Methods paragraph",
        plain(methods(answer, chosen_tools)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _question(answer: Answer) -> str:
    query = answer.query
    rows = [
        ("Scan facts", ", ".join(token_words(t) for t in query.tokens)),
        ("Left out", ", ".join(query.excluded)),
        *((name, " or ".join(values)) for name, values in _settings(answer)),
        ("Mode", answer.mode.name),
        ("Note", REASONS[answer.reason][0] if answer.reason else ""),
    ]
    return "\n".join(f"- {name}: {plain(value)}" for name, value in rows if value)


def _settings(answer: Answer) -> list[tuple[str, list[str]]]:
    """What the search had otherwise than by default, besides text, scan and mode, with values."""
    query = answer.query
    sizes = {"top_k": query.top_k, **answer.sizes}
    rows = [(NAMES[facet], sorted(getattr(query.filters, facet))) for facet in NAMES]
    rows = [(name, [code_name(value) for value in values]) for name, values in rows]
    rows += [
        ("Field of research", sorted(query.filters.domains)),
        ("Wishes", [", ".join(map(wish_words, query.wishes))] if query.wishes else []),
        ("Stages switched off", [", ".join(stage_label(name) for name in sorted(query.off))]),
        ("Re-ranking", [] if query.rerank else ["off"]),
        ("Taste", ["tools chosen and excluded before"] if query.liked or query.disliked else []),
        *((SIZE_WORDS[name], [f"{size:,}"] if size else []) for name, size in sizes.items()),
    ]
    return [(name, values) for name, values in rows if any(values)]


def _tool(rank: int, candidate: Candidate, typed: str) -> str:
    tool = candidate.tool
    address = safe_url(tool.url) or safe_url(tool.repo)
    rows = [
        plain(tool.description),
        f"- Licence: {plain(code_name(tool.license or 'not stated'))}",
        *([f"- Home: <{address.replace('>', '%3E')}>"] if address else []),
        *(f"- {plain(sentence)}" for _, sentence in reasons(candidate, typed)),
        *(f"- Fit, {f.fact}: {f.verdict}" for f in candidate.fit or ()),
    ]
    return "\n".join([f"### {rank}. {plain(tool.name)}", "", rows[0], "", *rows[1:]])


def methods(answer: Answer, chosen_tools: Sequence[Tool]) -> str:
    """A paragraph for a methods section: what was searched, how, and which tools were chosen."""
    query = answer.query
    facts = ", ".join(token_words(t) for t in query.tokens)
    scan = f" for data described by {facts}" if facts else ""
    what = f' for the task "{query.raw}"' if query.raw else ""
    ran = [stage_label(n.name) for n in answer.result.stages() if n.ran]
    stages = ", ".join(dict.fromkeys(ran))
    first = (
        f"Software was searched with ScanScout{what}{scan} (mode {answer.mode.name}, encoder "
        f"{answer.mode.encoder}, catalog sha256 {answer.catalog_sha256[:12]}). "
    )
    second = f"Candidates were ranked by these stages: {stages}. " if stages else ""
    settings = "; ".join(
        f"{name}: {' or '.join(values) if len(values) <= FEW else f'one of {len(values)}'}"
        for name, values in _settings(answer)
    )
    second += f"The search was set to {settings}. " if settings else ""
    third = f"{count(len(answer.candidates), 'tool').capitalize()} were listed"
    tools_with_details = ", ".join(_with_details(answer, tool) for tool in chosen_tools)
    last = f"; chosen were {tools_with_details}." if tools_with_details else "."
    return f"{first}{second}{third}{last}"


def _with_details(answer: Answer, tool: Tool) -> str:
    """``name (rank 2, licence MIT, doi:...)``, of which only what is on record is there."""
    ranks = [n for n, c in enumerate(answer.candidates, start=1) if c.tool.id == tool.id]
    details = [f"rank {ranks[0]}"] if ranks else []
    details += [f"licence {code_name(tool.license)}"] if tool.license else []
    details += [f"doi:{doi}"] if (doi := doi_of(tool)) else []
    return f"{tool.name} ({', '.join(details)})" if details else tool.name
