"""Recommended tools, a row each: what to use, why, and on what terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import date

from msgspec import structs

from components.data import Data, Form
from components.render.markup import attrs, button, cells, esc, shortened, table
from components.render.results.fitness import (
    fit_badges,
    lacks_a_part,
    terms_badge,
    terms_of,
    year_badge,
)
from components.render.results.licences import licence
from components.render.results.needed import needed_group
from components.render.results.order_words import effect_words, order_words
from components.render.search.doubt import doubt_words
from components.render.words import CLOSE, EXPECTED, count, reasons, signal_label, stage_label
from components.share import not_carried
from retrieval import Answer, Candidate, Tool, Why, summary_of

NOTHING = Data()
FIRST = 8
"""Rows shown before "show more"."""

USED = "Uses words of the search: "

UNNAMED = ", which you do not name"
"""The end of a lack that the detail has whole."""

LONGEST_LACK = 64
"""Letters of a lack that keep to one line of a card at 1,280 pixels."""

SHARING = frozenset({"states", "words", "name", "token", "conversion", "language model", "web"})
"""Kinds of reasons by which a tool shares something with a request."""

FAR = "Below: little in common with your words."

Places = Mapping[str, tuple[tuple[str, int, float], ...]]
"""Stage, rank and score of a tool in every list, by tool id."""


def places(answer: Answer) -> Places:
    """Where every tool stands in every stage that ran.

    By tool id: stage, rank from 1 and score there, in the order in which the stages ran. Stages
    that were skipped or failed are left out.
    """
    standings: dict[str, list[tuple[str, int, float]]] = {}
    for node in answer.result.stages():
        for rank, one in enumerate(node.state.candidates if node.ran else (), start=1):
            standings.setdefault(one.tool.id, []).append((node.name, rank, one.score))
    return {tool: tuple(rows) for tool, rows in standings.items()}


def cards(answer: Answer, data: Data = NOTHING, form: Form | None = None) -> str:
    """The final list as rows: the first eight, the rest behind a button.

    A row opens, chooses or excludes its tool; all else about it stands in the detail. Each has a
    mark for the visitor's purpose and machine, where these are stated. The list of an answer that
    is not done has the first rows alone, and its head says that more is to come. ``form`` is what
    the page's link is made of; without one it is made of the words alone.
    """
    candidates = answer.candidates if answer.done else answer.candidates[:FIRST]
    if not candidates:
        return ""
    gap, shared = answer.insight.gap, _shared_lacks(answer, candidates)
    listed = frozenset(c.tool.name for c in candidates)
    names = {c.tool.name for node in answer.result.stages() for c in node.state.candidates}
    rows = [
        _card(
            n,
            _without_paths(c, listed, names),
            data,
            typed=answer.query.raw,
            lacks=gap.lacks(c.tool.id),
            shared=shared,
            is_lacking=lacks_a_part(c, answer),
        )
        for n, c in enumerate(candidates, start=1)
    ]
    near = _near(answer, candidates)
    more = ""
    if rest := rows[FIRST:]:
        summary = f"<summary>Show {count(len(rest), 'more tool')}</summary>"
        more = f"<details class='more'>{summary}{_list(rest, FIRST, near)}</details>"
    head = _head(answer, shared)
    first = _list(rows[:FIRST], 0, near)
    lost = not_carried(form or Form(text=answer.query.text), data)
    top = attrs(class_="head", data_unlinked=lost or None)
    how = f"<summary>How ordered</summary><p class='sub'>{esc(order_words(answer))}</p>"
    order = f"<details class='how'>{how}</details>"
    return f"<div{top}>{head}</div>{first}{more}{order}{needed_group(answer)}"


def _head(answer: Answer, shared: Sequence[str]) -> str:
    """The title of a list and what concerns all of its tools; what ordered it stands below it."""
    parts = [f"{count(len(answer.candidates), 'tool')}."]
    if shared:
        parts.append(f"None of these records states {' or '.join(shared)}.")
    if answer.wishes is not None:
        parts.append(effect_words(answer.wishes, answer.query.wishes))
    line = f"<p class='sub'>{esc(' '.join(filter(None, parts)))}</p>"
    return f"<h2>{_title(answer)}</h2>{line}"


def _without_paths(candidate: Candidate, listed: Set[str], names: Set[str]) -> Candidate:
    """A candidate without the paths that begin at a tool which the list does not show."""

    def is_shown(why: Why) -> bool:
        starts = [name for name in names if why.text.startswith(f"{name} ")]
        # Of MONAI and MONAI Label the longer name is the tool's.
        return why.kind != "path" or not starts or max(starts, key=len) in listed

    return structs.replace(candidate, why=tuple(filter(is_shown, candidate.why)))


def _near(answer: Answer, candidates: Sequence[Candidate]) -> int:
    """How many tools lead the list up to the last one that shares something with the request.

    All of them where none does: what the whole list is worth is told above it.
    """
    shares = [
        any(why.kind in SHARING and why.text for why in c.why)
        or any(why.kind == "meaning" and (why.value or 0.0) >= CLOSE for why in c.why)
        for c in candidates
    ]
    last = max((n for n, is_near in enumerate(shares, start=1) if is_near), default=0)
    return last if last and answer.query.text else len(candidates)


def _list(rows: Sequence[str], before: int, near: int) -> str:
    """Rows as a list, behind ``before`` others, in two where the first far one is among them."""
    cut = max(0, near - before)
    parts = [(before, rows[:cut]), (before + cut, rows[cut:])]
    lists = [f"<ol{attrs(class_='cards', start=n + 1)}>{''.join(some)}</ol>" for n, some in parts]
    if not rows[cut:] or near < before:
        return lists[0] if rows[:cut] else lists[1]
    return f"{lists[0] if rows[:cut] else ''}<p class='sub'>{FAR}</p>{lists[1]}"


def _title(answer: Answer) -> str:
    """What the list is; the page's script counts the stages down that are still to run."""
    if not answer.done:
        ended = {node.name for node in answer.result.stages()}
        stages_to_go = [name for name in EXPECTED.get(answer.mode.name, ()) if name not in ended]
        words = (
            f"{count(len(stages_to_go), 'stage')} to go" if stages_to_go else "more stages to go"
        )
        return f"First list; <span data-left>{words}</span>"
    is_doubtful = answer.unread or doubt_words(answer) is not None
    best = summary_of(answer.candidates[0].fit) if answer.candidates else None
    is_failing = best is not None and best.verdict == "fail"
    return "The nearest tools" if is_doubtful or is_failing else "Recommended tools"


