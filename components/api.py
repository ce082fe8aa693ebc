"""The public endpoints: searches in words, with files, of a cohort. Everything else is private."""

from __future__ import annotations

import json
from typing import Any

import gradio as gr
from gradio.events import api as endpoint

from components.data import Data
from components.leaves import sealed
from components.uploading import read_and_delete, stored_then_deleted
from retrieval import (
    BadInput,
    Engine,
    cohort_json,
    cohort_of,
    read_cohort,
    scan_json,
    to_json,
)

Json = dict[str, Any]
MOST_TOKENS, MOST_FILES = 50, 2_000
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
    ) -> Json:
        """Tools for a task in words; the JSON of the contract.

        Args:
            text: The task, with control tags such as [EXCLUDE:a|b] or [NO_RERANK] if wanted.
            tokens: Facts of a scan, such as format:DICOM, format:CT, format:3D.
            mode: Name of a retrieval mode.
            top_k: How many tools, 1 to 50.
        """
        given = [str(t) for t in tokens or ()][:MOST_TOKENS]
        return self._answer(str(text or ""), str(mode), top_k, tokens=given)

    def recommend_files(
        self, text: str, files: list[str] | None, mode: str = "hybrid", top_k: float = 15
    ) -> Json:
        """Tools for a task and files; the files are deleted once their headers are read."""
        paths = files or []
        if len(paths) > MOST_FILES:
            raise gr.Error(f"files: {len(paths)} were sent; send {MOST_FILES} or fewer")
        try:
            upload: Any = read_and_delete(self._engine, paths)
            data = Data(upload=upload)
        except BadInput as exc:
            raise gr.Error(str(exc), print_exception=False) from exc
        told = self._answer(
            str(text or ""),
            str(mode),
            top_k,
            scans=upload.scans,
            tokens=data.tokens,
            muted_tokens=data.silenced,
            refused=upload.refused,
        )
        return {**told, "upload": scan_json(upload)}

    def recommend_cohort(self, text: str, files: list[str] | None) -> Json:
        """Tools for every kind of series of many subjects; the files are deleted once read."""
        paths = files or []
        if len(paths) > MOST_FILES:
            raise gr.Error(f"files: {len(paths)} were sent; send {MOST_FILES} or fewer")
        try:
            with stored_then_deleted(paths) as stored:
                uploads = read_cohort(stored)
            return cohort_json(cohort_of(self._engine, str(text or ""), uploads))
        except BadInput as exc:
            raise gr.Error(str(exc), print_exception=False) from exc

    def find_tools(self, text: str, tokens: list[str] | None = None, top_k: int = 8) -> str:
        """Short answer for agents: tools for a task with reasons, as JSON text.

        Args:
            text: The task, with control tags such as [EXCLUDE:a|b] if wanted.
            tokens: Facts of a scan, such as format:DICOM, format:CT, format:3D.
            top_k: How many tools, 1 to 50.
        """
        return json.dumps(brief(self.recommend(text, tokens, "hybrid", top_k)), ensure_ascii=False)

    def _answer(self, text: str, mode: str, top_k: float, **how: Any) -> Json:  # noqa: ANN401
        try:
            answer = self._engine.run(text, mode, top_k=int(top_k), **how)
        except BadInput as exc:
            raise gr.Error(str(exc), print_exception=False) from exc
        except (TypeError, ValueError) as exc:
            raise gr.Error("top_k: give a whole number from 1 to 50") from exc
        return to_json(answer)


def brief(told: Json) -> Json:
    """What an agent needs of an answer: no stages, no graph."""
    kept = ("rank", "id", "name", "description", "url", "license")
    tools = [
        {key: one[key] for key in kept}
        | {"why": [w["text"] for w in one["why"] if w["kind"] in REASONS][:4]}
        | {"fit": {f["fact"]: f["verdict"] for f in one["fit"] or ()}}
        for one in told["candidates"]
    ]
    doubt = {key: told["metadata"][key] for key in ("reason", "low_confidence")}
    return {"tokens": told["query"]["tokens"], "tools": tools, **doubt}


def publish(engine: Engine) -> None:
    """Register the endpoints in the Blocks that is being built."""
    api = Api(engine)
    shared: dict[str, Any] = {"concurrency_limit": 4, "concurrency_id": "search"}
    endpoint(sealed(api.recommend), api_name="recommend", **shared)
    endpoint(api.find_tools, api_name="find_tools", **shared)
    with gr.Column(visible=False):
        text, files = gr.Textbox(label="text"), gr.File(label="files", file_count="multiple")
        mode, top_k = gr.Textbox("hybrid", label="mode"), gr.Number(15, label="top_k", precision=0)
        told, go = gr.JSON(label="answer"), gr.Button("recommend_files")
        many = gr.Button("recommend_cohort")
    go.click(
        api.recommend_files,
        [text, files, mode, top_k],
        told,
        api_name="recommend_files",
        concurrency_limit=2,
    )
    many.click(
        api.recommend_cohort,
        [text, files],
        told,
        api_name="recommend_cohort",
        concurrency_limit=1,
    )
