"""Remarks on a finished list: confidence, matched concepts, what constraints cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    Candidates,
    Filters,
    State,
    Status,
    Wish,
    boundary,
    finish,
    progress,
)
from retrieval.dialogue import (
    Clarification,
    clarify,
    concept_relaxations,
    constrained,
    lacking,
    near_misses,
    opened,
    relaxations,
    suggestions,
)
from retrieval.engine.answer import Answer, Fault, Insight
from retrieval.engine.file_notes import with_file_notes
from retrieval.engine.gap_evidence import evidence_of, read_query
from retrieval.engine.missing_task import missing_task
from retrieval.engine.questions import is_elsewhere, judged_text
from retrieval.engine.sizes import mode_of
from retrieval.engine.snapshot import Snapshot
from retrieval.engine.unmet_wishes import filtered_out, unmet_wishes
from retrieval.explain import ALIKE, GapJudge, also_needed
from retrieval.fit import species_words
from retrieval.llm import Budget, Limits
from retrieval.query import (
    EITHER,
    Enrich,
    as_typed,
    beyond_software,
    file_words,
    is_denied,
    lies_in,
    naming_asides,
    set_aside,
    text_notes,
    unread_note,
    without_set_aside,
)

FEW = 5
"""With fewer candidates than this, the answer lists what each constraint costs."""

NEAREST = 15

CLARIFICATION = "clarification"


def no_calls() -> Budget:
    """A budget without model calls, for searches that only explain another one."""
    return Budget(Limits(calls=0))


def _faults_of(part: str, faults: Sequence[tuple[str, str]]) -> tuple[Fault, ...]:
    """What a boundary met, as faults of a part of the answer."""
    return tuple(Fault(part=part, reason=reason) for _, reason in faults)


def insight_of(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    """Confidence, matched concepts, and which constraints leave out tools.

    Constraints are reported only where the list is short (FEW) or the answer is doubtful. A part
    that fails is named among the faults, and the others are told. The time of the query bounds
    none of them: a list without its remarks misleads.
    """
    answer = replace(answer, done=True, insight=Insight())
    for part, remark in REMARKS:
        insight = answer.insight
        faults: list[tuple[Status, str]] = []
        with boundary(part, faults):
            insight = remark(answer, snapshot, state)
        if faults:
            insight = replace(insight, faults=(*insight.faults, *_faults_of(part, faults)))
        if insight is not answer.insight:
            answer = replace(answer, insight=insight)
    return answer.insight


def _scope(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    scope, text = snapshot.scope, answer.query.text
    if scope is None or not text:
        return answer.insight
    kinds = ("operation", "modality")
    judged = None
    # Of a language that is not read nobody knows whether a tool fits.
    if not unread_note(text):
        judged = scope.judge(read_query(answer), answer.result.state.query.text)
    return replace(
        answer.insight,
        confidence=judged_text(answer.query, judged),
        concepts=scope.concepts(text, (c.tool.id for c in answer.candidates)),
        unserved=frozenset(k for k in kinds if scope.unserved(text, k, state.selection)),
    )


def _scores(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    if snapshot.scale is None:
        return answer.insight
    concepts = answer.insight.concepts
    scores = snapshot.scale.scores(read_query(answer), answer.candidates, concepts)
    return replace(answer.insight, scores=scores)


def _gap(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    judge, text, judged = snapshot.gaps, answer.query.text, answer.insight.confidence
    is_no_need = judged is not None and (judged.named or judged.beyond_software)
    # A refusal stands by itself where the text names nothing of the field.
    if judge is None or not text or is_no_need or unread_note(text):
        return answer.insight
    evidence = evidence_of(answer, snapshot)
    is_like_a_need = evidence is not None and evidence.near.unserved.vector >= ALIKE
    if not is_like_a_need and not judge.reads(text, doubtful=answer.low_confidence):
        return answer.insight
    # Nobody lacks what the text sets aside, or a slip of the pen.
    request = without_set_aside(snapshot.spelled(text), judge.finder.mentions)
    return replace(answer.insight, gap=judge.judge(request, evidence))


def _suggested(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    if answer.query.text or not answer.query.scans:
        return answer.insight
    counts = Counter(task for tool in snapshot.tools.values() for task in tool.tasks)
    # Shares (0 to 1) of the catalog's tools that do each task.
    tasks = {task: n / len(snapshot.tools) for task, n in counts.items()}
    return replace(answer.insight, suggestions=suggestions(answer.query, _marked(answer), tasks))


def _cost(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    insight, candidates, scope = answer.insight, answer.candidates, snapshot.scope
    insight = replace(insight, filtered_out=filtered_out(answer, snapshot))
    is_cut = bool(insight.filtered_out)
    if constrained(answer.query) and (answer.reason or len(candidates) < FEW or is_cut):
        return _relaxed(answer, snapshot, state, insight)
    if answer.reason and scope is not None:
        admitted = (i for i in snapshot.tools if state.selection.admits(i))
        every = scope.concepts(answer.query.text, admitted)
        relax = concept_relaxations(every, candidates)
        return replace(insight, relax=relax, near_misses=lacking(insight.concepts, candidates))
    return insight


def _needed(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    tools = [c.tool for c in answer.candidates]
    needed = also_needed(tools, snapshot.tools, snapshot.source)
    return replace(answer.insight, also_needed=needed)


def _notes(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    noted = (
        *text_notes(answer.query.raw, answer.query.text),
        *filter(None, (beyond_software(answer.query.raw),)),
    )
    language_wishes = (
        w for w in answer.query.wishes if w.kind == "language" and w.strength != "unwanted"
    )
    absent = (
        w.value for w in language_wishes if not snapshot.states_language(w.value.split(EITHER))
    )
    silent = (f"No record of the catalog states the language {name}." for name in absent)
    return replace(answer.insight, notes=(*noted, *_left_out(answer, snapshot), *silent))


def _left_out(answer: Answer, snapshot: Snapshot) -> Iterator[str]:
    """What the text sets aside and no stage searched, as typed."""
    judge, text, stages = snapshot.gaps, answer.query.text, answer.result.walk()
    texts = [s.state.query.text for s in stages if s.name.rsplit("/", 1)[-1] == Enrich.name]
    for start, end in naming_asides(text, judge.finder.mentions) if judge and texts else ():
        typed = text[start:end].strip()
        # What is a wish about software is weighed, not left out.
        is_wish = any(w.text and (w.text in typed or typed in w.text) for w in answer.query.wishes)
        if typed not in texts[-1] and not is_wish:
            yield f"Not searched, because you set it aside: “{typed}”."


def _parts(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    text = answer.query.text
    if not text:
        return replace(answer.insight, parts=())
    return replace(answer.insight, parts=_parts_of(snapshot.gaps, text, snapshot.spelled(text)))


def _parts_of(judge: GapJudge | None, text: str, spelled: str) -> tuple[Wish, ...]:
    """The parts of a text that are no wishes about software, with the words for each as typed.

    ``spelled`` is the text without its slips, in which the parts are read.
    """
    parts = judge.parts(spelled) if judge else ()
    asides = set_aside(spelled, judge.finder.mentions) if judge else ()

    def is_set_aside(start: int) -> bool:
        return lies_in(asides, start) or is_denied(spelled[:start])

    wishes = [
        Wish(
            kind=part.kind,
            value=part.concept.split(":", 1)[-1],
            text=text[slice(*as_typed(text, spelled, part.start, part.end))],
            strength="unwanted" if is_set_aside(part.start) else "wanted",
            searched=not is_set_aside(part.start),
        )
        for part in parts
    ]
    species = (
        Wish(kind="species", value=name, text=typed, strength="wanted")
        for name, typed in species_words(text).items()
    )
    return (*wishes, *species, *file_words(text))


def _unmet_wishes(answer: Answer, snapshot: Snapshot, state: State) -> Insight:
    note = unmet_wishes(answer, snapshot) or missing_task(answer, snapshot)
    notes = (*answer.insight.notes, note) if note else answer.insight.notes
    return replace(answer.insight, notes=notes)


REMARKS = (
    ("notes", _notes),
    ("scope", _scope),
    ("scores", _scores),
    ("prerequisites", _needed),
    ("parts", _parts),
    ("file notes", with_file_notes),
    ("gaps", _gap),
    ("unmet wishes", _unmet_wishes),
    ("suggestions", _suggested),
    ("near misses", _cost),
)
"""What is remarked on a list, in this order: later ones read what earlier ones say."""


def completed(answer: Answer, snapshot: Snapshot, state: State) -> Answer:
    """The finished answer with its remarks and its question back; what fails is named in it."""
    answer = replace(answer, done=True, insight=insight_of(answer, snapshot, state))
    faults: list[tuple[Status, str]] = []
    question: Clarification | None = None
    with boundary(CLARIFICATION, faults):
        question = _asked_back(answer, snapshot, state)
    insight = answer.insight
    insight = replace(insight, faults=(*insight.faults, *_faults_of(CLARIFICATION, faults)))
    return replace(answer, clarification=question, insight=insight)


def _asked_back(answer: Answer, snapshot: Snapshot, state: State) -> Clarification | None:
    """The question of a finished answer, worded by a model where one is on and in budget."""
    query, doubtful, dialogue = answer.query, answer.low_confidence, snapshot.dialogue
    if is_elsewhere(answer) and not query.refine:
        return None
    if dialogue is None:
        return clarify(query, answer.candidates) if query.refine or doubtful else None
    question = dialogue.clarification(query, answer.candidates, doubtful=doubtful)
    if question is None or dialogue.wordsmith is None or answer.mode.quiet:
        return question
    return dialogue.wordsmith.worded(question, query, state.budget, state.deadline)


def _relaxed(answer: Answer, snapshot: Snapshot, state: State, insight: Insight) -> Insight:
    """The nearest tools whatever the constraints, and what each constraint alone costs."""
    query, marked = answer.query, _marked(answer)
    nearest: Sequence[Candidate] = answer.candidates
    if query.excluded or query.filters != Filters():
        free = State(query=opened(query), deadline=state.deadline, budget=no_calls(), watched=False)
        pipeline = mode_of(snapshot, answer.mode.name, answer.sizes).pipeline
        nearest = finish(progress(pipeline, free, root=True)).state.candidates
    return replace(
        insight,
        relax=relaxations(query, snapshot.tools.values(), nearest, marked),
        near_misses=near_misses(query, nearest[:NEAREST]),
    )


def _marked(answer: Answer) -> Candidates:
    """The longest list whose candidates have a fit; the final one where none has."""
    lists = (n.state.candidates for n in answer.result.walk() if n.ran)
    fitted = [candidates for candidates in lists if any(c.fit is not None for c in candidates)]
    return max(fitted, key=len, default=answer.candidates)
