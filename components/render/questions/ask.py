"""An answer with its evidence: sentences, numbered facts, who answered, stages, rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.render.codes import value_words
from components.render.markup import attrs, badge, button, cells, esc, table, tool_button
from components.render.questions.ask_forms import line
from components.render.results.board import STATUS
from components.render.search.notices import notice
from components.render.words import count, milliseconds, note_words
from retrieval import DocumentFacts, Fact, Response, Rows

EXAMPLES = (
    "Which tools turn DICOM into NIfTI?",
    "Which tools turn my DICOM into something nnU-Net reads, and which of them are open?",
    "What does nnU-Net read?",
    "What must be installed before fMRIPrep?",
    "Which open tools segment cells?",
    "¿Qué herramientas leen DICOM y escriben NIfTI?",
)
"""Questions to start with."""

NAMES = {
    "graph": "the catalog's graph",
    "schema": "the graph by a query in steps",
    "documents": "your documents",
    "blast": "NCBI BLAST",
    "oncokb": "OncoKB",
}
BY = {"rules": "chosen by rules", "language model": "chosen by the language model"}
STEPS = {
    "wishes": "What the language model wants to know",
    "question": "Names and relations of the question",
    "linking": "Names linked to the graph",
    "triplets": "Walk along the links",
    "paths": "Paths between the names",
    "query": "Query of the language model",
    "schema": "What the graph holds",
    "entities": "Kinds of node that the question is about",
    "relationships": "Relationships between them",
    "properties": "Properties that the query needs",
    "submit": "Rows of the query",
    "reflexion": "Whether the query has to be revised",
    "revised": "Revised query",
    "last query": "Rows of the last query",
    "rows": "Rows in words",
    "completion": "Whether that is enough",
    "excerpt": "Excerpt of the graph",
    "language model": "Answer by the language model",
    "from the facts": "Answer read from the facts",
}
KINDS = {"triple": "link", "query": "row of a query"}
SOURCES = {
    "graph": "catalog record",
    "record": "catalog record",
    "description": "description of a tool",
}
FOUND_BY = {"walk": ", met on a walk", "paths": ", on a path", "conversion": ", on a path"}
"""Where a fact is from, and what found it, in words."""
MARKS = 8
"""Evidence marks beside a sentence before the rest is folded."""
MOST_RECORDS = 12
"""Buttons of records below an answer, as many as its sentence names; the rest are counted."""


def example_questions() -> str:
    """A row of buttons; a click asks."""
    buttons = "".join(button(text, "example", text, css="btn btn-try") for text in EXAMPLES)
    return f"<div class='try'><span>Try:</span>{buttons}</div>"


def answerer_name(name: str) -> str:
    """The name of an answerer as the page shows it."""
    return NAMES.get(name, name)


def answer_panel(response: Response) -> str:
    """The answer or the refusal, then who answered, why, and who else could."""
    inner = f"<p class='over'>You asked</p><h2>{esc(response.typed)}</h2>"
    if response.question != " ".join(response.typed.split()):
        inner += f"<p class='sub'>Read as: {esc(response.question)}</p>"
    if response.done and response.refused:
        text = "Its other words led to what stands below, which is no answer to it."
        inner += notice("warn", response.refused, text if response.evidence.facts else "")
    else:
        inner += _sentences(response)
    if response.done and response.unanswered:
        inner += notice("warn", "A part of the question has no answer.", response.unanswered)
    inner += _records(response)
    query = response.query
    if query is not None and query.language.endswith(" request"):
        title = query.language.removesuffix(" request")
        inner += f"<p class='sub'>Sent to {esc(title)}: {line(query.text)}</p>"
    return f"<section class='asked' aria-label='Answer'>{inner}{_choice(response)}</section>"


def _sentences(response: Response) -> str:
    """The sentences of the answer, each with buttons that lead to its numbered facts."""
    evidence = response.evidence
    if not evidence.answer:
        return "<p class='sub'>Looking for evidence …</p>"
    numbers = {fact.id: n for n, fact in enumerate(evidence.facts, start=1)}
    sentences = ""
    for sentence in evidence.answer:
        buttons = []
        for n in (numbers[id] for id in sentence.evidence if id in numbers):
            out = attrs(type="button", class_="mark-of", data_goto=f"fact-{n}")
            buttons.append(f"<button{out}{attrs(aria_label=f'Evidence {n}')}>{n}</button>")
        marks = "".join(buttons[:MARKS])
        if rest := "".join(buttons[MARKS:]):
            marks += f"<details><summary>{len(buttons) - MARKS} more</summary>{rest}</details>"
        marks = f"<span class='marks-of' lang='en'>{marks}</span>"
        sentences += f"<div>{esc(value_words(sentence.text))} {marks}</div>"
    return f"<div{attrs(class_='said', lang=response.language)}>{sentences}</div>"


def _records(response: Response) -> str:
    """Buttons of the answer's tools, or of those that a question without an answer names."""
    tools = tools_of(response)
    if response.done and response.refused:
        names = {node.id: node.label for node in response.graph.nodes if node.kind == "tool"}
        tools = {id: names[id] for id in response.evidence.linked if id in names}
    links = [f"<li>{tool_button(id, name)}</li>" for id, name in tools.items()]
    if (rest := len(links) - MOST_RECORDS) > 0:
        links[MOST_RECORDS:] = [f"<li>and {rest} more in the evidence below</li>"]
    title = "aria-label='Records of these tools'"
    return f"<ul class='tools-of' {title}>{''.join(links)}</ul>" if links else ""


