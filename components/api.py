"""The public endpoints: searches in words, with files, of a cohort. Everything else is private."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import gradio as gr
from gradio.events import api as endpoint

from components.api_arguments import ENDPOINTS
from components.boundary import attempted
from components.data import Data
from components.events import SEARCHES, sealed
from components.server.files.stored_files import read_and_delete, stored_then_deleted
from components.server.requests.arguments import Calls
from retrieval import (
    Engine,
    cohort_json,
    cohort_of,
    parse_filters,
    read_cohort,
    scan_json,
    to_json,
)

Json = dict[str, Any]
MOST_TOKENS, MOST_FILES = 50, 2_000
FAILED = "The search failed on a defect of the server; its log names the place"
REASONS = frozenset({"model", "name", "words", "path", "fit"})
"""Kinds of reasons that are words and not only a number."""


class Api:
    """Endpoints over one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def recommend(
        self,
        text: str,
        tokens: list[str] | None = None,
        mode: str = "hybrid",
        top_k: int = 15,
        candidates: int | None = None,
        hops: int | None = None,
        nodes: int | None = None,
        exclude: list[str] | None = None,
        filters: list[str] | None = None,
        require: list[str] | None = None,
        rerank: bool | None = None,
    ) -> Json:
        """Tools for a task in words; the JSON of the contract.

        Args:
            text: The task, with control tags such as [EXCLUDE:a|b] or [NO_RERANK] if wanted.
            tokens: Facts of a scan, such as format:DICOM, format:CT, format:3D.
            mode: Name of a retrieval mode.
            top_k: How many tools, 1 to 50.
            candidates: Tools that each source gives, 1 to 1000; as set where it is left out.
            hops: Steps that the expansion over the graph walks, 0 to 3.
            nodes: Tools at most after that expansion, 1 to 2000.
            exclude: Tools to leave out, by id or name.
            filters: Facts that tools must state, such as licence=MIT or modality=CT.
            require: What software must be, such as language=Python or gpu=none.
            rerank: False asks no re-ranking model.
        """
        numbers = {"candidates": candidates, "hops": hops, "nodes": nodes}
        sizes = {name: int(size) for name, size in numbers.items() if size is not None}
        # Cut, not refused: more tokens than codes exist can only repeat each other.
        facts = [str(t) for t in tokens or ()][:MOST_TOKENS]

        def work() -> Json:
            how = {"top_k": int(top_k), "tokens": facts, "sizes": sizes}
            how |= _rules(self._engine, exclude, filters, require, rerank)
            return to_json(self._engine.run(str(text or ""), str(mode), **how))

        return attempted("an endpoint", work, _refuse)

    def recommend_files(
        self,
        text: str,
        files: list[str] | None,
        mode: str = "hybrid",
        top_k: float = 15,
        exclude: list[str] | None = None,
        filters: list[str] | None = None,
        require: list[str] | None = None,
        rerank: bool | None = None,
    ) -> Json:
        """Tools for a task and files; the files are deleted once their headers are read."""
        paths = _few(files)

        def work() -> Json:
            upload = read_and_delete(self._engine, paths)
            data = Data(upload=upload)
            answer = self._engine.run(
                str(text or ""),
                str(mode),
                top_k=int(top_k),
                scans=upload.scans,
                tokens=data.tokens,
                muted_tokens=data.silenced,
                refused=upload.refused,
                **_rules(self._engine, exclude, filters, require, rerank),
            )
            return {**to_json(answer), "upload": scan_json(upload)}

        return attempted("an endpoint", work, _refuse)

    def recommend_cohort(self, text: str, files: list[str] | None) -> Json:
        """Tools for every kind of series of many subjects; the files are deleted once read."""
        paths = _few(files)

        def work() -> Json:
            with stored_then_deleted(paths) as stored:
                uploads = read_cohort(stored)
            return cohort_json(cohort_of(self._engine, str(text or ""), uploads))

        return attempted("an endpoint", work, _refuse)

    def find_tools(
        self,
        text: str,
        tokens: list[str] | None = None,
        top_k: int = 8,
        exclude: list[str] | None = None,
        filters: list[str] | None = None,
        require: list[str] | None = None,
        rerank: bool | None = None,
    ) -> str:
        """Short answer for agents: tools for a task with reasons, as JSON text.

        Args:
            text: The task, with control tags such as [EXCLUDE:a|b] if wanted.
            tokens: Facts of a scan, such as format:DICOM, format:CT, format:3D.
            top_k: How many tools, 1 to 50.
            exclude: Tools to leave out, by id or name.
            filters: Facts that tools must state, such as licence=MIT or modality=CT.
            require: What software must be, such as language=Python or gpu=none.
            rerank: False asks no re-ranking model.
        """
        answer = self.recommend(
            text,
            tokens,
            "hybrid",
            top_k,
            exclude=exclude,
            filters=filters,
            require=require,
            rerank=rerank,
        )
        return json.dumps(brief(answer), ensure_ascii=False)


