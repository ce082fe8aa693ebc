"""What BioCortex's page gives its pipeline: the web as a tool, entities, sizes, no vectors."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from retrieval.cli import main
from retrieval.graph.expand import GraphExpand
from retrieval.graph.port import Reached
from retrieval.settings import Settings
from retrieval.wiring.opening import open_engine
from tests.fakes import SMALL, make_candidate, make_state

PAPERS = "latest papers on lung segmentation"
WITH_WEB = ("hybrid", "biocortex", "agentic")
"""Modes that list tools for a task; the light modes and plaza follow sources without the web."""


def stage_of(answer, name):
    return next(n for n in answer.result.walk() if n.name.rpartition("/")[2] == name)


@pytest.mark.parametrize("mode", WITH_WEB)
def test_every_mode_of_the_source_says_how_to_allow_the_web_until_it_is_allowed(
    light_settings: Settings, mode: str
) -> None:
    engine = open_engine(light_settings)
    web = stage_of(engine.run(PAPERS, mode), "web")
    assert web.status == "skipped"
    assert "SCANSCOUT_WEB_SEARCH=true" in web.note
    assert stage_of(engine.run("segment lungs", mode), "web").status == "ok"


def test_once_a_setting_allows_the_web_the_pipeline_picks_it(light_settings: Settings) -> None:
    engine = open_engine(light_settings.model_copy(update={"web_search": True}))
    for mode in WITH_WEB:
        answer = engine.run(PAPERS, mode)
        assert answer.candidates[0].tool.id == "web_literature_search"
        assert stage_of(answer, "web").note == "asks for: papers"


@pytest.mark.parametrize(
    ("text", "entity", "tools"),
    [
        ("TP53 mutation analysis", "TP53", {"gprofiler", "string_db", "open_targets"}),
        ("BRAF mutation analysis", "BRAF", {"gprofiler"}),
    ],
)
def test_entities_of_the_text_bring_their_tools_into_the_expansion(
    light_settings: Settings, text: str, entity: str, tools: set[str]
) -> None:
    engine = open_engine(light_settings)
    expansion = stage_of(engine.run(text, "biocortex"), "KG expansion")
    paths = {
        c.tool.id: why.text
        for c in expansion.state.candidates
        for why in c.why
        if why.kind == "path"
    }
    linked = {tool for tool, path in paths.items() if entity in path}
    assert linked
    assert tools <= {c.tool.id for c in expansion.state.candidates}


class Line:
    """A graph that reached these tools, whatever it is asked."""

    def __init__(self, *reached: Reached) -> None:
        self.reached = reached

    def expand(self, *_):
        return self.reached

    def words(self, path):
        return "; ".join(relation for _, relation, _ in path)


def test_an_expansion_ends_by_relevance_and_keeps_what_is_required() -> None:
    first, near, far, needed = (tool.id for tool in SMALL[:4])
    line = Line(
        Reached(id=near, score=1.0, path=((first, "same_domain", near),)),
        Reached(id=far, score=0.05, path=((first, "same_domain", far),)),
        Reached(id=needed, score=0.05, path=((first, "requires_tool", needed),)),
    )
    tools = {tool.id: tool for tool in SMALL}
    stage = GraphExpand(line, tools, [], lambda name, lists: lists[0][1], relevant=0.1)  # type: ignore[arg-type]
    start = make_state("segment lungs", replace(make_candidate(first, 1.0), tool=tools[first]))
    added = stage.run(start).metrics["added"]
    assert added == 2
    assert replace(stage, relevant=0.0).run(start).metrics["added"] == 3


def test_no_note_promises_vectors_while_they_are_off(light_settings: Settings) -> None:
    engine = open_engine(light_settings)
    for mode in engine.modes:
        answer = engine.run("segment lungs", mode)
        notes = " ".join(node.note for node in answer.result.walk())
        assert "still being" not in notes, mode
        assert "search again soon" not in notes, mode


def test_sizes_are_options_of_the_command_and_are_checked(tmp_path, monkeypatch, capsys) -> None:
    for name, value in {"INDEX_DIR": tmp_path / "i", "CACHE_DIR": tmp_path / "c"}.items():
        monkeypatch.setenv(f"SCANSCOUT_{name}", str(value))
    monkeypatch.setenv("SCANSCOUT_VECTOR_SEARCH", "false")
    command = ["search", "segment lungs", "--mode", "biocortex", "--json"]
    assert main([*command, "--candidates", "5", "--nodes", "12", "--hops", "1"]) == 0
    stages = json.loads(capsys.readouterr().out)["stages"]
    sizes = {s["name"].rpartition("/")[2]: len(s["candidates"]) for s in stages}
    assert sizes["vector search"] == 5
    assert 5 < sizes["KG expansion"] <= 12
    assert main([*command, "--hops", "4"]) == 2
    assert "--hops: 4 is out of range; choose from 0 to 3" in capsys.readouterr().err