def tools_of(response: Response) -> Mapping[str, str]:
    """The tools of the answer's evidence, in its order; one asked about if the answer names it.

    Ids with names. Tools of the question count only if the text names them, or if no other is left.
    """
    cited = {id for sentence in response.evidence.answer for id in sentence.evidence}
    names = {node.id: node.label for node in response.graph.nodes if node.kind == "tool"}
    nodes = [node for fact in response.evidence.facts if fact.id in cited for node in fact.nodes]
    # A dict keeps the order of the evidence and drops repetitions.
    tools = {node: names[node] for node in dict.fromkeys(nodes) if node in names}
    text = " ".join(sentence.text for sentence in response.evidence.answer)
    in_question = {node for node in response.evidence.linked if tools.get(node, "") not in text}
    return {node: name for node, name in tools.items() if node not in in_question} or tools


def _choice(response: Response) -> str:
    choice = response.choice
    by = f" ({BY[choice.by]})" if choice.by in BY else ""
    verb = "Asked" if response.done and response.refused else "Answered from"
    text = f"{verb} {answerer_name(choice.answerer)}: {choice.reason}{by}."
    others = "".join(
        f"<li>{button(f'Ask {answerer_name(name)}', 'answerer', name, css='btn btn-small')}"
        f"<span>{esc(why)}</span></li>"
        for name, why in choice.alternatives
    )
    alternatives = f"<ul class='others'>{others}</ul>" if others else ""
    return f"<p class='sub'>{esc(text)}</p>{alternatives}"


def context_table(response: Response) -> str:
    """Every fact with its number, its kind, where it is from, and its tools.

    Numbers count from 1 and are the same as on the buttons beside the sentences.
    """
    facts = response.evidence.facts
    if not facts:
        return ""
    tools = {node.id: node.label for node in response.graph.nodes if node.kind == "tool"}
    of_tools = any(node in tools for fact in facts for node in fact.nodes)
    tool_names = tools if of_tools else None
    rows = "".join(_fact(n, fact, tool_names) for n, fact in enumerate(facts, start=1))
    heads = ("No.", "What it says", "Kind", "From", *(["Records"] if of_tools else []))
    name = "Evidence" if response.evidence.answer else "Found on the way"
    title = f"<h2>{name}</h2><p class='sub'>{count(len(facts), 'fact')} in the order found.</p>"
    return f"<div class='head'>{title}</div>{_table(name, heads, rows, 'evidence')}"


def _fact(number: int, fact: Fact, tools: Mapping[str, str] | None) -> str:
    """A row; without ``tools`` it has no cell for records."""
    kind = KINDS.get(fact.kind, fact.kind)
    parts = cells((_fact_text(fact), kind, source_name(fact.source)))
    if tools is not None:
        tool_ids = [node for node in dict.fromkeys(fact.nodes) if node in tools]
        parts += f"<td>{', '.join(tool_button(node, tools[node]) for node in tool_ids)}</td>"
    out = attrs(id=f"fact-{number}", tabindex=-1)
    return f"<tr{out}><th scope='row'>{number}</th>{parts}</tr>"