def _rules(
    engine: Engine,
    exclude: Sequence[str] | None,
    filters: Sequence[str] | None,
    require: Sequence[str] | None,
    rerank: bool | None,
) -> dict[str, Any]:
    """The rules as ``Engine.run`` takes them.

    Raises BadInput for a filter of an unknown kind or of a value that no tool states.
    """
    pairs = [str(pair) for pair in filters or ()][:MOST_TOKENS]
    return {
        "excluded": [str(name) for name in exclude or ()][:MOST_TOKENS],
        "required": [str(pair) for pair in require or ()][:MOST_TOKENS],
        "filters": parse_filters(pairs, engine.catalog.values()),
        "rerank": rerank is not False,
    }


def _few(files: list[str] | None) -> list[str]:
    if files and len(files) > MOST_FILES:
        reason = f"files: {len(files)} were sent; send {MOST_FILES} or fewer"
        raise gr.Error(reason, print_exception=False)
    return files or []


def _refuse(reason: str | None) -> Json:
    """End a call with words; Gradio writes no traceback of such an error."""
    raise gr.Error(reason or FAILED, print_exception=False)


FIELDS = ("rank", "id", "name", "license", "lacks", "verdict")
"""Fields of a tool that agents are given, of every list."""
MOST_SUBJECTS = 10
"""Subjects of a group that are listed; the others are counted."""
REMARKS = ("reason", "low_confidence", "gap", "unmet", "notes", "limits", "wishes")
"""Keys of the metadata that tell how far to trust the list."""


def brief(answer: Json) -> Json:
    """What an agent needs of an answer: no stages, no graph.

    At most four reasons per tool, those in words; verdicts where there was a scan or a wish; what
    no record states, and what each tool's record lacks of it; every remark on the request.
    """
    tools = [
        _brief_tool(one, (*FIELDS, "description", "url"), 4)
        | {"fit": {f["fact"]: f["verdict"] for f in one["fit"] or ()}}
        for one in answer["candidates"]
    ]
    query, remarks = answer["query"], {key: answer["metadata"][key] for key in REMARKS}
    return {"tokens": query["tokens"], "unmatched": query["unmatched"], "tools": tools, **remarks}


def _brief_tool(one: Json, fields: Sequence[str], reasons: int) -> Json:
    why = [w["text"] for w in one["why"] if w["kind"] in REASONS][:reasons]
    return {key: one[key] for key in fields} | {"why": why}


def _brief_group(group: Json) -> Json:
    """A kind of series of a cohort: how many subjects, the first ones, its tools in short."""
    tools = [_brief_tool(one, FIELDS, 2) for one in group["candidates"]]
    subjects = group["subjects"]
    counts = {"subject_count": len(subjects), "subjects": subjects[:MOST_SUBJECTS]}
    names = ("kind", "series", "reason", "limits", "notes")
    return {name: group[name] for name in names} | counts | {"tools": tools}


def brief_for_agents(answer: Json) -> Json:
    """An answer of any endpoint without stages and graph; other keys of it stay as they are."""
    if "groups" in answer:
        return {**answer, "groups": [_brief_group(one) for one in answer["groups"]]}
    if "candidates" not in answer:
        return answer
    return brief(answer) | ({"upload": answer["upload"]} if "upload" in answer else {})


def calls_of(page: gr.Blocks) -> Calls:
    """What a call of a page may hold.

    Event numbers are those of the page; an event that cancels others takes no input.
    """
    own = {n: str(f.api_name) for n, f in page.fns.items() if f.api_name in ENDPOINTS}
    inputs = {n: 0 if f.cancels else len(f.inputs) for n, f in page.fns.items()}
    return Calls(endpoints=ENDPOINTS, names=own, inputs=inputs)


def publish(engine: Engine) -> None:
    """Register the endpoints in the Blocks that is being built.

    Side effect: components of the endpoints with files are added to the page, hidden.
    """
    api = Api(engine)
    endpoint(sealed(api.recommend), api_name="recommend", **SEARCHES)
    endpoint(api.find_tools, api_name="find_tools", **SEARCHES)
    with gr.Column(visible=False):
        text, files = gr.Textbox(label="text"), gr.File(label="files", file_count="multiple")
        mode, top_k = gr.Textbox("hybrid", label="mode"), gr.Number(15, label="top_k", precision=0)
        rules = [gr.JSON(label=name) for name in ("exclude", "filters", "require", "rerank")]
        output, go = gr.JSON(label="answer"), gr.Button("recommend_files")
        many = gr.Button("recommend_cohort")
    go.click(
        api.recommend_files,
        [text, files, mode, top_k, *rules],
        output,
        api_name="recommend_files",
        concurrency_limit=2,
    )
    many.click(
        api.recommend_cohort,
        [text, files],
        output,
        api_name="recommend_cohort",
        concurrency_limit=1,
    )
