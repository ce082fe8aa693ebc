"""Remarks on the search on the page, one after the other: applied, taken back, begun anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from components.contradictions import ANY, ReadRemark, weighed
from components.data import FACETS, TOP_K, Data, Form, Remark
from retrieval import Answer, Candidate, Engine, Query, Tool, parse_query, tags_in, takes_back

OFFERS = ("open licence", "without GPU", "Python library", "graphical interface", "command line")
"""Remarks that are offered, each as it would be typed."""

Edited = tuple[Form, Data]
Lines = tuple[str, ...]


def after_remark(
    engine: Engine, form: Form, data: Data, remark: str, listed: Sequence[Tool] = ()
) -> tuple[Edited, Lines]:
    """Form and data after a remark, and one line per change.

    ``listed`` are the tools on show, which a question may be about.

    Raises BadInput for a remark with a tag of no sense.
    """
    back = takes_back(remark)
    if back == "last" and not data.remarks:
        return (form, data), ("there is no remark to undo",)
    if back == "last":
        undone = f"undone: {data.remarks[-1].text}"
        return taken_back(engine, form, data, len(data.remarks) - 1), (undone,)
    if back == "all":
        return begun_anew(form, data), ("started over: your first words, no remark",)
    follow_up = engine.follow_up(_query(form, data), remark, listed)
    if follow_up.talk:
        return (form, data), follow_up.understood
    wishes = engine.wishes(remark)
    read_remark = ReadRemark(
        text=remark, wishes=wishes, lines=follow_up.understood, form=form, data=data
    )
    after, changed, lines = weighed(engine, read_remark, *followed(form, data, follow_up.query))
    one = Remark(text=remark.strip(), lines=lines, before=form, after=after, state=_state(data))
    wants_any = any(line in ANY for line in lines)
    if (after, _state(changed)) == (form, _state(data)) and not wants_any:
        return (form, data), lines or ("nothing changed",)
    return (after, replace(changed, remarks=(*data.remarks, one))), lines


def taken_back(engine: Engine, form: Form, data: Data, place: int) -> Edited:
    """Form and data without one remark; the others are read again, in their order.

    Where a control was moved since, what the remark set is taken out of the form instead.
    """
    if not 0 <= place < len(data.remarks):
        return form, data
    others = [one.text for k, one in enumerate(data.remarks) if k != place]
    if form != data.remarks[-1].after:
        other_remarks = tuple(one for k, one in enumerate(data.remarks) if k != place)
        return _less(form, data.remarks[place]), replace(data, remarks=other_remarks)
    return reread(engine, *begun_anew(form, data), others)


def reread(engine: Engine, form: Form, data: Data, remarks: Sequence[str]) -> Edited:
    """Form and data after remarks that were made before."""
    for text in remarks:
        (form, data), _ = after_remark(engine, form, data, text)
    return form, data


def begun_anew(form: Form, data: Data) -> Edited:
    """Form and data as they were before the first remark."""
    if not data.remarks:
        return form, data
    first, last = data.remarks[0], data.remarks[-1]
    typed, muted = first.state
    bare = replace(data, remarks=(), typed=typed, muted=muted)
    if form == last.after:
        return first.before, bare
    for one in data.remarks:
        form = _less(form, one)
    return form, replace(data, remarks=())


def offers(answer: Answer, form: Form, data: Data, engine: Engine) -> dict[str, int]:
    """Remarks that would narrow the list, with how many of the tools found each would leave.

    Each costs a reading of its words, so they are made when the visitor turns to the box.
    """
    longest = widest(answer)
    now = sum(form.filters.admits(one.tool) for one in longest)
    remark_counts = {}
    for text in OFFERS:
        (after, _), _ = after_remark(engine, form, replace(data, remarks=()), text)
        number = sum(after.filters.admits(one.tool) for one in longest)
        if after.filters != form.filters and 0 < number < now:
            remark_counts[text] = number
    return remark_counts


def widest(answer: Answer) -> Sequence[Candidate]:
    """The longest list of the search: every tool that was found."""
    lists = [stage.state.candidates for stage in answer.result.stages() if stage.ran]
    return max(lists, key=len, default=())


def followed(form: Form, data: Data, query: Query) -> Edited:
    """Form and data that search for a query; tokens that no scan states count as typed.

    Scan tokens that the query dropped are muted, so that the next search leaves them out too.
    """
    scan_tokens = set(data.upload.search_tokens) if data.upload else set()
    typed = tuple(token for token in query.tokens if token not in scan_tokens)
    muted = data.muted | {token for token in scan_tokens if token not in query.tokens}
    # Mode and switched-off stages are not part of a query: they stay. So do tags, in the text.
    tagged = parse_query(tags_in(form.text))
    sizes = form.sizes
    if query.top_k is not None:
        # The length of the list is the first of the sizes.
        sizes = ((TOP_K, query.top_k), *(pair for pair in sizes if pair[0] != TOP_K))
    after = replace(
        form,
        text=f"{query.text} {tags_in(form.text)}".strip(),
        excluded=tuple(name for name in query.excluded if name not in tagged.excluded),
        rerank=query.rerank or not tagged.rerank,
        refine=query.refine and not tagged.refine,
        filters=query.filters,
        sizes=sizes,
    )
    return after, replace(data, typed=typed, muted=muted, undo="")


def _query(form: Form, data: Data) -> Query:
    """The query that a form and its data stand for, as a remark changes it."""
    query = parse_query(form.text)
    top_k = dict(form.sizes).get(TOP_K)
    return structs.replace(
        query,
        tokens=data.tokens,
        excluded=tuple(dict.fromkeys((*form.excluded, *query.excluded))),
        rerank=form.rerank and query.rerank,
        refine=form.refine or query.refine,
        filters=form.filters,
        scans=data.scans,
        # What was typed for the length may be no count.
        top_k=top_k if top_k is not None and top_k > 0 else None,
    )


def _state(data: Data) -> tuple[tuple[str, ...], frozenset[str]]:
    return data.typed, data.muted


def _less(form: Form, one: Remark) -> Form:
    """The form without the filter values and exclusions that a remark set."""
    values = {f: getattr(form.filters, f) - one.set_values(f) for f in FACETS}
    excluded = tuple(name for name in form.excluded if name not in one.excluded)
    return replace(form, filters=replace(form.filters, **values), excluded=excluded)
