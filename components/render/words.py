"""The words of the page: stages, reasons, codes and figures, as a newcomer reads them."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from components.render.added_words import words_used
from components.render.codes import line_words, token_words, value_words
from components.render.markup import shortened, toolbar
from retrieval import Candidate, Why

FATE_OF_FILES = "Header and a sample of the values are read, then the copy is deleted."
"""What happens to an upload, in short; docs/privacy.md has all of it."""

STAGES: dict[str, tuple[str, str]] = {
    "dense": ("Meaning", "Finds tools whose description means what you asked (sentence vectors)."),
    "bm25": ("Words", "Finds tools that use your words (BM25)."),
    "late interaction": ("Phrases", "Compares each of your words with each word of a tool."),
    "fused": ("Combined", "The three lists above as one, each with its weight."),
    "graph": ("Graph", "Adds related and required tools from the knowledge graph."),
    "KG expansion": ("Graph", "Adds related and required tools from the knowledge graph."),
    "rank": ("Learned", "Weighs fifteen signals as learned from judged searches."),
    "parts": ("All parts", "Lowers tools whose record lacks part of what you ask."),
    "conversion": ("Conversion", "Orders tools by the formats you name: from what, to what."),
    "names": ("Names", "Puts a tool that you named first."),
    "tokens": ("Scan facts", "Raises tools that state what your scan is; lowers none."),
    "web": ("Web", "Offers web and literature search where the question asks for it."),
    "taste": ("Taste", "Weighs, a little, the tools you chose and excluded before."),
    "fit": ("Fit", "Checks each tool against the facts of your scan."),
    "kind": ("Data kind", "Lowers tools that state other kinds of data than you name."),
    "wishes": ("Wishes", "Checks each tool against what you ask of software."),
    "rerank": ("Final order", "By a re-ranking model if one is set up, else as before."),
    "language model": ("Language model", "Orders the best candidates by reading them."),
    "cross-encoder": ("Cross-encoder", "Reads your task and a tool together and scores the pair."),
    "vector search": ("Meaning", "Finds tools whose description means what you asked."),
    "expand": ("Related terms", "Adds catalog terms that are near your words."),
    "learned": ("Learned terms", "Adds terms that tools you chose for such requests share."),
}

SIGNALS: dict[str, str] = {
    "before": "Score in the list before",
    "core meaning": "Meaning of the main words",
    "good neighbours": "Close to other tools that score well",
    "core phrases": "Phrases of the main words",
    "rare phrases": "Rare phrases",
    "core words": "Main words used",
    "pieces": "Parts of the words",
    "concepts": "Same concepts",
    "operations": "Same task",
    "wider concepts": "Wider concepts",
    "named by results": "Named by other tools of the list",
    "well known": "Named by many records",
    "known words": "Words in any part of the record",
    "words of the best": "Words that the best tools share",
}
"""What a score is made of, by the name of the signal; others go by the name of their stage."""

EXPECTED: dict[str, tuple[str, ...]] = {
    "hybrid": (
        "fused/dense",
        "fused/bm25",
        "fused/late interaction",
        "fused",
        "graph",
        "rank",
        "fit",
        "rerank",
    ),
}
"""Columns that the default mode will fill, so that placeholders can be shown for them."""

MODES: dict[str, str] = {
    "hybrid": "Hybrid: everything together",
    "agentic": "Agentic: looks again if not enough",
    "biocortex": "BioCortex: vectors, then graph",
    "plaza": "Plaza: vectors, then cross-encoder",
    "keyword": "Keyword: exact words only",
    "vector": "Vector: meaning only",
    "rrf": "RRF: words and meaning by rank",
    "anchored": "Anchored: meaning first, then words",
    "ask": "Ask: answers a question",
}

REASONS: dict[str, tuple[str, str]] = {
    "no_suitable_tool": ("No tool matches", "Loosen a filter or describe the task in other words."),
    "no_modality_match": (
        "No tool states that it works on your kind of scan",
        "The list below is the nearest there is; check the fit marks before you rely on one.",
    ),
    "no_task_match": ("No tool states that it does this task", "Try other words for the task."),
    "no_dimension_match": (
        "No tool states that it works on data of this dimension",
        "A 2D tool may still work slice by slice; check the fit marks.",
    ),
    "invalid_files": (
        "None of the files could be read",
        "The reasons stand below; you can still search by typing the task.",
    ),
}


def stage_label(path: str) -> str:
    """The short name of a stage for a column head.

    ``path`` is a name in the result tree, such as ``fused/dense``; its last part decides.
    """
    last = path.rsplit("/", 1)[-1]
    return STAGES.get(last, (last[:1].upper() + last[1:], ""))[0]


def signal_label(name: str) -> str:
    """What a part of a score is called."""
    return SIGNALS.get(name) or stage_label(name)


KINDS = {
    "meaning": ("dense", "vector search", "late interaction", "expand", "learned"),
    "words": ("bm25",),
    "graph": ("graph", "KG expansion"),
    "order": (
        "fused",
        "score fusion",
        "rank",
        "parts",
        "conversion",
        "rerank",
        "language model",
        "cross-encoder",
    ),
    "check": ("fit", "kind", "wishes", "tokens", "taste", "names"),
}
"""What a stage goes by; each kind has a colour of its own wherever stages are shown."""


def kind_of_stage(path: str) -> str:
    """The kind of a stage; ``other`` for one that is none of these."""
    last = path.rsplit("/", 1)[-1]
    return next((kind for kind, names in KINDS.items() if last in names), "other")


def stage_help(path: str) -> str:
    """One sentence on what a stage does."""
    return STAGES.get(path.rsplit("/", 1)[-1], ("", f"Stage {path}."))[1]


def milliseconds(value: float) -> str:
    """``0.4 ms``, ``12 ms`` or ``1.2 s``.

    One decimal below 10 ms and from one second on, none between.
    """
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"


def count(number: int, noun: str) -> str:
    """``1 tool``, ``12 tools``, ``no tools``, ``1,113 tools``; plurals are formed with -s."""
    plural = "series" if noun == "series" else f"{noun}s"
    return f"{f'{number:,}' if number else 'no'} {noun if number == 1 else plural}"


def agree(number: int, one: str, many: str) -> str:
    """The form of a verb that goes with so many things."""
    return one if number == 1 else many


def understood(changes: Sequence[str]) -> str:
    """What was understood of a remark, one short line per change."""
    if not changes:
        return "<p class='sub' role='status'>Added your words to the search.</p>"
    rows = "".join(f"<li class='why'>{html.escape(line_words(line))}</li>" for line in changes)
    return f"<ul class='whys' role='status'>{rows}</ul>"


def offered_remarks(remark_counts: Mapping[str, int], tools: int) -> str:
    """Remarks to choose from, each with how many of the tools found it would leave."""
    if not remark_counts:
        return ""
    buttons = "".join(
        f"<button type='button' class='btn btn-small' data-act='remark' "
        f"data-id='{html.escape(text)}'>{html.escape(text)} ({number})</button>"
        for text, number in remark_counts.items()
    )
    lead = f"Would leave, of {count(tools, 'tool')} found:"
    inner = f"<span class='sub'>{lead}</span>{buttons}"
    return toolbar(inner, "Remarks that would narrow the list", css="offers")


ALONE = re.compile(r"\b1 (row|node|edge|record|passage|text|tool|sentence|hit|term)s\b")
"""Plurals in the notes of stages, which write numbers and nouns beside each other."""

SETTING = re.compile(r"set SCANSCOUT_[A-Z_]+=\S+ to switch it on")
"""The remedy of a stage that is off, as the command line says it."""


def note_words(note: str) -> str:
    """A stage's note, one of a thing as one, without the name of a setting that is off."""
    note = SETTING.sub("whoever runs this page can switch it on", ALONE.sub(r"1 \1", note))
    return note[:1].upper() + note[1:]