def _fact_text(fact: Fact) -> str:
    """A triple with its codes by name, a row of the catalog with its choices in words.

    Any other text stands as its source has it.
    """
    if fact.kind == "record":
        return fact.text.replace(" | ", " or ")
    return value_words(fact.text) if fact.steps else fact.text


def source_name(source: str) -> str:
    """``a record, by the question`` for where a fact is from and what found it.

    A source that no table here names, such as a page of a document, is returned unchanged.
    """
    place, _, by = source.partition(": ")
    if place not in SOURCES:
        return source
    return f"{SOURCES[place]}{FOUND_BY.get(by, '')}"


def _table(name: str, heads: Sequence[str], rows: str, css: str) -> str:
    out = attrs(class_=f"wide {css}", tabindex=0, role="group", aria_label=name)
    return f"<div{out}>{table(heads, rows)}</div>"


def trace(response: Response) -> str:
    """Every stage in the order it ran, with its state, its time and its note."""
    leaves = [node for node in response.result.walk() if not node.children]
    if not leaves:
        return ""
    rows = ""
    for node in leaves:
        word, tone = STATUS[node.status]
        columns = f"<td>{badge(word, tone)}</td>"
        columns += cells((milliseconds(node.elapsed_ms), note_words(node.note)))
        label = f"<th scope='row'>{esc(step_name(node.name))}</th>"
        rows += f"<tr{attrs(data_stage=node.name)}>{label}{columns}</tr>"
    total = milliseconds(response.result.elapsed_ms)
    summary = f"<summary>{count(len(leaves), 'step')} in {esc(total)}</summary>"
    steps = _table("Steps", ("Step", "State", "Time", "What it says"), rows, "steps-of")
    stopped = esc(response.stopped) if response.stopped else ""
    why = f"<p class='sub'>It ended because {stopped}.</p>" if stopped else ""
    return f"<details class='trace'>{summary}{why}{steps}</details>"


def step_name(path: str) -> str:
    """``Paths between the names`` for a path in the trace; the iteration where there are more."""
    parts = path.split("/")
    rounds = [part.removeprefix("round ") for part in parts if part.startswith("round ")]
    label = STEPS.get(parts[-1], parts[-1][:1].upper() + parts[-1][1:])
    return f"{label} (iteration {rounds[-1]})" if rounds and rounds[-1] != "1" else label


def rows_table(rows: Rows) -> str:
    """The rows of a query as a table, or a notice that there is none."""
    if not rows.rows:
        return notice("info", "The query ran and gave no row.", "Names are case-sensitive.")
    cut = " More were left out." if rows.cut else ""
    summary = f"{count(len(rows.rows), 'row')} from {esc(rows.language)}.{cut}"
    body = "".join(f"<tr>{cells(row)}</tr>" for row in rows.rows)
    result_table = _table("Rows of the query", rows.columns, body, "rows-of")
    return f"<p class='sub' role='status'>{summary}</p>{result_table}"


def documents_list(documents: Sequence[DocumentFacts], notes: Sequence[str] = ()) -> str:
    """A visitor's documents, each with a button that removes it; what reading them left out."""
    remarks = "".join(f"<p class='sub'>{esc(note)}</p>" for note in notes)
    rows = "".join(
        f"<li><span>{esc(one.name)}</span>"
        f"{button('Remove', 'remove', one.id, css='btn btn-small', name=f'Remove {one.name}')}</li>"
        for one in documents
    )
    return (
        f"<ul class='papers' aria-label='Your documents'>{rows}</ul>{remarks}" if rows else remarks
    )


def document_trouble(reason: str | None, name: str = "This file") -> str:
    """The notice for a document that was not added."""
    return _trouble(f"{name} was not added.", reason)


def question_trouble(reason: str | None) -> str:
    """The notice for a question that could not be asked."""
    return _trouble("This question could not be asked.", reason)


def query_trouble(reason: str | None) -> str:
    """The notice for a query that did not run."""
    return _trouble("This query did not run.", reason)


def _trouble(title: str, reason: str | None) -> str:
    """A refusal with its reason; a defect of ours has none, its details are in the log only."""
    if reason is not None:
        return notice("warn", title, reason, role="alert")
    text = "Your question is still in the box. Try again, or ask it in other words."
    return notice("bad", "Something went wrong on our side.", text, role="alert")