def _shared_lacks(answer: Answer, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The unmet parts that none of these records states: told once above the list."""
    gap = answer.insight.gap
    first, *others = (gap.lacks(candidate.tool.id) for candidate in candidates)
    return tuple(part for part in first if others and all(part in lacks for lacks in others))


def _card(
    rank: int,
    candidate: Candidate,
    data: Data,
    *,
    typed: str,
    lacks: Sequence[str] = (),
    shared: Sequence[str] = (),
    is_lacking: bool = False,
) -> str:
    """Name and verdict, what the tool does and on what terms, why it stands here: a line each.

    ``shared`` is what the whole list lacks, which no card repeats; it is lacking all the same.
    """
    tool = candidate.tool
    opens = attrs(type="button", class_="name", data_act="select", data_id=tool.id)
    badges = fit_badges(candidate.fit, is_lacking=is_lacking)
    head = (
        f"<span class='rank' aria-hidden='true'>{rank}</span><h3><button{opens}>"
        f"<span class='sr'>Rank {rank}: </span>{esc(tool.name)}</button></h3>"
        f"<span class='badges'>{badges}</span>"
    )
    about = f"<p class='about'>{esc(shortened(tool.description, 180))}</p>"
    untold = {"parts" if shared else "", "tasks" if rank == 1 else ""}
    pairs = [pair for pair in reasons(candidate, typed) if pair[0] not in untold]
    why = _why(_lack(pairs, [part for part in lacks if part not in shared]), pairs)
    # Apart from the verdict, which comes late: nothing here moves when it is there.
    marks = terms_badge(terms_of(tool, data)) + year_badge(tool, date.today())
    terms = f"<span class='terms'>{marks}{licence(tool, is_short=True)}</span>"
    body = f"<div class='top'>{head}</div>{about}<div class='foot'>{why}{terms}</div>"
    return f"<li{attrs(class_='card row', data_tool=tool.id)}>{body}{_actions(tool)}</li>"


def _lack(pairs: Sequence[tuple[str, str]], lacks: Sequence[str]) -> str:
    """What the record of a tool lacks, as short as a card needs it; empty where that is nothing."""
    if lacks:
        return f"Does not state {' or '.join(lacks)}"
    return next((text for kind, text in pairs if kind == "parts"), "").removesuffix(UNNAMED)


def _why(lack: str, pairs: Sequence[tuple[str, str]]) -> str:
    """What a tool lacks, which decides and is never cut, then what speaks for it.

    The first card does not say that a task is none of its record's: something else put it first.
    """
    kind, text = next((pair for pair in pairs if pair[0] != "parts"), ("", ""))
    words = text.removeprefix(USED)
    spoken = f"<span class='sr'>{USED}</span>" if words != text else ""
    if not lack:
        return f"<p{attrs(class_=f'why why-{kind}')}>{spoken}{esc(words)}</p>" if text else ""
    # That words were used is what the quotation marks say; alone, the sign before the line.
    words = (
        f"\N{LEFT DOUBLE QUOTATION MARK}{words}\N{RIGHT DOUBLE QUOTATION MARK}" if spoken else text
    )
    css = f"why why-parts{' long' if len(lack) > LONGEST_LACK else ''}"
    return f"<p{attrs(class_=css)}><b>{esc(lack)}.</b> {spoken}{esc(words)}</p>"


def whys(pairs: Sequence[tuple[str, str]]) -> str:
    """Pairs of kind and sentence as a list; nothing where there are none."""
    rows = (f"<li{attrs(class_=f'why why-{kind}')}>{esc(text)}</li>" for kind, text in pairs)
    return f"<ul class='whys'>{''.join(rows)}</ul>" if pairs else ""


def _actions(tool: Tool) -> str:
    star, out = f"Choose {tool.name} to compare and cite", f"Exclude {tool.name} and search again"
    return (
        "<div class='actions'>"
        + button("\N{WHITE STAR}", "choose", tool.id, css="icon star", name=star)
        + button("\N{MULTIPLICATION SIGN}", "exclude", tool.id, css="icon drop", name=out)
        + "</div>"
    )


def score_rows(candidate: Candidate | None, rows: tuple[tuple[str, int, float], ...]) -> str:
    """A table: the rank and the score of one tool in every list that holds it.

    Below the table the shares of the last combined score, where the candidate states them.
    """
    body = "".join(
        f"<tr><th scope='row'>{esc(stage_label(stage))}</th>{cells((rank, f'{score:.4f}'))}</tr>"
        for stage, rank, score in rows
    )
    return table(("Stage", "Rank", "Score"), body, "scoretable") + _shares(candidate)


def _shares(candidate: Candidate | None) -> str:
    """How much of the last combined score each source gave, as a bar with words."""
    shares = [w for w in candidate.why if w.kind == "share" and w.value] if candidate else []
    if not shares:
        return ""
    last = shares[-1].stage
    parts = [(signal_label(w.text), w.value or 0.0) for w in shares if w.stage == last]
    # A zero total would divide by zero; every share is 0 % then.
    total = sum(v for _, v in parts) or 1.0
    bars = "".join(
        f"<li><span class='bar' style='--part:{value / total:.3f}'></span>"
        f"{esc(label)} {value / total:.0%}</li>"
        for label, value in parts
    )
    title = "<h3 id='shares'>Where the last score comes from</h3>"
    return f"{title}<ul class='shares' aria-labelledby='shares'>{bars}</ul>"