ORDER = {
    "states": 0.5,
    "parts": 9,
    "name": 1,
    "words": 2,
    "meaning": 3,
    "token": 4,
    "said": 4,
    "path": 5,
    "taste": 6,
    "fit": 7,
    "wish": 8,
    "tasks": 10,
}
"""Kinds of reasons from the strongest; a reason of a language model comes before all."""

SAID = "said"
"""Kind of the reason of a token that the visitor said and no scan shows."""

LEADS = {
    "path": "Related in the graph: ",
    "language model": "Language model: ",
    "fit": "Marked down, ",
    "wish": "Lower for your wish, ",
}
"""Words before the text of a reason, by its kind."""


def reason(why: Why, typed: str) -> str | None:
    """One reason in plain words, or None for one that is only a number."""
    if why.kind == "words" and why.text:
        return words_used(why.text, typed)
    # A cosine means nothing to a visitor: three words stand for it.
    if why.kind == "meaning":
        return None if why.value is None else f"{_nearness(why.value)} in meaning to what you asked"
    if why.kind == "token" and why.text:
        facts = [token_words(token) for token in why.text.split(", ")]
        return f"States that it takes what your scan is: {', '.join(facts)}"
    if why.kind == SAID:
        return f"States that it takes what you said: {token_words(why.text)}"
    if why.kind in {"share", "phrase", "score"}:
        return None
    # Facts of records are codes; what a model or another stage says is words.
    text = value_words(why.text) if why.kind in {"path", "states"} else why.text
    return f"{LEADS.get(why.kind, '')}{text}" if text else None


CLOSE = 0.4
"""Cosine from which a description is called close to a request."""


def _nearness(cosine: float) -> str:
    if cosine >= 0.6:
        return "Very close"
    return "Close" if cosine >= CLOSE else "Somewhat close"


def is_kind_of_words(candidate: Candidate) -> bool:
    """Whether a tool was held against a kind of image that was said, and against no scan.

    Of a scan every fact is compared, at least as unknown; of an answer the modality alone.
    """
    compared = [fit.fact for fit in candidate.fit or () if not fit.asked]
    return compared == ["modality"]


def reasons(candidate: Candidate, typed: str) -> Sequence[tuple[str, str]]:
    """Pairs of kind and sentence, the strongest kinds first; no sentence twice.

    ``typed`` is the text as the visitor wrote it. Reasons of single tokens are one sentence; a
    sentence has at most 220 characters.
    """
    tokens = [why for why in candidate.why if why.kind == "token"]
    whys = [why for why in candidate.why if why.kind != "token"]
    if tokens:
        text = ", ".join(dict.fromkeys(why.text for why in tokens))
        spoken = is_kind_of_words(candidate)
        whys.append(replace(tokens[0], kind=SAID if spoken else "token", text=text))
    kinds: dict[str, str] = {}
    for why in sorted(whys, key=lambda w: ORDER.get(w.kind, 0)):
        sentence = reason(why, typed)
        if sentence and sentence not in kinds:
            kinds[sentence] = why.kind
    return tuple((kind, shortened(sentence, 220)) for sentence, kind in kinds.items())
